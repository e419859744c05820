/* examples.h - the training pairs as token ids, computed anew at each visit of a pair.
 *
 * Numbers of words are stored (text/store.h). From them each visit computes its own ids:
 *   - BPE-dropout (Provilkov, Emelianenko and Voita 2020, "BPE-Dropout: Simple and Effective
 *   Subword
 *     Regularization") cuts the words in another way each time;
 *   - copied words: a word that occurs once on either side, as names and numbers do, becomes <unk>
 *   on
 *     both sides with a small probability. So the network learns what the translator needs for
 *     characters it has never seen: to write <unk> where the source has it, which the translator
 *     then replaces by the source's text (Luong et al. 2015, "Addressing the Rare Word Problem in
 *     Neural Machine Translation", section 3.1, the copyable model).
 */
#ifndef ATTN_TRAIN_EXAMPLES_H
#define ATTN_TRAIN_EXAMPLES_H

#include "text/word_pieces.h"
#include "text/store.h"

#include <stdint.h>

/* Sources, as hashes of their words' numbers. Zero-initialise; sources_free releases. */
typedef struct { uint64_t *hash; size_t count, capacity; } Sources;
void sources_add(Sources *sources, const int *words, int count);
void sources_sort(Sources *sources);            /* before sources_hold */
int  sources_hold(const Sources *sources, const int *words, int count);
void sources_free(Sources *sources);

typedef struct {
    int    max_length;          /* most ids per side, <eos> included, without BPE-dropout; longer
                                 * pairs are left out */
    int    truncate;            /* cut longer sides instead; <eos> is lost with the rest, as in the
                                 * textbook */
    double bpe_dropout;         /* share of the possible merges that are left out */
    double copy_words;          /* share of the copied words that become <unk>; unused if tokens are
                                 * whole words */
    const Sources *held_out;    /* pairs with one of these sources are left out; or NULL */
    const Sources *validated;   /* pairs with one of these sources are counted; or NULL. Only
                                 * examples_init reads these two */
} ExampleOptions;

/* How many sentences have each length. */
typedef struct { size_t *count, capacity; } Lengths;

typedef struct { int longest, tokens; } Extent;

/* lengths_largest - the longest sentence, and the tokens of this many longest sentences, at most
 * INT_MAX. */
Extent lengths_largest(const Lengths *lengths, int sentences);

typedef struct {
    PairStore     *store;       /* owned, as `words` is; the tokenizers are borrowed */
    StringTable    words;
    WordPieces     source, target;
    ExampleOptions options;
    unsigned char *copyable;    /* (words.count) the word occurs in both languages, and is more than
                                 * punctuation */
    Ids            source_unknown, target_unknown;     /* what replaces a copied word */
    Lengths        source_lengths, target_lengths;     /* of the pairs, in ids without
                                                        * BPE-dropout */
    size_t         count;       /* pairs */
    long           held_out;    /* pairs left out because of their source */
    long           dropped;     /* pairs left out because of their length */
    size_t         validated;   /* pairs of `count` with a source of options.validated */
} Examples;

/* examples_init - takes over `store`, to which all pairs have been added, and `words`. -1: the file
 * of the store cannot be written. examples_free - also after a failure. */
int  examples_init(Examples *x, PairStore *store, StringTable *words, const Tokenizer *source,
                   const Tokenizer *target, const ExampleOptions *options, Err *e);
void examples_free(Examples *x);

/* examples_lengths - the numbers of ids of a pair without BPE-dropout, <eos> included. */
void examples_lengths(const Examples *x, const Record *pair, int *source, int *target);

/* examples_add - appends the ids of both sides, which end in <eos>; `key` (base/rng.h) is that of
 * this visit. */
void examples_add(const Examples *x, const Record *pair, uint64_t key, Ids *source, Ids *target);

#endif
