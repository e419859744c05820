/* noise.c - a scan from left to right for each rule. Typing errors scan twice: the first scan
 * counts the places where the error is possible, the second stops at the one that was drawn. */
#include "text/noise.h"

#include "base/random/rng.h"
#include "text/patterns.h"
#include "text/unicode.h"

#include <string.h>

static void add(Buf *out, const char *at, const char *end)
{
    buf_add(out, at, (size_t)(end - at));
}

/* ---- Typing errors ---- */

/* A letter inside a word, middle..end, and the letter before it, at..middle. The word begins at
 * `word`. */
typedef struct { const char *word, *at, *middle, *end; } Place;

/* Moves on to the next letter inside a word; at first all of `place` is the start of the text. */
static int next_place(Place *place, const char *end)
{
    for (const char *after; place->end < end; place->end = after) {
        after = grapheme_end(place->end, end);
        if (!unicode_is_letter(unicode_at(place->end))) {
            place->word = place->middle = after;
            continue;
        }
        int inside = place->end > place->word;
        place->at = place->middle;
        place->middle = place->end;
        if (!inside) continue;
        place->end = after;
        return 1;
    }
    return 0;
}

/* The letters on the keys around a small letter of a QWERTY keyboard. */
static const char *const neighbours['z' - 'a' + 1] = {
    "qwsz", "vghn", "xdfv", "serfcx", "wsdr", "drtgvc", "ftyhbv", "gyujnb", "ujko", "huikmn",
    "jiolm", "kop", "njk", "bhjm", "iklp", "ol", "wa", "edft", "awedxz", "rfgy", "yhji", "cfgb",
    "qase", "zsdc", "tghu", "asx"
};

/* The neighbours of a letter, or NULL; it is one byte then. */
static const char *neighbours_of(const Place *place)
{
    char small = (char)(*place->middle | 0x20);
    int ascii = place->end - place->middle == 1 && small >= 'a' && small <= 'z';
    return ascii ? neighbours[small - 'a'] : NULL;
}

static int is_possible(TextNoise kind, const Place *place)
{
    const Slice one = slice_between(place->at, place->middle), next = slice_between(place->middle, place->end);
    if (kind == NOISE_SWAP) return place->at > place->word && !slices_equal(one, next);
    return kind != NOISE_NEIGHBOUR || neighbours_of(place);
}

static void add_error(TextNoise kind, const Place *place, uint64_t key, Buf *out)
{
    if (kind == NOISE_SWAP) add(out, place->middle, place->end);
    add(out, place->at, place->middle);
    if (kind == NOISE_NEIGHBOUR) {
        const char *around = neighbours_of(place);
        const char drawn = around[rng_below(key, 1, strlen(around))];
        buf_putc(out, *place->middle < 'a' ? (char)(drawn & ~0x20) : drawn);    /* a capital for a capital */
    } else if (kind == NOISE_DOUBLE) {
        add(out, place->middle, place->end);
        add(out, place->middle, place->end);
    }
}

static int add_typing_error(TextNoise kind, const char *text, const char *text_end, uint64_t key, Buf *out)
{
    const Place start = { text, text, text, text };
    uint64_t places = 0;
    for (Place place = start; next_place(&place, text_end);)
        places += (uint64_t)is_possible(kind, &place);
    if (!places) return 0;
    uint64_t left = rng_below(key, 0, places) + 1;
    Place place = start;
    while (left && next_place(&place, text_end))
        left -= (uint64_t)is_possible(kind, &place);
    add(out, text, place.at);
    add_error(kind, &place, key, out);
    add(out, place.end, text_end);
    return 1;
}

/* ---- Letters ---- */

static int is_ascii_letter(int32_t point)
{
    return (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z');
}

/* How letters that are no ASCII letter with marks are written without them. */
static const char *plain_spelling(int32_t point)
{
    static const struct { int32_t point; const char *spelling; } plain[] = {
        { 0xC6, "AE" }, { 0xE6, "ae" }, { 0x152, "OE" }, { 0x153, "oe" }, { 0xD8, "O" },
        { 0xF8, "o" }, { 0x110, "D" }, { 0x111, "d" }, { 0x141, "L" }, { 0x142, "l" },
        { 0x131, "i" }, { 0xDF, "ss" }
    };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (plain[i].point == point) return plain[i].spelling;
    return NULL;
}

static int add_without_accents(const char *text, const char *end, Buf *out)
{
    int altered = 0;
    int32_t before = 0;                             /* the letter that marks may follow */
    for (const char *at = text, *here; (here = at) < end;) {
        const int32_t point = unicode_next(&at), base = unicode_base(point);
        const char *spelling = plain_spelling(point);
        const int dropped = unicode_is_mark(point) && is_ascii_letter(before);
        if (spelling) buf_puts(out, spelling);
        else if (is_ascii_letter(base)) unicode_append(out, base);
        else if (!dropped) add(out, here, at);
        altered |= spelling || dropped || (is_ascii_letter(base) && base != point);
        if (!dropped) before = base;
    }
    return altered;
}

int noise_add(TextNoise kind, const char *text, size_t length, uint64_t key, Buf *out)
{
    const size_t before = out->length;
    const char *end = text + length;
    if (kind == NOISE_ACCENTS ? add_without_accents(text, end, out) : add_typing_error(kind, text, end, key, out)) return 1;
    out->length = before;
    buf_add(out, text, length);
    return 0;
}
