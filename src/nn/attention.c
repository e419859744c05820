/* attention.c - softmax over a sentence's own positions, and the context. */
#include "nn/attention.h"

#include "linalg/vector.h"

#include <string.h>

Attention attention_new(const Score *score, ScoreSizes n)
{
    return (Attention){ .score = score, .n = n, .shape = score->shape(&n) };
}

/* ---- keys ---- */

size_t attention_keys(const Attention *a, size_t M)
{
    return a->score->keys_forward ? M * (size_t)a->shape.key : 0;
}

const real *attention_keys_forward(const Attention *a, real *keys, const real *memory, const Linear *w, int M)
{
    if (!a->score->keys_forward) return memory;
    a->score->keys_forward(keys, memory, w, M, &a->n);
    return keys;
}

void attention_keys_backward(const Attention *a, real *dmemory, const Linear *dw, const real *dkeys, const real *memory,
                             const Linear *w, int M)
{
    if (a->score->keys_backward) a->score->keys_backward(dmemory, dw, dkeys, memory, w, M, &a->n);
}

/* ---- from scores to weights ---- */

static void weights_forward(const Attention *a, real *alpha, const real *query, const Linear *w, int length)
{
    if (a->score->weights_forward) a->score->weights_forward(alpha, query, w, length, &a->n);
    else vector_softmax(alpha, length);
}

static void weights_backward(const Attention *a, real *de, real *dquery, const Linear *dw, const real *alpha,
                             const real *query, const Linear *w, int length)
{
    if (a->score->weights_backward) a->score->weights_backward(de, dquery, dw, alpha, query, w, length, &a->n);
    else vector_softmax_backward(de, alpha, length);
}

/* ---- from weights to those that are used ---- */

static void choose(const AttentionChange *change, real *used, const real *alpha, int i, int length)
{
    if (change->hard.choice) hard_forward(used, alpha, length, &change->hard, change->key,
                                          change->name ? change->name[i] : 0);
    else memcpy(used, alpha, (size_t)length * sizeof *used);
}

/* Of the weights, and of their gradient. */
static void mask(const AttentionChange *change, real *x, int i, int length)
{
    if (change->token) dropout_apply(x, &change->dropout, change->place, change->token + i, 1, length);
}

/* The weights that row i uses: the same in both passes. */
static const real *change_forward(const AttentionChange *change, const real *alpha, int i, int length)
{
    if (!change) return alpha;
    choose(change, change->used, alpha, i, length);
    mask(change, change->used, i, length);
    return change->used;
}

/* dalpha holds the gradient of the weights that were used, and becomes that of alpha. */
static void change_backward(const AttentionChange *change, real *dalpha, const real *alpha, int i, int length)
{
    if (!change) return;
    if (change->hard.choice && change->hard.estimator == HARD_REINFORCE) {
        choose(change, change->used, alpha, i, length);
        hard_reinforce(dalpha, change->used, alpha, length, &change->hard, change->advantage[i]);
    } else {
        mask(change, dalpha, i, length);
    }
}

/* ---- one row, whose sentence's memory and keys these are ---- */

static void row_forward(const Attention *a, real *context, real *alpha, const real *query, const real *memory,
                        const real *keys, const Linear *w, int i, int length, const AttentionChange *change)
{
    const size_t C = (size_t)a->n.C;
    /* 2. e_s = score(query, key_s) */
    a->score->score_forward(alpha, query, keys, w, length, &a->n);
    /* 3. alpha = softmax(e) */
    weights_forward(a, alpha, query, w, length);
    const real *used = change_forward(change, alpha, i, length);
    /* 4. c = sum_s alpha_s m_s */
    memset(context, 0, C * sizeof *context);
    for (int s = 0; s < length; s++)
        vector_axpy(context, used[s], memory + s * C, C);
    if (change && change->shown) memcpy(alpha, used, (size_t)length * sizeof *alpha);
}

static void row_backward(const Attention *a, real *dquery, real *dmemory, real *dkeys, const Linear *dw,
                         const real *dcontext, const real *alpha, const real *query, const real *memory,
                         const real *keys, const Linear *w, int i, int length, const AttentionChange *change, real *de)
{
    const size_t C = (size_t)a->n.C;
    const real *used = change_forward(change, alpha, i, length);
    /* 4. dalpha_s = dc · m_s;  dm_s += alpha_s dc */
    for (int s = 0; s < length; s++) {
        de[s] = vector_dot(dcontext, memory + s * C, C);
        vector_axpy(dmemory + s * C, used[s], dcontext, C);
    }
    change_backward(change, de, alpha, i, length);
    /* 3. */
    memset(dquery, 0, (size_t)a->shape.query * sizeof *dquery);
    weights_backward(a, de, dquery, dw, alpha, query, w, length);
    /* 2. */
    a->score->score_backward(dquery, dkeys, dw, de, query, keys, w, length, &a->n);
}

/* ---- one step ---- */

static void fixed_forward(const Attention *a, real *context, real *alpha, int ld, const AttentionSource *source,
                          int rows)
{
    const size_t C = (size_t)a->n.C;
    for (int i = 0; i < rows; i++)
        a->score->context_forward(context + i * C, alpha + (size_t)i * ld, source->memory + source->first[i] * C,
                                  source->length[i], &a->n);
}

static void fixed_backward(const Attention *a, const AttentionGradient *d, const real *dcontext,
                           const AttentionSource *source, int rows)
{
    const size_t C = (size_t)a->n.C;
    for (int i = 0; i < rows; i++)
        a->score->context_backward(d->memory + source->first[i] * C, dcontext + i * C, source->length[i], &a->n);
}

void attention_forward(const Attention *a, real *context, real *alpha, int ld, real *query, const real *state, int lds,
                       const AttentionSource *source, const Linear *w, int rows, const AttentionChange *change)
{
    const size_t C = (size_t)a->n.C, K = (size_t)a->shape.key, Q = (size_t)a->shape.query;
    if (a->score->context_forward) {
        fixed_forward(a, context, alpha, ld, source, rows);
        return;
    }
    /* 1. queries */
    a->score->query_forward(query, state, lds, w, rows, &a->n);
    for (int i = 0; i < rows; i++) {
        const size_t first = (size_t)source->first[i];
        row_forward(a, context + i * C, alpha + (size_t)i * ld, query + i * Q, source->memory + first * C,
                    source->keys + first * K, w, i, source->length[i], change);
    }
}

void attention_backward(const Attention *a, real *dstate, int lds, real *dquery, const AttentionGradient *d,
                        const real *dcontext, const real *alpha, int ld, const real *query,
                        const AttentionSource *source, const Linear *w, int rows, const AttentionChange *change,
                        real *de)
{
    const size_t C = (size_t)a->n.C, K = (size_t)a->shape.key, Q = (size_t)a->shape.query;
    if (a->score->context_backward) {
        fixed_backward(a, d, dcontext, source, rows);
        return;
    }
    for (int i = 0; i < rows; i++) {
        const size_t first = (size_t)source->first[i];
        row_backward(a, dquery + i * Q, d->memory + first * C, d->keys + first * K, d->w, dcontext + i * C,
                     alpha + (size_t)i * ld, query + i * Q, source->memory + first * C, source->keys + first * K, w, i,
                     source->length[i], change, de);
    }
    /* 1. */
    a->score->query_backward(dstate, lds, dquery, query, w, rows, &a->n);
}

void attention_weights_backward(const Attention *a, const Linear *dw, const real *dquery, const real *state, int lds,
                                int N)
{
    if (a->score->query_weights_backward) a->score->query_weights_backward(dw, dquery, state, lds, N, &a->n);
}
