/* embedding.h - rows of the embedding matrix, by word ids. */
#ifndef ATTN_NN_EMBEDDING_H
#define ATTN_NN_EMBEDDING_H

#include "base/real.h"

/* y (N,E): row i is row id[i] of table (V,E) */
void embedding_forward(real *y, const real *table, const int *id, int N, int E);

/* dtable (V,E): row id[i] += row i of dy (N,E) */
void embedding_backward(real *dtable, const real *dy, const int *id, int N, int E);

#endif
