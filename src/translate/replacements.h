/* replacements.h - what a translation has in place of some of its pieces: what <unk> and placeholders are copies of. */
#ifndef ATTN_TRANSLATE_REPLACEMENTS_H
#define ATTN_TRANSLATE_REPLACEMENTS_H

#include "translate/translation.h"

/* chunk_replacements - (length of the hypothesis) the text of each piece of a hypothesis of this chunk; NULL: it is the
 * piece itself. Or NULL: no piece is replaced. The <unk> of the prefix have their own texts. The hypothesis has its attention
 * wherever the chunk has an <unk> to copy. The caller frees the list; the texts belong to the chunk and the tokenizers. */
const char **chunk_replacements(const Chunk *chunk, const Hypothesis *h, const Tokenizer *source);

#endif
