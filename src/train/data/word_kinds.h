/* word_kinds.h - what each word of a corpus looks like, found once for all that ask. */
#ifndef ATTN_TRAIN_WORD_KINDS_H
#define ATTN_TRAIN_WORD_KINDS_H

#include "text/letter_case.h"
#include "text/string_table.h"

/* C cores: the W words without their marks and joiners. Zero-initialise; word_kinds_free releases. */
typedef struct {
    StringTable    cores;
    int           *core;                /* (W) */
    unsigned char *is_joined;           /* (W) the next word is written on to it */
    unsigned char *shape;               /* (C) Shape */
    size_t         count;               /* W */
    size_t         core_capacity, joined_capacity, shape_capacity;
} WordKinds;

/* word_kinds_extend - adds the words that the table got since the last call. */
void word_kinds_extend(WordKinds *kinds, const StringTable *words);
void word_kinds_clear(WordKinds *kinds);        /* none, keeps its memory */
void word_kinds_free(WordKinds *kinds);

/* The Shape of a word. */
static inline Shape word_shape(const WordKinds *kinds, int word)
{
    return (Shape)kinds->shape[kinds->core[word]];
}

#endif
