/* examples.h - the training pairs as token ids, computed anew at each visit of a pair.
 *
 * Numbers of words are stored (text/corpus/store.h). From them each visit computes its own ids:
 *   - words in their usual case (train/data/word_forms.h);
 *   - copies (text/copies.h): what text/mask.h proposes of the source, and the target has too,
 *     becomes a placeholder on both; so does what it would propose if the lexicon lacked it, with a
 *     small probability. Without placeholders it becomes <unk> with that probability (Luong et al.
 *     2015, "Addressing the Rare Word Problem in Neural Machine Translation", section 3.1, the
 *     copyable model);
 *   - noise on the source alone (text/noise.h), as people type: a typing error in one word; no
 *     final mark; no accents. The target stays, so that the network learns to repair;
 *   - phrases: a part of some pairs in place of the whole (train/data/phrases.h), since people type
 *     the red one and a cup of tea, and corpora have sentences;
 *   - BPE-dropout (Provilkov, Emelianenko and Voita 2020, "BPE-Dropout: Simple and Effective
 *     Subword Regularization") cuts the words in another way each time;
 *   - where both directions are learned, half of the visits swap the sides (Ding, Wu and Tao 2021,
 *     "Improving Neural Machine Translation by Bidirectional Training"): the noise is then on what
 *     was the target;
 *   - a network that writes from right to left (search/search.h) learns targets in that order.
 */
#ifndef ATTN_TRAIN_EXAMPLES_H
#define ATTN_TRAIN_EXAMPLES_H

#include "base/hash.h"
#include "model/batch.h"
#include "text/corpus/store.h"
#include "text/tokenizer/tokenizer.h"
#include "train/data/phrases.h"
#include "train/data/word_forms.h"
#include "train/update/processes.h"

#include <stdint.h>

/* ---- How many sentences, and pairs, have each length, in tokens with <eos> ---- */

/* The sentences of each length. Zero-initialise; lengths_free releases. */
typedef struct { double *count; size_t capacity; } Lengths;

typedef struct { int longest, tokens; } Extent;

/* lengths_add - a sentence.
 * lengths_sum - makes the counts of one process those of all. Collective.
 * lengths_largest - the longest sentence, and the tokens of this many longest sentences, at most
 * INT_MAX. */
void   lengths_add(Lengths *l, int length);
void   lengths_sum(Lengths *l, Processes *processes);
Extent lengths_largest(const Lengths *l, int sentences);
void   lengths_free(Lengths *l);

/* The pairs by the lengths of both sides: counts (PAIR_LENGTHS_SIDE, PAIR_LENGTHS_SIDE), source and
 * target. Those with a longer side are not counted. */
enum { PAIR_LENGTHS_SIDE = 501, PAIR_LENGTHS_CELLS = PAIR_LENGTHS_SIDE * PAIR_LENGTHS_SIDE };

/* pair_lengths_limit - the mean ratio and the 99.9 % quantile of what is beyond it; *longest: the
 * most tokens that 99 % of the sources have. Nothing and 0 without pairs. */
void        pair_lengths_add(double *counts, int source, int target);
LengthLimit pair_lengths_limit(const double *counts, int *longest);

/* ---- The pairs ---- */

typedef struct {
    int    max_length;          /* most ids per side, <eos> included, without BPE-dropout; longer
                                 * pairs are left out */
    int    truncate;            /* cut longer sides instead; <eos> is lost with the rest, as in the
                                 * textbook */
    double bpe_dropout;         /* share of the possible merges that are left out */
    double copy_words;          /* share of the known copies that become placeholders; unused if
                                 * tokens are whole words */
    double noise;               /* share of the sources that each kind of noise alters */
    int    both_directions;     /* visits may swap the sides, which have one vocabulary */
    double phrases;             /* share of the visits that show a phrase of the pair instead */
    Processes *processes;       /* each holds its share of the pairs; NULL: this one holds all */
    /* Only examples_init reads these; each set, and the sample, may be NULL. */
    HashSet *held_out;          /* pairs with one of these sources (source_hash) are left out */
    HashSet *validated;         /* pairs with one of these sources are counted */
    Shard   *sample;            /* of the pairs of all processes, to learn to find phrases from; it
                                 * is used up */
    int    workers;             /* 1: one thread for that; else more */
} ExampleOptions;

/* source_hash - of the words' numbers. Two different sources have the same one with a probability
 * of 2^-64. */
uint64_t source_hash(const int *words, int count);

typedef struct ExampleScratch ExampleScratch;

typedef struct {
    PairStore       *store;     /* this process's share; owned, as `words` is. The tokenizers are
                                 * borrowed */
    WordForms        words;
    WordPieces       pieces[LANGUAGES];
    PhraseExtractor *phrases;   /* NULL: there are none */
    ExampleOptions   options;
    int              joiner[LANGUAGES];         /* the id of U+FFED (text/words.h) */
    ExampleScratch  *scratch;   /* of one visit: one thread at a time may ask */
    Lengths          lengths[LANGUAGES], longer_lengths;    /* of all pairs, and of the longer side
                                 * of each, in ids without BPE-dropout */
    LengthLimit      length_limit;      /* of translations, by the lengths of these pairs */
    int              longest;   /* Model.longest */
    size_t           count;     /* pairs of all processes */
    long             held_out;  /* pairs left out because of their source */
    long             dropped;   /* pairs left out because of their length */
    size_t           validated; /* pairs of `count` with a source of options.validated */
} Examples;

/* examples_init - takes over `store`, to which all pairs have been added, and `words`. -1: the file
 * of the store cannot be written. Collective. examples_free - also after a failure. */
int  examples_init(Examples *x, PairStore *store, WordForms *words, const Tokenizer *source,
                   const Tokenizer *target, const ExampleOptions *options, Err *e);
void examples_free(Examples *x);

/* examples_lengths - the numbers of ids of a pair without BPE-dropout, copies and noise, <eos>
 * included. */
void examples_lengths(const Examples *x, const Record *pair, int *source, int *target);

typedef struct {
    uint64_t key;               /* of this visit (base/random/rng.h) */
    int      both_directions;   /* half of such visits swap the sides, if the options allow it */
    int      right_left;        /* the target is learned from right to left */
} Visit;

/* examples_add - appends the ids of both sides, which end in <eos>. */
void examples_add(const Examples *x, const Record *pair, Visit visit, Ids *source, Ids *target);

#endif
