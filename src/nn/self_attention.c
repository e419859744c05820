/* self_attention.c - the layer around the heads. */
#include "nn/self_attention.h"

#include "linalg/vector.h"

#include <string.h>

size_t self_attention_scratch(const SelfAttentionSizes *n, int N, int steps)
{
    const int D = n->attention.D, widest = n->F > 3 * D ? n->F : 3 * D;
    return (size_t)N * (2 * D + widest) + multi_head_scratch(n->attention, steps);
}

/* y (N,n) = b + x (N,k) · w' */
static void affine_forward(real *y, const real *x, const Linear *w, const real *b, int N)
{
    linear_forward(OVERWRITE, y, w->rows, x, w->columns, w, b, N);
}

/* dw (n,k) += dy' (n,N) · x (N,k);  db += rows of dy;  dx (N,k) = dy · w, or += */
static void affine_backward(Store store, real *dx, const Linear *dw, real *db, const real *dy, const real *x,
                            const Linear *w, int N)
{
    bias_backward(db, dy, N, w->rows);
    linear_backward_weight(dw, dy, w->rows, x, w->columns, N);
    linear_backward_input(store, dx, w->columns, dy, w->rows, w, N);
}

static void residual_dropout(real *x, const SelfAttentionNoise *noise, int part, int N, int D)
{
    if (noise->weights.token) dropout_apply(x, &noise->residual, noise->place + part, noise->weights.token, N, D);
}

/* Steps 3 and 4, row by row: from save->z to y. */
static void rows_forward(real *y, const SelfAttentionSave *save, const real *x, const SelfAttentionWeights *w, int N,
                         const SelfAttentionSizes *n, const SelfAttentionNoise *noise)
{
    const int D = n->attention.D;
    real *m = n->F ? save->m : y;
    /* 3. m = norm_1(x + dropout(W_out z + b_out)) */
    affine_forward(m, save->z, &w->out, w->out_bias, N);
    residual_dropout(m, noise, 0, N, D);
    vector_add(m, x, (size_t)N * D);
    layer_norm_forward(m, &save->norm1, m, D, &w->norm1, 0, N, D);
    if (!n->F) return;
    /* 4. y = norm_2(m + dropout(W_2 relu(W_1 m + b_1) + b_2)) */
    affine_forward(save->hidden, m, &w->linear1, w->bias1, N);
    vector_relu(save->hidden, (size_t)N * n->F);
    affine_forward(y, save->hidden, &w->linear2, w->bias2, N);
    residual_dropout(y, noise, 1, N, D);
    vector_add(y, m, (size_t)N * D);
    layer_norm_forward(y, &save->norm2, y, D, &w->norm2, 0, N, D);
}

void self_attention_forward(real *y, const SelfAttentionSave *save, const real *x, const SelfAttentionWeights *w,
                            const Packed *seq, const SelfAttentionSizes *n, const SelfAttentionNoise *noise,
                            real *scratch)
{
    const int N = seq->total;
    /* 1. */
    affine_forward(save->qkv, x, &w->in, w->in_bias, N);
    /* 2. */
    multi_head_forward(save->z, save->qkv, seq, n->attention, &noise->weights, scratch);
    rows_forward(y, save, x, w, N, n, noise);
}

void self_attention_step(real *y, const SelfAttentionSave *save, const real *x, const SelfAttentionWeights *w,
                         const MultiHeadCache *cache, int t, int rows, const SelfAttentionSizes *n, real *scratch)
{
    affine_forward(save->qkv, x, &w->in, w->in_bias, rows);
    multi_head_step(save->z, save->qkv, cache, t, rows, n->attention, scratch);
    rows_forward(y, save, x, w, rows, n, &(SelfAttentionNoise){ 0 });
}

void self_attention_backward(real *dx, const SelfAttentionWeights *dw, const SelfAttentionSave *save, const real *dy,
                             const real *x, const SelfAttentionWeights *w, const Packed *seq,
                             const SelfAttentionSizes *n, const SelfAttentionNoise *noise, real *scratch)
{
    const int D = n->attention.D, N = seq->total;
    const size_t values = (size_t)N * D, widest = (size_t)(n->F > 3 * D ? n->F : 3 * D);
    real *dm = scratch, *branch = dm + values, *wide = branch + values, *rest = wide + N * widest;

    /* 4. dm is the residual's gradient, branch that of the part beside it */
    if (n->F) {
        layer_norm_backward(dm, &dw->norm2, dy, D, &save->norm2, &w->norm2, 0, N, D);
        memcpy(branch, dm, values * sizeof *dm);
        residual_dropout(branch, noise, 1, N, D);
        affine_backward(OVERWRITE, wide, &dw->linear2, dw->bias2, branch, save->hidden, &w->linear2, N);
        vector_relu_backward(wide, save->hidden, (size_t)N * n->F);
        affine_backward(ACCUMULATE, dm, &dw->linear1, dw->bias1, wide, save->m, &w->linear1, N);
    }
    /* 3. */
    layer_norm_backward(dx, &dw->norm1, n->F ? dm : dy, D, &save->norm1, &w->norm1, 0, N, D);
    memcpy(branch, dx, values * sizeof *dx);
    residual_dropout(branch, noise, 0, N, D);
    real *dz = dm;
    affine_backward(OVERWRITE, dz, &dw->out, dw->out_bias, branch, save->z, &w->out, N);
    /* 2. */
    multi_head_backward(wide, dz, save->qkv, seq, n->attention, &noise->weights, rest);
    /* 1. */
    affine_backward(ACCUMULATE, dx, &dw->in, dw->in_bias, wide, x, &w->in, N);
}
