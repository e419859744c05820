/* bpe.c - the table of merges; a word into parts, step by step, with noise or without; the table as subword-nmt's file. */
#include "text/tokenizer/bpe.h"

#include "base/files/lines.h"
#include "base/mem.h"
#include "base/random/rng.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- Merges ---- */

int merges_add(Merges *m, Pair pair)
{
    size_t rank = m->pairs.count;
    if ((size_t)string_table_add(&m->pairs, &pair, sizeof pair) < rank) return -1;
    m->product = grow(m->product, &m->capacity, rank + 1, sizeof *m->product);
    const Slice left = string_table_at(&m->symbols, pair.left), right = string_table_at(&m->symbols, pair.right);
    Buf text = { 0 };
    buf_add(&text, left.text, left.length);
    buf_add(&text, right.text, right.length);
    if (strstr(text.text, WORD_MARK)) m->marked = 1;
    m->product[rank] = string_table_add(&m->symbols, text.text, text.length);
    buf_free(&text);
    return 0;
}

int merges_add_text(Merges *m, const char *left, size_t left_length, const char *right,
                    size_t right_length)
{
    int first = string_table_add(&m->symbols, left, left_length);
    return merges_add(m, (Pair){ first, string_table_add(&m->symbols, right, right_length) });
}

Pair merges_pair(const Merges *m, size_t rank)
{
    Pair pair;
    memcpy(&pair, string_table_text(&m->pairs, (int)rank), sizeof pair);
    return pair;
}

int merges_rank(const Merges *m, int left, int right)
{
    Pair pair = { left, right };
    return left < 0 || right < 0 ? -1 : string_table_find(&m->pairs, &pair, sizeof pair);
}

void merges_copy(Merges *to, const Merges *from)
{
    to->end = from->end;
    for (size_t rank = 0; rank < from->pairs.count; rank++) {
        const Pair pair = merges_pair(from, rank);
        const Slice left = string_table_at(&from->symbols, pair.left), right = string_table_at(&from->symbols, pair.right);
        merges_add_text(to, left.text, left.length, right.text, right.length);
    }
}

void merges_free(Merges *m)
{
    string_table_free(&m->symbols);
    string_table_free(&m->pairs);
    xfree(m->product);
    *m = (Merges){ 0 };
}

int symbol_valid(const char *text, size_t length)
{
    if (!length || !unicode_valid(text, length)) return 0;
    for (const char *at = text; at < text + length;) {
        int32_t point = unicode_next(&at);
        if (point == ' ' || unicode_is_control(point)) return 0;
    }
    return 1;
}

/* ---- A word into parts ---- */

enum { NONE = -1, STALE = -2 };     /* ranks: doesn't merge; to be looked up */

/* The numbers that noise draws for one word: four values share one 64-bit random number, and 2^20
 * numbers serve each word. */
enum { LANE_BITS = 16, LANES = 4, WORD_SHIFT = 20 };

typedef struct {
    uint64_t key, counter, bits;
    int      left;              /* lanes of `bits` that were not drawn */
    unsigned dropped;           /* a value below it drops */
} Draws;

static Draws draws_of(const BpeNoise *noise)
{
    if (!noise) return (Draws){ .dropped = 0 };
    return (Draws){ .key = noise->key, .counter = noise->word << WORD_SHIFT,
                    .dropped = (unsigned)(noise->p * (1 << LANE_BITS) + 0.5) };
}

static int drops(Draws *d)
{
    if (!d->left) {
        d->bits = rng_bits(d->key, d->counter++);
        d->left = LANES;
    }
    unsigned value = d->bits & 0xffff;
    d->bits >>= LANE_BITS;
    d->left--;
    return value < d->dropped;
}

static void add_part(BpeWord *word, int symbol, size_t end)
{
    word->part = grow(word->part, &word->capacity, word->count + 1, sizeof *word->part);
    word->part[word->count++] = (BpePart){ .symbol = symbol, .rank = STALE, .end = end };
}

/* The last character and the end of the word as one symbol, or -1. */
static int attached_symbol(const Merges *merges, const char *character, size_t length)
{
    char text[8 + WORD_END_LENGTH];
    memcpy(text, character, length);
    memcpy(text + length, WORD_END, WORD_END_LENGTH);
    return string_table_find(&merges->symbols, text, length + WORD_END_LENGTH);
}

/* A part for each character from `at` on, and what the merges want at the end of a word. */
static void add_characters(const Merges *merges, const char *text, const char *at, size_t length,
                           BpeWord *word)
{
    for (const char *end = text + length; at < end;) {
        const char *character = at;
        unicode_next(&at);
        size_t bytes = (size_t)(at - character);
        int last = at == end && merges->end == WORD_END_ATTACHED;
        int symbol = last ? attached_symbol(merges, character, bytes)
                          : string_table_find(&merges->symbols, character, bytes);
        add_part(word, symbol, (size_t)(at - text));
    }
    if (merges->end == WORD_END_SEPARATE)
        add_part(word, string_table_find(&merges->symbols, WORD_END, WORD_END_LENGTH), length);
}

static void refresh_ranks(const Merges *merges, BpeWord *word)
{
    BpePart *part = word->part;
    for (size_t i = 0; i + 1 < word->count; i++)
        if (part[i].rank == STALE)
            part[i].rank = merges_rank(merges, part[i].symbol, part[i + 1].symbol);
    part[word->count - 1].rank = NONE;
}

