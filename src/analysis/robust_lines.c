/* robust_lines.c - makes the lines of each row. */
#include "analysis/robust_lines.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "text/noise.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

enum { PLAIN_MOST = 2000, KEPT_LINES = 500, ROUNDS_MOST = 50 };

/* noise: of the rows that are one rule of text/noise.h; TEXT_NOISES: of others. */
static const struct { const char *name, *title; TextNoise noise; } rows[ROBUST_ROWS] = {
    [ROBUST_PLAIN]          = { "plain", "plain", TEXT_NOISES },
    [ROBUST_NAMES]          = { "names", "names that are new", TEXT_NOISES },
    [ROBUST_NUMBERS]        = { "numbers", "numbers", TEXT_NOISES },
    [ROBUST_VERBATIM]       = { "verbatim", "addresses, code, placeholders", TEXT_NOISES },
    [ROBUST_CAPITALS]       = { "capitals", "ALL CAPITALS", NOISE_CAPITALS },
    [ROBUST_SMALL]          = { "small", "small letters", NOISE_SMALL },
    [ROBUST_SMALL_NO_FINAL] = { "small_no_final", "small letters, no final mark", TEXT_NOISES },
    [ROBUST_APOSTROPHE]     = { "apostrophe", "\u2019 for '", NOISE_APOSTROPHE },
    [ROBUST_MARKS]          = { "marks", "\u201C \u201D \u2013 \u2014 \u2026 for \" - -- ...",
                                NOISE_MARKS },
    [ROBUST_SWAP]           = { "swap", "two letters swapped", NOISE_SWAP },
    [ROBUST_DROP]           = { "drop", "a letter dropped", NOISE_DROP },
    [ROBUST_DOUBLE]         = { "double", "a letter doubled", NOISE_DOUBLE },
    [ROBUST_NEIGHBOUR]      = { "neighbour", "a neighbouring key", NOISE_NEIGHBOUR },
    [ROBUST_ACCENTS]        = { "accents", "no accents", NOISE_ACCENTS },
    [ROBUST_JOINED]         = { "joined", "three sentences in a line", TEXT_NOISES },
    [ROBUST_BULLET]         = { "bullet", "an item of a list", TEXT_NOISES },
    [ROBUST_EMOJI]          = { "emoji", "an emoji at the end", TEXT_NOISES },
    [ROBUST_NO_APOSTROPHES] = { "no_apostrophes", "no apostrophes", NOISE_NO_APOSTROPHES },
    [ROBUST_TAGS]           = { "tags", "a word in <b> </b>", TEXT_NOISES },
    [ROBUST_ASIDE]          = { "aside", "a name (like this) inside", TEXT_NOISES }
};

const char *robust_row_name(RobustRow row)
{
    return rows[row].name;
}

const char *robust_row_title(RobustRow row)
{
    return rows[row].title;
}

int robust_row_is_kept(RobustRow row)
{
    return row >= ROBUST_NAMES && row <= ROBUST_VERBATIM;
}

/* ---- Lines ---- */

/* Takes the text over. */
static void add_line(RobustLines *lines, Buf *text, size_t origin)
{
    lines->source = grow(lines->source, &lines->source_capacity, lines->count + 1,
                         sizeof *lines->source);
    lines->origin = grow(lines->origin, &lines->origin_capacity, lines->count + 1,
                         sizeof *lines->origin);
    lines->source[lines->count] = text->text;
    lines->origin[lines->count++] = origin;
    *text = (Buf){ 0 };
}

