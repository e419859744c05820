/* examples.h - the training pairs as token ids, made anew each time a pair is seen.
 *
 * What is stored are the numbers of words (text/store.h). From them each visit makes its own ids:
 *   - BPE-dropout (Provilkov, Emelianenko and Voita 2020, "BPE-Dropout: Simple and Effective Subword Regularization")
 *     cuts the words in another way each time;
 *   - copied words: a word that stands once on either side, as names and numbers do, becomes <unk> on both sides with a
 *     small probability. So the network learns what the translator needs for characters it never saw: to write <unk>
 *     where the source has it, which the translator then replaces by the source's text (Luong et al. 2015, "Addressing
 *     the Rare Word Problem in Neural Machine Translation", section 3.1, the copyable model).
 */
#ifndef ATTN_TRAIN_EXAMPLES_H
#define ATTN_TRAIN_EXAMPLES_H

#include "text/word_pieces.h"
#include "text/store.h"

#include <stdint.h>

/* Sources, as hashes of their words' numbers. Zero-initialise; sources_free releases. */
typedef struct { uint64_t *hash; size_t count, capacity; } Sources;
void sources_add(Sources *sources, const int *words, int count);
void sources_sort(Sources *sources);                                            /* before they are asked */
int  sources_hold(const Sources *sources, const int *words, int count);
void sources_free(Sources *sources);

typedef struct {
    int    max_length;          /* most ids a side, <eos> included and without dropout; longer pairs are left out, */
    int    truncate;            /* or cut to so many, <eos> lost with the rest, as the textbook does */
    double bpe_dropout;         /* share of the possible merges that is left out */
    double copy_words;          /* share of the copied words that becomes <unk>; not for whole words as tokens */
    const Sources *held_out;    /* pairs with one of these sources are left out, */
    const Sources *validated;   /* and those with one of these counted; both read by examples_init alone; or NULL */
} ExampleOptions;

/* How many sentences have each length. */
typedef struct { size_t *count, capacity; } Lengths;

typedef struct { int longest, tokens; } Extent;

/* lengths_largest - of the so many longest sentences: the first of them, and all. Tokens beyond INT_MAX are INT_MAX. */
Extent lengths_largest(const Lengths *lengths, int sentences);

typedef struct {
    PairStore     *store;       /* owned, as the table of words is; the tokenizers are borrowed */
    StringTable        words;
    WordPieces   source, target;
    ExampleOptions options;
    unsigned char *copyable;    /* (words.count) the word occurs in both languages, and is more than punctuation */
    Ids            source_unknown, target_unknown;     /* what stands for a copied word */
    Lengths        source_lengths, target_lengths;     /* of the pairs, in ids without dropout */
    size_t         count;       /* pairs */
    long           held_out;    /* pairs left out because of their source, */
    long           dropped;     /* and because of their length */
    size_t         validated;   /* of `count`, those with a source of options.validated */
} Examples;

/* examples_init - takes over `store`, to which all pairs have been added, and `words`. -1: the store's file can't be
 * written. examples_free releases, whatever failed. */
int  examples_init(Examples *x, PairStore *store, StringTable *words, const Tokenizer *source, const Tokenizer *target,
                   const ExampleOptions *options, Err *e);
void examples_free(Examples *x);

/* examples_lengths - ids of a pair without dropout, <eos> included. */
void examples_lengths(const Examples *x, const Record *pair, int *source, int *target);

/* examples_add - appends the ids of both sides, which end in <eos>; `key` (base/rng.h) is this visit's. */
void examples_add(const Examples *x, const Record *pair, uint64_t key, Ids *source, Ids *target);

#endif
