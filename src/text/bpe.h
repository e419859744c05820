/* bpe.h - byte-pair encoding: words as sequences of symbols, in which frequent neighbours are merged.
 *
 * Source: Sennrich, Haddow and Birch (2016), "Neural Machine Translation of Rare Words with Subword Units",
 * Algorithm 1: start from characters; again and again merge the most frequent pair of neighbours into a new symbol.
 * Symbols are ids of a vocabulary that grows by what the merges make. A negative id is a character that the
 * vocabulary doesn't hold: it never merges.
 */
#ifndef ATTN_TEXT_BPE_H
#define ATTN_TEXT_BPE_H

#include "text/lexicon.h"

#include <stddef.h>

typedef struct { int left, right; } Pair;

/* Merges in the order they were learned, which is the order they are applied in. Zero-initialise. */
typedef struct {
    Lexicon pairs;              /* each string is a Pair; its id is the rank */
    int    *product;            /* (pairs.count) what the pair becomes */
    size_t  capacity;
} Bpe;

/* The distinct words of a text as symbols. */
typedef struct {
    int        *symbol;         /* all words, one after another; bpe_learn merges them in place */
    size_t     *start;          /* (count) where each word starts in `symbol` */
    int        *length;         /* (count) */
    const long *frequency;      /* (count) */
    size_t      count;
} BpeText;

/* bpe_learn - appends merges, and their products to the vocabulary until it has `limit` entries or no pair is left
 * that occurs twice. Of equally frequent pairs the one with the lower ids goes first. */
void bpe_learn(Bpe *bpe, Lexicon *vocabulary, size_t limit, BpeText *text);

/* bpe_add - appends one merge; -1 if the pair is there already. */
int bpe_add(Bpe *bpe, Pair pair, int product);

size_t bpe_count(const Bpe *bpe);
Pair   bpe_pair(const Bpe *bpe, size_t rank);

/* bpe_apply - merges the symbols of one word in place and returns how many are left. Takes time quadratic in `length`:
 * words are short. */
int bpe_apply(const Bpe *bpe, int *symbol, int length);

void bpe_free(Bpe *bpe);

#endif
