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
