/* phrases.h - parts of a sentence pair that translate each other: hot dog / hot-dog.
 *
 * A phrase pair is consistent with the alignment of its words: no word of it is aligned with one
 * outside (Och and Ney 2004, "The Alignment Template Approach to Statistical Machine Translation";
 * Koehn, Och and Marcu 2003, "Statistical Phrase-Based Translation"). Here each of its words is
 * aligned besides, and for the first and the last word of both sides either direction finds the same
 * link, which leaves fewer and better ones.
 */
#ifndef ATTN_TRAIN_PHRASES_H
#define ATTN_TRAIN_PHRASES_H

#include "train/data/aligner.h"

#include <stdint.h>

/* Where a word may stand in a phrase. */
typedef enum {
    PHRASE_ANYWHERE,
    PHRASE_NOT_FIRST,           /* written on to the word before it, from which no phrase parts it */
    PHRASE_FINAL                /* a mark: only where both sentences end */
} PhrasePlace;

/* phrase_draw - one phrase pair of an aligned pair, at random; of two draws the longer one. source,
 * target: PhrasePlace of each word. Returns whether the pair has one, whose source
 * is not the whole sentence, with its final mark or without; `phrase` points into the pair then. */
int phrase_draw(const Record *pair, const WordAlignment *alignment, const unsigned char *source,
                const unsigned char *target, uint64_t key, Record *phrase);

#endif
