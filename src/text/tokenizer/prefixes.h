/* prefixes.h - a set of byte strings by their first bytes: which of them does a text begin with?
 *
 * A node is a beginning that some string has. The nodes behind one follow each other, by their last
 * byte, so the step to one of them is a search for a byte in a row.
 */
#ifndef ATTN_TEXT_TOKENIZER_PREFIXES_H
#define ATTN_TEXT_TOKENIZER_PREFIXES_H

#include "base/buf.h"

#include <stddef.h>

/* The nodes behind it; its string's value, or -1. */
typedef struct { int first, count, value; } PrefixNode;

/* Zero-initialise; prefixes_free releases. */
typedef struct {
    PrefixNode      *node;        /* (count) the root first; none: the set is empty */
    unsigned char *label;       /* (count) last byte of each */
    size_t         count;
} Prefixes;

typedef struct { Slice text; int value; } PrefixString;

/* prefixes_build - of these strings (count), which are not empty; sorts them. -1: one occurs twice;
 * *twice is its value.
 * prefixes_step - the node behind this one by a byte, or -1. The root is 0.
 * prefixes_find - the value of a whole text, or -1.
 * prefixes_longest - the bytes of the longest string that the text begins with; 0: it begins with
 * none. */
int    prefixes_build(Prefixes *t, PrefixString *string, size_t count, int *twice);
void   prefixes_free(Prefixes *t);
int    prefixes_step(const Prefixes *t, int node, unsigned char byte);
int    prefixes_find(const Prefixes *t, Slice text);
size_t prefixes_longest(const Prefixes *t, Slice text);

#endif