/* The random numbers of a row for one of its sentences. */
static uint64_t key_of(const RobustLines *lines, RobustRow row, size_t number)
{
    return rng_key(rng_key(lines->seed, row, RNG_NOISE), number, RNG_NOISE);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void add_plain(RobustLines *lines)
{
    const size_t all = lines->segments->count, count = smaller(all, PLAIN_MOST);
    for (size_t i = 0; i < count; i++) {
        const size_t segment = i * all / count;
        const char *source = lines->segments->source[segment];
        Buf normal = { 0 };
        buf_clear(&normal);
        words_normalise(source, strlen(source), 0, &normal);
        add_line(lines, &normal, segment);
    }
}

/* ---- Rows of BLEU: each altered plain line is a line ---- */

static void add_bullet(uint64_t key, Buf *out)
{
    static const char *const bullets[] = { "- ", "* ", "\xE2\x80\xA2 ", "1. ", "2. ", "3. " };
    buf_puts(out, bullets[rng_below(key, 0, sizeof bullets / sizeof *bullets)]);
}

void robust_add_around(const RobustLines *lines, RobustRow row, size_t number, const char *text,
                       Buf *out)
{
    const uint64_t key = key_of(lines, row, number);
    if (row == ROBUST_BULLET) add_bullet(key, out);
    buf_puts(out, text);
    if (row != ROBUST_EMOJI) return;
    buf_putc(out, ' ');
    made_up_add(MADE_UP_EMOJI, key, out);
}

static int add_small_without_mark(const char *text, Buf *out)
{
    Buf stem = { 0 };
    const int altered = noise_add(NOISE_FINAL, text, strlen(text), 0, &stem);
    if (altered) noise_add(NOISE_SMALL, stem.text, stem.length, 0, out);
    buf_free(&stem);
    return altered;
}

/* The end of the letters at `at`. */
static const char *letters_end(const char *at)
{
    for (const char *next = at; unicode_is_letter(unicode_next(&next)); at = next) {}
    return at;
}

/* Puts one of the words into tags; 0: there is none. */
static int add_tagged(const char *text, uint64_t key, Buf *out)
{
    const char *word = NULL, *end = NULL;
    uint64_t words = 0;
    for (const char *at = text; *at; at++) {
        const char *stop = at == text || at[-1] == ' ' ? letters_end(at) : at;
        if (stop == at) continue;
        if (!rng_below(key, words, words + 1)) { word = at; end = stop; }
        words++;
    }
    if (!word) return 0;
    buf_add(out, text, (size_t)(word - text));
    buf_puts(out, ROBUST_TAG);
    buf_add(out, word, (size_t)(end - word));
    buf_puts(out, ROBUST_END_TAG);
    buf_puts(out, end);
    return 1;
}

void robust_add_aside(const RobustLines *lines, size_t number, Buf *out)
{
    buf_puts(out, " (");
    made_up_add(MADE_UP_NAME, key_of(lines, ROBUST_ASIDE, number), out);
    buf_putc(out, ')');
}

/* Puts an aside between two of the words; 0: there is no place. */
static int add_with_aside(const RobustLines *lines, size_t number, Buf *out)
{
    const char *text = lines->source[number], *place = NULL;
    const uint64_t key = key_of(lines, ROBUST_ASIDE, number);
    uint64_t places = 0;
    for (const char *at = text, *end; *at; at = end) {
        end = letters_end(at);
        if (end == at) {
            unicode_next(&end);
        } else if (*end == ' ' && letters_end(end + 1) > end + 1) {
            if (!rng_below(key, places, places + 1)) place = end;
            places++;
        }
    }
    if (!place) return 0;
    buf_add(out, text, (size_t)(place - text));
    robust_add_aside(lines, number, out);
    buf_puts(out, place);
    return 1;
}

/* Appends plain line `number` as the row alters it; 0: it can't. */
static int alter(const RobustLines *lines, RobustRow row, size_t number, Buf *out)
{
    const char *text = lines->source[number];
    if (row == ROBUST_SMALL_NO_FINAL) return add_small_without_mark(text, out);
    if (row == ROBUST_TAGS) return add_tagged(text, key_of(lines, row, number), out);
    if (row == ROBUST_ASIDE) return add_with_aside(lines, number, out);
    if (row == ROBUST_BULLET || row == ROBUST_EMOJI) {
        robust_add_around(lines, row, number, text, out);
        return 1;
    }
    return noise_add(rows[row].noise, text, strlen(text), key_of(lines, row, number), out);
}

static void add_altered(RobustLines *lines, RobustRow row)
{
    Buf text = { 0 };
    for (size_t i = 0; i < lines->first[ROBUST_NAMES]; i++) {
        buf_clear(&text);
        if (alter(lines, row, i, &text)) add_line(lines, &text, i);
    }
    buf_free(&text);
}

static int ends_in_mark(const char *text)
{
    Buf stem = { 0 };
    const int ends = noise_add(NOISE_FINAL, text, strlen(text), 0, &stem);
    buf_free(&stem);
    return ends;
}

static void add_joined(RobustLines *lines)
{
    for (size_t i = 0; i + JOINED <= lines->first[ROBUST_NAMES]; i += JOINED) {
        Buf text = { 0 };
        int complete = 1;
        for (size_t k = i; k < i + JOINED; k++) {
            complete &= ends_in_mark(lines->source[k]);
            buf_printf(&text, "%s%s", k > i ? " " : "", lines->source[k]);
        }
        if (complete) add_line(lines, &text, i);
        buf_free(&text);
    }
}

/* ---- Rows of what is to be kept ---- */

typedef struct {
    RobustLines       *lines;
    RobustRow          row;
    const CorpusWords *words;
    KeptRule          *rule;
} Keeping;

/* Appends a segment as the rule alters it, for the place `number` of the row, and sets `items`;
 * returns whether it could. */
static int keep_in(const Keeping *k, size_t segment, size_t number, KeptItems *items, Buf *out)
{
    const Segments *segments = k->lines->segments;
    const char *source = segments->source[segment];
    Buf normal = { 0 };
    buf_clear(&normal);
    words_normalise(source, strlen(source), 0, &normal);
    const KeptCase c = { .source = normal.text, .reference = segments->reference[segment],
                         .references = segments->references[segment], .words = k->words,
                         .key = key_of(k->lines, k->row, number) };
    const int kept = k->rule(&c, items, out);
    buf_free(&normal);
    return kept > 0;
}

/* The segments that the rule can alter, in order. The caller frees the array. */
static size_t *find_places(const Keeping *k, size_t *count)
{
    const size_t all = k->lines->segments->count;
    size_t *places = xmalloc(all, sizeof *places);
    Buf text = { 0 };
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        KeptItems items = { 0 };
        buf_clear(&text);
        if (keep_in(k, i, 0, &items, &text)) places[(*count)++] = i;
        kept_items_free(&items);
    }
    buf_free(&text);
    return places;
}

