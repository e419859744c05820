/* bpe.c - a word into parts: merges applied step by step, with noise or without. */
#include "text/tokenizer/bpe.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

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
