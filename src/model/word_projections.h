/* word_projections.h - caches of the network's projections of single words: translation reads the
 * same words over and over.
 */
#ifndef ATTN_MODEL_WORD_PROJECTIONS_H
#define ATTN_MODEL_WORD_PROJECTIONS_H

#include "model/architecture.h"

/* word_projections_init - allocates caches for a pass without dropout and weights that do not
 * change. A cache is NULL if the words' part depends on more than the word (self-attention below,
 * positions), or if gemm does not compute the products. */
void word_projections_init(WordProjections *words, const Architecture *net);
void word_projections_free(WordProjections *words);

#endif
