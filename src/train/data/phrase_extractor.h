/* phrase_extractor.h - phrase pairs of training pairs, whose words it aligns in their usual case
 * (train/data/word_forms.h).
 */
#ifndef ATTN_TRAIN_PHRASE_EXTRACTOR_H
#define ATTN_TRAIN_PHRASE_EXTRACTOR_H

#include "train/data/phrases.h"
#include "train/data/word_forms.h"

typedef struct PhraseExtractor PhraseExtractor;

/* phrase_extractor_new - words: of the pairs, borrowed. */
PhraseExtractor *phrase_extractor_new(const WordForms *words);
void             phrase_extractor_free(PhraseExtractor *x);

/* phrase_extractor_add - a pair to learn to align from. phrase_extractor_learn - once, in one
 * thread if workers is 1. */
void phrase_extractor_add(PhraseExtractor *x, const Record *pair);
void phrase_extractor_learn(PhraseExtractor *x, int workers);

/* phrase_extractor_draw - one phrase pair (phrase_draw); returns whether there is one. One thread at
 * a time may ask. */
int phrase_extractor_draw(PhraseExtractor *x, const Record *pair, uint64_t key, Record *phrase);

#endif
