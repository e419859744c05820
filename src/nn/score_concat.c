/* score_concat.c - e = v · tanh(W [d ; m]) */
#include "nn/score_concat.h"

#include "nn/score_hidden.h"

enum { W, V };

static Half query_half(real *const *w, const ScoreSizes *n)
{
    return (Half){ w[W], n->H + n->C };
}

static Half key_half(real *const *w, const ScoreSizes *n)
{
    return (Half){ w[W] + n->H, n->H + n->C };
}

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = {
            [W] = { "attention.hidden.weight", n->A, n->H + n->C },
            [V] = { "attention.score.weight", 1, n->A },
        },
        .key = n->A, .query = n->A,
        .key_products = n->A * (double)n->C, .query_products = n->A * (double)n->H,
    };
}

static void keys_forward(real *keys, const real *memory, real *const *w, int M, const ScoreSizes *n)
{
    hidden_keys_forward(keys, memory, key_half(w, n), M, n);
}

static void query_forward(real *query, const real *state, int ld, real *const *w, int rows, const ScoreSizes *n)
{
    hidden_query_forward(query, state, ld, query_half(w, n), rows, n);
}

static void score_forward(real *e, const real *query, const real *keys, real *const *w, int length,
                          const ScoreSizes *n)
{
    hidden_score_forward(e, query, keys, w[V], length, n);
}

static void score_backward(real *dquery, real *dkeys, real *const *dw, const real *de, const real *query,
                           const real *keys, real *const *w, int length, const ScoreSizes *n)
{
    hidden_score_backward(dquery, dkeys, dw[V], de, query, keys, w[V], length, n);
}

static void query_backward(real *dstate, int ld, real *dquery, const real *query, real *const *w, int rows,
                           const ScoreSizes *n)
{
    (void)query;
    hidden_query_backward(dstate, ld, dquery, query_half(w, n), rows, n);
}

static void query_weights_backward(real *const *dw, const real *dquery, const real *state, int ld, int N,
                                   const ScoreSizes *n)
{
    hidden_query_weights(query_half(dw, n), dquery, state, ld, N, n);
}

static void keys_backward(real *dmemory, real *const *dw, const real *dkeys, const real *memory, real *const *w, int M,
                          const ScoreSizes *n)
{
    hidden_keys_backward(dmemory, key_half(dw, n), dkeys, memory, key_half(w, n), M, n);
}

const Score score_concat = {
    .shape = shape,
    .keys_forward = keys_forward, .query_forward = query_forward, .score_forward = score_forward,
    .score_backward = score_backward, .query_backward = query_backward,
    .query_weights_backward = query_weights_backward, .keys_backward = keys_backward,
};
