/* score_dot.c - e = d · m, as it is and scaled. */
#include "nn/score_dot.h"

#include "nn/vector.h"

#include <math.h>
#include <string.h>

/* ---- shared ---- */

void dot_forward(real *e, const real *query, const real *keys, int length, size_t P)
{
    for (int s = 0; s < length; s++)
        e[s] = vector_dot(query, keys + s * P, P);
}

/* dquery (P) += sum of de_s keys_s;  dkeys_s += de_s query */
void dot_backward(real *dquery, real *dkeys, const real *de, const real *query, const real *keys, int length,
                  size_t P)
{
    for (int s = 0; s < length; s++) {
        vector_axpy(dquery, de[s], keys + s * P, P);
        vector_axpy(dkeys + s * P, de[s], query, P);
    }
}

void state_copy(real *query, int ldq, const real *state, int ld, int rows, int H)
{
    for (int i = 0; i < rows; i++)
        memcpy(query + (size_t)i * ldq, state + (size_t)i * ld, (size_t)H * sizeof *query);
}

void state_add(real *dstate, int ld, const real *dquery, int ldq, int rows, int H)
{
    for (int i = 0; i < rows; i++)
        vector_add(dstate + (size_t)i * ld, dquery + (size_t)i * ldq, (size_t)H);
}

/* ---- both scores ---- */

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){ .key = n->C, .query = n->H };
}

static int check(const ScoreSizes *n, Err *e)
{
    if (n->C == n->H) return 0;
    return err(e, "--attention dot and scaled-dot multiply decoder states (%d wide) with encoder states (%d wide), "
                  "which must have the same width; use --attention general, or --no-bidirectional", n->H, n->C);
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

/* ---- dot: query = d ---- */

static void query_forward(real *query, const real *state, int ld, real *const *w, int rows, const ScoreSizes *n)
{
    (void)w;
    state_copy(query, n->H, state, ld, rows, n->H);
}

static void query_backward(real *dstate, int ld, real *dquery, const real *query, real *const *w, int rows,
                           const ScoreSizes *n)
{
    (void)query, (void)w;
    state_add(dstate, ld, dquery, n->H, rows, n->H);
}

/* ---- scaled_dot: query = d / sqrt(H) ---- */

static real scale(const ScoreSizes *n)
{
    return 1 / (real)sqrt(n->H);
}

static void scaled_query_forward(real *query, const real *state, int ld, real *const *w, int rows,
                                 const ScoreSizes *n)
{
    query_forward(query, state, ld, w, rows, n);
    vector_scale(query, scale(n), (size_t)rows * n->H);
}

static void scaled_query_backward(real *dstate, int ld, real *dquery, const real *query, real *const *w, int rows,
                                  const ScoreSizes *n)
{
    vector_scale(dquery, scale(n), (size_t)rows * n->H);
    query_backward(dstate, ld, dquery, query, w, rows, n);
}

const Score score_dot = {
    .shape = shape, .check = check,
    .query_forward = query_forward, .query_backward = query_backward,
    .score_forward = score_forward, .score_backward = score_backward,
};

const Score score_scaled_dot = {
    .shape = shape, .check = check,
    .query_forward = scaled_query_forward, .query_backward = scaled_query_backward,
    .score_forward = score_forward, .score_backward = score_backward,
};
