/* word_kinds.h - what each word of a corpus looks like, found once for all that ask. */
#ifndef ATTN_TRAIN_WORD_KINDS_H
#define ATTN_TRAIN_WORD_KINDS_H

#include "text/copies.h"
#include "text/letter_case.h"
#include "text/string_table.h"

/* C cores: the W words without their marks. Zero-initialise; word_kinds_free releases. */
typedef struct {
    StringTable    cores;
    int           *core;                /* (W) */
    unsigned char *shape;               /* (C) Shape */
    unsigned char *copy;                /* (C) CopyKind */
    size_t         count;               /* W */
    size_t         core_capacity, shape_capacity, copy_capacity;
} WordKinds;

/* word_kinds_extend - adds the words that the table got since the last call. */
void word_kinds_extend(WordKinds *kinds, const StringTable *words);
void word_kinds_clear(WordKinds *kinds);        /* none, keeps its memory */
void word_kinds_free(WordKinds *kinds);

/* The Shape and the CopyKind of a word without its mark. */
static inline Shape word_shape(const WordKinds *kinds, int word)
{
    return (Shape)kinds->shape[kinds->core[word]];
}

static inline CopyKind word_copy(const WordKinds *kinds, int word)
{
    return (CopyKind)kinds->copy[kinds->core[word]];
}

#endif
