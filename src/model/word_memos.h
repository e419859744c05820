/* word_memos.h - translation reads the same words over and over: what the network makes of each is remembered. */
#ifndef ATTN_MODEL_WORD_MEMOS_H
#define ATTN_MODEL_WORD_MEMOS_H

#include "model/net.h"

/* word_memos_new - for a pass without dropout by weights that stay as they are; NULLs where the words' part depends on
 * more than the word (self-attention below, positions) or gemm does not multiply. */
WordMemos word_memos_new(const Net *net);
void      word_memos_free(WordMemos *memos);

#endif
