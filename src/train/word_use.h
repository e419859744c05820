/* word_use.h - how the words of the training part are used, counted while the corpus is read. */
#ifndef ATTN_TRAIN_WORD_USE_H
#define ATTN_TRAIN_WORD_USE_H

#include "text/lexicon.h"
#include "text/store.h"

enum { LANGUAGE_SOURCE, LANGUAGE_TARGET, LANGUAGES };

/* Zero-initialise; word_uses_free releases. All arrays are (capacity), of words of the table that
 * word_uses_add was given. */
typedef struct {
    long          *times[LANGUAGES], *first[LANGUAGES], *shared[LANGUAGES];     /* as in WordUse */
    int           *core;        /* number in `cores` of the word without its mark */
    unsigned char *shape;       /* Shape of the same (text/letter_case.h) */
    unsigned char *copy;        /* CopyKind of the same (text/copies.h) */
    StringTable    cores;
    size_t         known;       /* words with a core, a shape and a kind */
    size_t         capacity;
} WordUses;

/* word_uses_reserve - makes room for all words of the table: their counts are 0.
 * word_uses_add - counts a pair, whose words the table has. */
void word_uses_reserve(WordUses *uses, const StringTable *words);
void word_uses_add(WordUses *uses, const StringTable *words, const Record *pair);
void word_uses_free(WordUses *uses);

/* word_uses_of - one side, to learn its lexicon. */
WordUse word_uses_of(const WordUses *uses, const StringTable *words, int side);

#endif
