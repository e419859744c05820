/* phrases.h - parts of a sentence pair that translate each other: hot dog / hot-dog.
 *
 * A phrase pair is consistent with the alignment of its words: no word of it is aligned with one
 * outside (Och and Ney 2004, "The Alignment Template Approach to Statistical Machine Translation";
 * Koehn, Och and Marcu 2003, "Statistical Phrase-Based Translation"). Here each of its words is
 * aligned besides, and for the first and the last word of both sides either direction finds the
 * same link, which leaves fewer and better ones.
 *
 * The alignment is learned from a sample of the training pairs, whose words are compared in their
 * usual case (train/data/word_forms.h).
 */
#ifndef ATTN_TRAIN_PHRASES_H
#define ATTN_TRAIN_PHRASES_H

#include "train/data/word_forms.h"

#include <stdint.h>

/* ---- Which words of a pair translate each other, learned from pairs alone ----
 *
 * IBM's second model (Brown, Della Pietra, Della Pietra and Mercer 1993, "The Mathematics of
 * Statistical Machine Translation: Parameter Estimation", section 4.2) with the prior of Dyer,
 * Chahuneau and Smith 2013, "A Simple, Fast, and Effective Reparameterization of IBM Model 2",
 * equations 1 and 2: word j of m comes from word i of n with a probability of
 *     p(i | j, n, m) = p0 where i is none, else (1 - p0) exp(-lambda d) / Z
 *     p(word j, i) = p(i | j, n, m) t(word j | word i)
 * d = |(i + 1/2) / n - (j + 1/2) / m|, i and j from 0 on, rounded down to 1/256. t is learned by
 * plain expectation maximisation; p0 = 0.08 and lambda = 4, with which their program begins, stay.
 * Either language is aligned with the other, each by a model of its own.
 *
 * Words are numbers from 0 on. What an aligner gives depends on the pairs and their order alone.
 */

/* Longer sides are neither learned from nor aligned. */
enum { ALIGNER_LONGEST = 64 };

/* An even sample of pairs that come one by one, however many there are: every k-th, where k doubles
 * each time the sample is full and every second of it is dropped. What fills it is the work that
 * the aligner has with it: source words times target words. Where k is not 1, a corpus whose pairs
 * alternate loses those of one kind. Zero-initialise; pair_sample_free releases. */
typedef struct {
    Shard  pairs;                       /* shard_record(&pairs, i) is number i of the sample */
    size_t used, capacity, start_capacity;
    size_t word_pairs;                  /* source words times target words, of all */
    size_t seen, step;                  /* pairs that came; k, 0 before the first */
} PairSample;

/* pair_sample_add - copies the pair if it is of the sample, which has at most so many word pairs,
 * but for a single pair that has more. Pairs with an empty or too long side are ignored. */
void pair_sample_add(PairSample *s, const Record *pair, size_t most);
void pair_sample_free(PairSample *s);

/* aligner_takes - whether no side is empty or too long. */
int aligner_takes(const Record *pair);

typedef struct Aligner Aligner;

/* aligner_learn - from these pairs, which pair_sample_add took; in one thread if workers is 1. */
Aligner *aligner_learn(const Shard *pairs, int workers);
void     aligner_free(Aligner *a);

/* The most probable alignment of a pair, in either direction. */
typedef struct {
    int source[ALIGNER_LONGEST];    /* of each word of the source, the target's word; -1: none */
    int target[ALIGNER_LONGEST];    /* of each word of the target, the source's word; -1: none */
} WordAlignment;

/* aligner_align - returns whether it can: aligner_takes the pair, and something was learned. */
int aligner_align(const Aligner *a, const Record *pair, WordAlignment *alignment);

/* ---- Phrases ---- */

/* Where a word may stand in a phrase. */
typedef enum {
    PHRASE_ANYWHERE,
    PHRASE_NOT_FIRST,           /* written on to the word before it, and never parted from it */
    PHRASE_FINAL                /* a mark: only where both sentences end */
} PhrasePlace;

/* phrase_draw - one phrase pair of an aligned pair, at random; of two draws the longer one. source,
 * target: PhrasePlace of each word. Returns whether the pair has one, whose source is not the whole
 * sentence, with its final mark or without; `phrase` points into the pair then. */
int phrase_draw(const Record *pair, const WordAlignment *alignment, const unsigned char *source,
                const unsigned char *target, uint64_t key, Record *phrase);

typedef struct PhraseExtractor PhraseExtractor;

/* phrase_extractor_new - learns to align from a sample, whose words become those that are aligned;
 * words: of all pairs, borrowed; in one thread if workers is 1.
 * phrase_extractor_draw - as phrase_draw. One thread at a time may ask. */
PhraseExtractor *phrase_extractor_new(const WordForms *words, const Shard *sample, int workers);
int              phrase_extractor_draw(PhraseExtractor *x, const Record *pair, uint64_t key,
                                       Record *phrase);
void             phrase_extractor_free(PhraseExtractor *x);

#endif
