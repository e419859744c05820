/* self_attention.c - projections, residuals, layer normalisation and feed-forward around the
 * heads. */
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
static void affine_backward(Store store, real *dx, const Linear *dw, real *db, const real *dy,
                            const real *x, const Linear *w, int N)
{
    bias_backward(db, dy, N, w->rows);
    linear_backward_weight(dw, dy, w->rows, x, w->columns, N);
    linear_backward_input(store, dx, w->columns, dy, w->rows, w, N);
}

static void residual_dropout(const SelfAttentionLayer *l, real *x, int part, int N)
{
    const SelfAttentionNoise *noise = &l->noise;
    if (noise->weights.token)
        dropout_apply(x, &noise->residual, noise->place + part, noise->weights.token, N,
                      l->n->attention.D);
}

static NormLayer norm1(const SelfAttentionLayer *l)
{
    return (NormLayer){ &l->w->norm1, l->dw ? &l->dw->norm1 : NULL, &l->save->norm1,
                        l->n->attention.D };
}

static NormLayer norm2(const SelfAttentionLayer *l)
{
    return (NormLayer){ &l->w->norm2, l->dw ? &l->dw->norm2 : NULL, &l->save->norm2,
                        l->n->attention.D };
}

/* Steps 3 and 4, row by row: from save->z to y. */
static void rows_forward(const SelfAttentionLayer *l, real *y, const real *x, int N)
{
    const SelfAttentionSave *save = l->save;
    const SelfAttentionWeights *w = l->w;
    const int D = l->n->attention.D, F = l->n->F;
    const NormLayer first = norm1(l), second = norm2(l);
    real *m = F ? save->m : y;
    /* 3. m = norm_1(x + dropout(W_out z + b_out)) */
    affine_forward(m, save->z, &w->out, w->out_bias, N);
    residual_dropout(l, m, 0, N);
    vector_add(m, x, (size_t)N * D);
    layer_norm_forward(&first, m, m, D, 0, N);
    if (!F) return;
    /* 4. y = norm_2(m + dropout(W_2 relu(W_1 m + b_1) + b_2)) */
    affine_forward(save->hidden, m, &w->linear1, w->bias1, N);
    vector_relu(save->hidden, (size_t)N * F);
    affine_forward(y, save->hidden, &w->linear2, w->bias2, N);
    residual_dropout(l, y, 1, N);
    vector_add(y, m, (size_t)N * D);
    layer_norm_forward(&second, y, y, D, 0, N);
}

void self_attention_forward(const SelfAttentionLayer *l, real *y, const real *x,
                            const PackedSequence *seq)
{
    /* 1. */
    affine_forward(l->save->qkv, x, &l->w->in, l->w->in_bias, seq->total);
    /* 2. */
    multi_head_forward(l->save->z, l->save->qkv, seq, l->n->attention, &l->noise.weights,
                       l->scratch);
    rows_forward(l, y, x, seq->total);
}

void self_attention_step(const SelfAttentionLayer *l, real *y, const real *x,
                         const MultiHeadCache *cache, int t, int rows)
{
    affine_forward(l->save->qkv, x, &l->w->in, l->w->in_bias, rows);
    multi_head_step(l->save->z, l->save->qkv, cache, t, rows, l->n->attention, l->scratch);
    rows_forward(l, y, x, rows);
}

void self_attention_backward(const SelfAttentionLayer *l, real *dx, const real *dy, const real *x,
                             const PackedSequence *seq)
{
    const SelfAttentionSave *save = l->save;
    const SelfAttentionWeights *w = l->w, *dw = l->dw;
    const int D = l->n->attention.D, F = l->n->F, N = seq->total;
    const size_t values = (size_t)N * D, widest = (size_t)(F > 3 * D ? F : 3 * D);
    const NormLayer first = norm1(l), second = norm2(l);
    real *dm = l->scratch, *branch = dm + values, *wide = branch + values;
    real *rest = wide + N * widest;

    /* 4. dm is the residual's gradient, branch that of the part beside it */
    if (F) {
        layer_norm_backward(&second, dm, dy, D, 0, N);
        memcpy(branch, dm, values * sizeof *dm);
        residual_dropout(l, branch, 1, N);
        affine_backward(OVERWRITE, wide, &dw->linear2, dw->bias2, branch, save->hidden,
                        &w->linear2, N);
        vector_relu_backward(wide, save->hidden, (size_t)N * F);
        affine_backward(ACCUMULATE, dm, &dw->linear1, dw->bias1, wide, save->m, &w->linear1, N);
    }
    /* 3. */
    layer_norm_backward(&first, dx, F ? dm : dy, D, 0, N);
    memcpy(branch, dx, values * sizeof *dx);
    residual_dropout(l, branch, 0, N);
    real *dz = dm;
    affine_backward(OVERWRITE, dz, &dw->out, dw->out_bias, branch, save->z, &w->out, N);
    /* 2. */
    multi_head_backward(wide, dz, save->qkv, seq, l->n->attention, &l->noise.weights, rest);
    /* 1. */
    affine_backward(ACCUMULATE, dx, &dw->in, dw->in_bias, wide, x, &w->in, N);
}
