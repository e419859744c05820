/* word_breaks.h - behind which entries of a vocabulary a placeholder may stand.
 *
 * A placeholder stands for a word, with the mark of one (text/copies.h), so it ends whatever word was written before it. None
 * stands behind a mark that ends a sentence.
 */
#ifndef ATTN_TEXT_WORD_BREAKS_H
#define ATTN_TEXT_WORD_BREAKS_H

#include "text/tokenizer/tokenizer.h"

/* word_breaks - a flag for each entry. Owned by the caller. */
unsigned char *word_breaks(const Tokenizer *t);

#endif
