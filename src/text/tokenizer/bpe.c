/* bpe.c - the table of merges; a word into parts, step by step, with noise or without. */
#include "text/tokenizer/bpe.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* ---- Merges ---- */

int merges_add(Merges *m, Pair pair)
{
    size_t rank = m->pairs.count;
    if ((size_t)string_table_add(&m->pairs, (Slice){ (const char *)&pair, sizeof pair }) < rank) return -1;
    m->product = grow(m->product, &m->capacity, rank + 1, sizeof *m->product);
    const Slice left = string_table_at(&m->symbols, pair.left), right = string_table_at(&m->symbols, pair.right);
    Buf text = { 0 };
    buf_add(&text, left.text, left.length);
    buf_add(&text, right.text, right.length);
    m->product[rank] = string_table_add(&m->symbols, buf_slice(&text));
    buf_free(&text);
    return 0;
}

int merges_add_text(Merges *m, Slice left, Slice right)
{
    const int first = string_table_add(&m->symbols, left);
    return merges_add(m, (Pair){ first, string_table_add(&m->symbols, right) });
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
    return left < 0 || right < 0 ? -1 : string_table_find(&m->pairs, (Slice){ (const char *)&pair, sizeof pair });
}

void merges_copy(Merges *to, const Merges *from)
{
    for (size_t rank = 0; rank < from->pairs.count; rank++) {
        const Pair pair = merges_pair(from, rank);
        merges_add_text(to, string_table_at(&from->symbols, pair.left), string_table_at(&from->symbols, pair.right));
    }
}

void merges_line(const Merges *m, size_t rank, Buf *out)
{
    Pair pair = merges_pair(m, rank);
    buf_puts(out, string_table_text(&m->symbols, pair.left));
    buf_putc(out, ' ');
    buf_puts(out, string_table_text(&m->symbols, pair.right));
}

void merges_free(Merges *m)
{
    string_table_free(&m->symbols);
    string_table_free(&m->pairs);
    xfree(m->product);
    *m = (Merges){ 0 };
}

int symbol_valid(Slice text)
{
    if (!text.length || !unicode_valid(text.text, text.length)) return 0;
    for (const char *at = text.text, *end = at + text.length; at < end;) {
        const int32_t point = unicode_next(&at);
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

void bpe_segment(const Merges *merges, Slice text, const BpeNoise *noise, BpeWord *word)
{
    Draws draws = draws_of(noise);
    word->count = 0;
    for (const char *at = text.text, *end = at + text.length; at < end;) {
        const int symbol = string_table_find(&merges->symbols, unicode_character(&at));
        word->part = grow(word->part, &word->capacity, word->count + 1, sizeof *word->part);
        word->part[word->count++] = (BpePart){ .symbol = symbol, .rank = STALE, .end = (size_t)(at - text.text) };
    }
    refresh_ranks(merges, word);
    for (int rank; (rank = choose(word, &draws)) != NONE; refresh_ranks(merges, word))
        apply(merges, word, rank);
}

void bpe_word_free(BpeWord *word)
{
    xfree(word->part);
    *word = (BpeWord){ 0 };
}
