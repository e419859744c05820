/* phrases.h - parts of a sentence pair that translate each other: hot dog / hot-dog.
 *
 * A phrase pair is consistent with the alignment of its words: no word of it is aligned with one
 * outside (Och and Ney 2004, "The Alignment Template Approach to Statistical Machine Translation";
 * Koehn, Och and Marcu 2003, "Statistical Phrase-Based Translation"). Here each of its words is
 * aligned besides, and for the first and the last word of both sides either direction finds the
 * same link, which leaves fewer and better ones.
 *
 * The alignment (train/data/aligner.h) is learned from a sample of the training pairs, whose words
 * are compared in their usual case (train/data/word_forms.h).
 */
#ifndef ATTN_TRAIN_PHRASES_H
#define ATTN_TRAIN_PHRASES_H

#include "train/data/aligner.h"
#include "train/data/word_forms.h"

#include <stdint.h>

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
 * but for a single pair that has more. */
void pair_sample_add(PairSample *s, const Record *pair, size_t most);
void pair_sample_free(PairSample *s);

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

/* phrase_extractor_new - words: of the pairs, borrowed.
 * phrase_extractor_add - a pair to learn to align from.
 * phrase_extractor_learn - once, in one thread if workers is 1.
 * phrase_extractor_draw - as phrase_draw. One thread at a time may ask. */
PhraseExtractor *phrase_extractor_new(const WordForms *words);
void             phrase_extractor_add(PhraseExtractor *x, const Record *pair);
void             phrase_extractor_learn(PhraseExtractor *x, int workers);
int              phrase_extractor_draw(PhraseExtractor *x, const Record *pair, uint64_t key,
                                       Record *phrase);
void             phrase_extractor_free(PhraseExtractor *x);

#endif
