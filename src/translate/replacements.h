/* replacements.h - what a translation has in place of some of its pieces: what <unk> and placeholders
 * are copies of.
 */
#ifndef ATTN_TRANSLATE_REPLACEMENTS_H
#define ATTN_TRANSLATE_REPLACEMENTS_H

#include "translate/translation.h"

/* The texts belong to the chunk and the tokenizers, or to `written`. */
typedef struct {
    const char **text;          /* (length of the hypothesis) what is written for each piece; NULL:
                                   the piece itself. Or NULL: nothing is replaced */
    char **written;             /* (count) owned */
    int    count;
} Replacements;

/* chunk_replacements - those of a hypothesis of this chunk. The <unk> of the prefix have their own
 * texts. The hypothesis has its attention wherever the chunk has an <unk> to copy. The caller frees
 * them with replacements_free. */
Replacements chunk_replacements(const Chunk *chunk, const Hypothesis *h, const Tokenizer *source,
                                const Tokenizer *target);
void         replacements_free(Replacements *r);

#endif
