/* word_projections.h - the caches of what the network's weights make of single words: translation
 * reads the same words over and over.
 */
#ifndef ATTN_MODEL_WORD_PROJECTIONS_H
#define ATTN_MODEL_WORD_PROJECTIONS_H

#include "model/architecture.h"

/* word_projections_new - for a pass without dropout by weights that stay as they are; NULLs where
 * the words' part depends on more than the word (self-attention below, positions) or gemm does not
 * multiply. */
WordProjections word_projections_new(const Architecture *net);
void            word_projections_free(WordProjections *words);

#endif
