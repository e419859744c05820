/* word_memos.c - which products depend on the word alone. */
#include "model/word_memos.h"

WordMemos word_memos_new(const Net *net)
{
    const Sizes *n = &net->n;
    WordMemos memos = { .target = NULL };
    for (int d = 0; n->R && d < n->directions; d++)
        memos.source[d] = row_memo_new(n->Vs, n->G);
    if (n->decoder_attention.layers) return memos;
    memos.target = row_memo_new(n->Vt, n->G);
    if (net->options.readout == READOUT_DEEP) memos.readout = row_memo_new(n->Vt, n->E);
    return memos;
}

void word_memos_free(WordMemos *memos)
{
    row_memo_free(memos->source[0]);
    row_memo_free(memos->source[1]);
    row_memo_free(memos->target);
    row_memo_free(memos->readout);
}
