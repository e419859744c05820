/* bpe.h - byte-pair encoding: a word is a sequence of symbols, in which frequent neighbours are
 * merged.
 *
 * Source: Sennrich, Haddow and Birch (2016), "Neural Machine Translation of Rare Words with Subword
 * Units", Algorithm 1: start from characters; again and again merge the most frequent pair of
 * neighbours into a new symbol. A symbol is a character, or what merges made of characters; a negative one is a character
 * that is not in the table: it never merges. The rank of a merge is its place in the list.
 */
#ifndef ATTN_TEXT_TOKENIZER_BPE_H
#define ATTN_TEXT_TOKENIZER_BPE_H

#include "base/buf.h"
#include "base/error.h"
#include "text/string_table.h"

#include <stddef.h>
#include <stdint.h>

/* A growing list of ids; zero-initialise, ids_free releases. ids_reserve - makes space for so many in all. */
typedef struct { int *id; size_t count, capacity; } Ids;
void ids_add(Ids *ids, int id);
void ids_reserve(Ids *ids, size_t count);
void ids_free(Ids *ids);

/* ---- Merges ---- */

typedef struct { int left, right; } Pair;

/* Zero-initialise; merges_free releases. */
typedef struct {
    StringTable symbols;        /* every symbol that a merge takes or makes, perhaps others */
    StringTable pairs;          /* each string is a Pair of symbols; its id is the rank */
    int        *product;        /* (pairs.count) the symbol that the pair becomes */
    size_t      capacity;
} Merges;

/* merges_add, merges_add_text - append a merge of two symbols by their ids, or by their text; -1 if
 * the pair is there already. */
int merges_add(Merges *m, Pair pair);
int merges_add_text(Merges *m, Slice left, Slice right);

Pair merges_pair(const Merges *m, size_t rank);

/* symbol_valid - whether a text can be a symbol: not empty, valid UTF-8, without U+0020 and
 * controls. */
int symbol_valid(Slice text);

void merges_copy(Merges *to, const Merges *from);       /* into a zero-initialised table */
void merges_free(Merges *m);

/* ---- Learning ---- */

/* The distinct words of a text as symbols. */
typedef struct {
    int        *symbol;         /* all words, one after another; bpe_learn merges them in place */
    size_t     *start;          /* (count) where each word starts in `symbol` */
    int        *length;         /* (count) */
    const long *frequency;      /* (count) */
    size_t      count;
} BpeText;

/* bpe_learn - appends at most `most` merges, until no pair is left that occurs twice. Of equally
 * frequent pairs the one with the lower left symbol goes first, then the one with the lower right
 * symbol, by their bytes: so neither the order of the words nor that of the symbols matters. */
void bpe_learn(Merges *merges, size_t most, BpeText *text);

/* ---- Applying ---- */

/* BPE-dropout (Provilkov, Emelianenko and Voita 2020, "BPE-Dropout: Simple and Effective Subword
 * Regularization", Algorithm 1): each possible merge at each of its places is dropped with
 * probability p at each step. */
typedef struct {
    uint64_t key;               /* of base/random/rng.h */
    uint64_t word;              /* below 2^44: number of the word in that stream; equal numbers give
                                   equal noise */
    double   p;                 /* 0: no noise, 1: characters */
} BpeNoise;

/* A part of a word while it is merged. */
typedef struct {
    int    symbol;
    int    rank;                /* of the merge with the next part, or none */
    int    chosen;              /* the same, or none if noise dropped it at this step */
    size_t end;                 /* where the part ends in the word, in bytes */
} BpePart;

/* A word in parts, which follow each other from the first byte to the last. Zero-initialise;
 * bpe_word_free releases. */
typedef struct {
    BpePart *part;
    size_t   count, capacity;
} BpeWord;

/* bpe_segment - replaces `word` by the parts of a text, which is valid UTF-8 and not empty. noise
 * may be NULL. The time is quadratic in the length at worst: words are short. */
void bpe_segment(const Merges *merges, Slice text, const BpeNoise *noise, BpeWord *word);
void bpe_word_free(BpeWord *word);

#endif