/* The lowest rank of the merges that are possible at this step, or NONE. */
static int choose(BpeWord *word, Draws *draws)
{
    int best = NONE;
    for (size_t i = 0; i < word->count; i++) {
        BpePart *p = &word->part[i];
        p->chosen = p->rank != NONE && draws->dropped && drops(draws) ? NONE : p->rank;
        if (p->chosen != NONE && (best == NONE || p->chosen < best)) best = p->chosen;
    }
    return best;
}

/* Merges at all places where this rank was chosen, from left to right. */
static void apply(const Merges *merges, BpeWord *word, int rank)
{
    BpePart *part = word->part;
    size_t to = 0;
    for (size_t from = 0; from < word->count; to++) {
        int found = part[from].chosen == rank;
        if (found && to) part[to - 1].rank = STALE;
        part[to] = part[from + (size_t)found];
        if (found) part[to].symbol = merges->product[rank], part[to].rank = STALE;
        from += found ? 2 : 1;
    }
    word->count = to;
}

void bpe_segment(const Merges *merges, const char *text, size_t length, const BpeNoise *noise,
                 BpeWord *word)
{
    int apart = merges->end != WORD_END_NONE && !merges->marked && length > WORD_MARK_LENGTH &&
                memcmp(text, WORD_MARK, WORD_MARK_LENGTH) == 0;
    Draws draws = draws_of(noise);
    word->count = 0;
    add_characters(merges, text, apart ? text + WORD_MARK_LENGTH : text, length, word);
    refresh_ranks(merges, word);
    for (int rank; (rank = choose(word, &draws)) != NONE; refresh_ranks(merges, word))
        apply(merges, word, rank);
    const int end_alone = word->count > 1 && word->part[word->count - 2].end == length;
    if (end_alone) word->count--;       /* the symbol of the word's end is no piece */
}

void bpe_word_free(BpeWord *word)
{
    xfree(word->part);
    *word = (BpeWord){ 0 };
}

/* ---- The file ---- */

#define VERSION "#version:"

static int read_version(Merges *m, const char *version, long line, Err *e)
{
    const int is_first = !strcmp(version, "0.1");
    if (!is_first && strcmp(version, "0.2"))
        return err(e, "version '%.60s' of subword-nmt's codes is not known; 0.1 and 0.2 are", version);
    if (line > 1)
        return err(e, "a version belongs into the first line; give one file of codes, not several "
                   "in one");
    m->end = is_first ? WORD_END_SEPARATE : WORD_END_ATTACHED;
    return 0;
}

static int read_merge(Merges *m, const char *line, size_t length, Err *e)
{
    const char *blank = memchr(line, ' ', length), *right = blank ? blank + 1 : line + length;
    size_t left_length = blank ? (size_t)(blank - line) : 0;
    size_t right_length = (size_t)(line + length - right);
    if (!symbol_valid(line, left_length) || !symbol_valid(right, right_length))
        return err(e, "'%.60s' is not a merge, two symbols with a blank between them; give a file "
                   "of codes that subword-nmt or attn info --merges wrote", line);
    merges_add_text(m, line, left_length, right, right_length);
    return 0;
}

static int read_line(Merges *m, char *line, size_t length, long number, Err *e)
{
    const size_t prefix = strlen(VERSION);
    for (; length && *line == ' '; length--)
        line++;
    while (length && line[length - 1] == ' ')
        length--;
    line[length] = '\0';
    /* Behind the first line "#version: x" is a merge, for a text may hold that word, unless it is a version for sure. */
    if (!strncmp(line, VERSION, prefix)) {
        const char *version = line + prefix + strspn(line + prefix, " ");
        if (number == 1 || !strcmp(version, "0.1") || !strcmp(version, "0.2")) return read_version(m, version, number, e);
    }
    return length ? read_merge(m, line, length, e) : 0;
}

static int read_lines(Merges *m, Lines *lines, Err *e)
{
    char *line;
    size_t length;
    int more;
    Err why;
    m->end = WORD_END_SEPARATE;
    while ((more = lines_next(lines, &line, &length, e)) > 0)
        if (read_line(m, line, length, lines_number(lines), &why))
            return err(e, "%s:%ld: %s", lines_name(lines), lines_number(lines), why.text);
    if (more < 0) return -1;
    return m->pairs.count ? 0 : err(e, "%s: no merges in it", lines_name(lines));
}

int merges_read(Merges *m, const char *path, Err *e)
{
    Lines *lines = lines_open(path, e);
    if (!lines) return -1;
    int failed = read_lines(m, lines, e);
    lines_close(lines);
    if (failed) merges_free(m);
    return failed;
}

void merges_line(const Merges *m, size_t rank, Buf *out)
{
    Pair pair = merges_pair(m, rank);
    buf_puts(out, string_table_text(&m->symbols, pair.left));
    buf_putc(out, ' ');
    buf_puts(out, string_table_text(&m->symbols, pair.right));
}

void merges_write(const Merges *m, Buf *out)
{
    buf_printf(out, VERSION " %s\n", m->end == WORD_END_ATTACHED ? "0.2" : "0.1");
    for (size_t rank = 0; rank < m->pairs.count; rank++) {
        merges_line(m, rank, out);
        buf_putc(out, '\n');
    }
}
