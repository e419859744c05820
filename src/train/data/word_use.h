/* word_use.h - how the words of a part of the corpus are used, counted while it is read. */
#ifndef ATTN_TRAIN_WORD_USE_H
#define ATTN_TRAIN_WORD_USE_H

#include "text/corpus/store.h"
#include "text/lexicon.h"
#include "train/data/word_kinds.h"

enum { LANGUAGE_SOURCE, LANGUAGE_TARGET, LANGUAGES };

/* Arrays of (capacity), as in WordUse. Zero-initialise; word_uses_free releases. */
typedef struct {
    long  *times[LANGUAGES], *first[LANGUAGES], *shared[LANGUAGES], *stopped[LANGUAGES], *ended[LANGUAGES];
    size_t capacity;
} WordUses;

/* word_uses_reserve - makes room for so many words: the counts of new ones are 0.
 * word_uses_clear - the same, and the counts of the first `words` are 0 again.
 * word_uses_add - counts a pair, whose words have their kinds.
 * word_uses_merge - adds the counts of `from`, whose `words` words have these numbers here. */
void word_uses_reserve(WordUses *uses, size_t words);
void word_uses_clear(WordUses *uses, size_t words);
void word_uses_add(WordUses *uses, const WordKinds *kinds, const Record *pair);
void word_uses_merge(WordUses *uses, const WordUses *from, const int *number, size_t words);
void word_uses_free(WordUses *uses);

/* word_uses_of - one side, to learn its lexicon. */
WordUse word_uses_of(const WordUses *uses, const StringTable *words, int side);

#endif