/* Adds `wanted` lines, or somewhat more, if the places allow it: in rounds over all of them. */
static void add_kept(const Keeping *k, size_t wanted)
{
    RobustLines *lines = k->lines;
    size_t all, *places = find_places(k, &all);
    const size_t count = smaller(all, wanted), start = lines->first[k->row];
    const size_t rounds = count ? smaller((wanted + count - 1) / count, ROUNDS_MOST) : 0;
    for (size_t i = 0; i < rounds * count; i++) {
        const size_t segment = places[i % count * all / count];
        KeptItems items = { 0 };
        Buf text = { 0 };
        keep_in(k, segment, lines->count - start, &items, &text);
        kept_items_move(&lines->items, &items, lines->count);
        add_line(lines, &text, segment);
    }
    free(places);
}

static void add_kept_row(RobustLines *lines, RobustRow row, const CorpusWords *words)
{
    static KeptRule *const rules[ROBUST_ROWS] = {
        [ROBUST_NAMES] = kept_names, [ROBUST_NUMBERS] = kept_numbers
    };
    Keeping k = { .lines = lines, .row = row, .words = words, .rule = rules[row] };
    if (row == ROBUST_VERBATIM) {
        k.rule = kept_verbatim_name;
        add_kept(&k, KEPT_LINES / 2);
        k.rule = kept_verbatim_end;
        add_kept(&k, KEPT_LINES / 2);
    } else {
        add_kept(&k, KEPT_LINES);
    }
}

void robust_lines_init(RobustLines *lines, const Segments *segments, const CorpusWords *words,
                       uint64_t seed)
{
    *lines = (RobustLines){ .segments = segments, .seed = seed };
    for (RobustRow row = 0; row < ROBUST_ROWS; row++) {
        if (row == ROBUST_PLAIN) add_plain(lines);
        else if (robust_row_is_kept(row)) add_kept_row(lines, row, words);
        else if (row == ROBUST_JOINED) add_joined(lines);
        else add_altered(lines, row);
        lines->first[row + 1] = lines->count;
    }
}

void robust_lines_free(RobustLines *lines)
{
    for (size_t i = 0; i < lines->count; i++) free((char *)lines->source[i]);
    free(lines->source);
    free(lines->origin);
    kept_items_free(&lines->items);
    *lines = (RobustLines){ 0 };
}
