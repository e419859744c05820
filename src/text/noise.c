/* noise.c - a scan from left to right for each rule. Typing errors scan twice: the first scan
 * counts the places where the error is possible, the second stops at the one that was drawn. */
#include "text/noise.h"

#include "base/random/rng.h"
#include "text/sentences/sentences.h"
#include "text/unicode.h"

#include <string.h>

enum { SHARP_S = 0xDF };

typedef struct { const char *at, *end; } Text;

static int32_t first_point(const char *at, const char *end)
{
    return at < end ? unicode_next(&at) : 0;
}

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
        after = unicode_grapheme_end(place->end, end);
        if (!unicode_is_letter(first_point(place->end, end))) {
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

static int same_letter(const Place *place)
{
    size_t first = (size_t)(place->middle - place->at);
    size_t second = (size_t)(place->end - place->middle);
    return first == second && !memcmp(place->at, place->middle, first);
}

static int is_possible(TextNoise kind, const Place *place)
{
    if (kind == NOISE_SWAP) return place->at > place->word && !same_letter(place);
    return kind != NOISE_NEIGHBOUR || neighbours_of(place);
}

/* Appends the letter of a neighbouring key, a capital for a capital. */
static void add_neighbour(const Place *place, uint64_t key, Buf *out)
{
    const char *around = neighbours_of(place);
    char drawn = around[rng_below(key, 1, strlen(around))];
    buf_putc(out, *place->middle < 'a' ? (char)(drawn & ~0x20) : drawn);
}

static void add_error(TextNoise kind, const Place *place, uint64_t key, Buf *out)
{
    if (kind == NOISE_SWAP) add(out, place->middle, place->end);
    add(out, place->at, place->middle);
    if (kind == NOISE_NEIGHBOUR) add_neighbour(place, key, out);
    if (kind != NOISE_DOUBLE) return;
    add(out, place->middle, place->end);
    add(out, place->middle, place->end);
}

static int add_typing_error(TextNoise kind, Text text, uint64_t key, Buf *out)
{
    const Place start = { text.at, text.at, text.at, text.at };
    uint64_t places = 0;
    for (Place place = start; next_place(&place, text.end);)
        places += (uint64_t)is_possible(kind, &place);
    if (!places) return 0;
    uint64_t left = rng_below(key, 0, places) + 1;
    Place place = start;
    while (left && next_place(&place, text.end))
        left -= (uint64_t)is_possible(kind, &place);
    add(out, text.at, place.at);
    add_error(kind, &place, key, out);
    add(out, place.end, text.end);
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
        { 0x131, "i" }, { SHARP_S, "ss" }
    };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (plain[i].point == point) return plain[i].spelling;
    return NULL;
}

static int add_without_accents(Text text, Buf *out)
{
    int altered = 0;
    int32_t before = 0;                             /* the letter that marks may follow */
    for (const char *at = text.at, *here; (here = at) < text.end;) {
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

static void add_capital(int32_t point, Buf *out)
{
    if (point == SHARP_S) buf_puts(out, "SS");
    else unicode_append(out, unicode_upper(point));
}

static void add_small(int32_t point, Buf *out)
{
    unicode_append(out, unicode_lower(point));
}

/* Appends each character of the text by `add_point`; returns whether the text is another then. */
static int add_in_case(Text text, void (*add_point)(int32_t, Buf *), Buf *out)
{
    const size_t before = out->length, length = (size_t)(text.end - text.at);
    for (const char *at = text.at; at < text.end;)
        add_point(unicode_next(&at), out);
    return out->length - before != length || memcmp(out->text + before, text.at, length);
}

/* ---- Marks ---- */

static int add_without_final_mark(Text text, Buf *out)
{
    const char *end = text.at;                      /* of what stays */
    int marks = 0;
    for (const char *at = text.at; at < text.end;) {
        int32_t point = unicode_next(&at);
        if (is_final_mark(point)) marks = 1;
        else if (!unicode_is_space(point)) {
            marks = 0;
            end = at;
        }
    }
    if (!marks || end == text.at) return 0;
    add(out, text.at, end);
    return 1;
}

static int is_part_of_letter(int32_t point)
{
    return unicode_is_letter(point) || unicode_is_mark(point);
}

static int is_apostrophe(int32_t point)
{
    return point == '\'' || point == 0x2019;
}

static int add_without_apostrophes(Text text, Buf *out)
{
    int altered = 0;
    int32_t before = ' ';
    for (const char *at = text.at, *here; (here = at) < text.end;) {
        const int32_t point = unicode_next(&at);
        const int joins = is_apostrophe(point) && is_part_of_letter(before)
                          && unicode_is_letter(first_point(at, text.end));
        if (!joins) add(out, here, at);
        altered |= joins;
        before = point;
    }
    return altered;
}

static int add_altered(TextNoise kind, Text text, uint64_t key, Buf *out)
{
    switch (kind) {
    case NOISE_SWAP:
    case NOISE_DROP:
    case NOISE_DOUBLE:
    case NOISE_NEIGHBOUR:  return add_typing_error(kind, text, key, out);
    case NOISE_ACCENTS:    return add_without_accents(text, out);
    case NOISE_CAPITALS:   return add_in_case(text, add_capital, out);
    case NOISE_SMALL:      return add_in_case(text, add_small, out);
    case NOISE_FINAL:      return add_without_final_mark(text, out);
    case NOISE_NO_APOSTROPHES: return add_without_apostrophes(text, out);
    case TEXT_NOISES:           break;
    }
    return 0;
}

int noise_add(TextNoise kind, const char *text, size_t length, uint64_t key, Buf *out)
{
    const size_t before = out->length;
    if (length && add_altered(kind, (Text){ text, text + length }, key, out)) return 1;
    out->length = before;
    buf_add(out, text, length);
    return 0;
}
