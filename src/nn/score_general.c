/* score_general.c - e = d · W m */
#include "nn/score_general.h"

#include "nn/matrix.h"
#include "nn/score_dot.h"

enum { W };

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = { [W] = { "attention.key.weight", n->H, n->C } },
        .key = n->H, .query = n->H,
        .key_products = n->H * (double)n->C,
    };
}

/* keys (M,H) = memory (M,C) · W' */
static void keys_forward(real *keys, const real *memory, real *const *w, int M, const ScoreSizes *n)
{
    matrix_forward(OVERWRITE, keys, n->H, memory, n->C, w[W], n->C, M, n->C, n->H);
}

static void query_forward(real *query, const real *state, int ld, real *const *w, int rows, const ScoreSizes *n)
{
    (void)w;
    state_copy(query, n->H, state, ld, rows, n->H);
}

static void score_forward(real *e, const real *query, const real *keys, real *const *w, int length,
                          const ScoreSizes *n)
{
    (void)w;
    dot_forward(e, query, keys, length, (size_t)n->H);
}

static void score_backward(real *dquery, real *dkeys, real *const *dw, const real *de, const real *query,
                           const real *keys, real *const *w, int length, const ScoreSizes *n)
{
    (void)dw, (void)w;
    dot_backward(dquery, dkeys, de, query, keys, length, (size_t)n->H);
}

static void query_backward(real *dstate, int ld, real *dquery, const real *query, real *const *w, int rows,
                           const ScoreSizes *n)
{
    (void)query, (void)w;
    state_add(dstate, ld, dquery, n->H, rows, n->H);
}

/* dmemory (M,C) += dkeys (M,H) · W;  dW (H,C) += dkeys' (H,M) · memory (M,C) */
static void keys_backward(real *dmemory, real *const *dw, const real *dkeys, const real *memory, real *const *w, int M,
                          const ScoreSizes *n)
{
    matrix_backward_input(ACCUMULATE, dmemory, n->C, dkeys, n->H, w[W], n->C, M, n->C, n->H);
    matrix_backward_weight(dw[W], n->C, dkeys, n->H, memory, n->C, M, n->C, n->H);
}

const Score score_general = {
    .shape = shape,
    .keys_forward = keys_forward, .query_forward = query_forward, .score_forward = score_forward,
    .score_backward = score_backward, .query_backward = query_backward, .keys_backward = keys_backward,
};
