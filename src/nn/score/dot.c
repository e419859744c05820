/* dot.c - the scores without parameters: the decoder's state is the query, the memory is the keys
 * (H = C).
 *
 *   dot          e = d · m                       (Luong, Pham and Manning 2015, section 3.1)
 *   scaled_dot   e = d · m / sqrt(H)             (Vaswani et al. 2017, equation 1)
 */
#include "nn/score/score.h"

#include "linalg/vector.h"

#include <math.h>
#include <string.h>

/* ---- shared ---- */

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

void dot_query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    state_copy(query, l->n.H, state, ld, rows, l->n.H);
}

void dot_query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery, const real *query,
                        int rows)
{
    (void)query;
    state_add(dstate, ld, dquery, l->n.H, rows, l->n.H);
}

static real scale(const ScoreLayer *l)
{
    return 1 / (real)sqrt(l->n.H);
}

void scaled_query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows)
{
    dot_query_forward(l, query, state, ld, rows);
    vector_scale(query, scale(l), (size_t)rows * l->n.H);
}

void scaled_query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows)
{
    vector_scale(dquery, scale(l), (size_t)rows * l->n.H);
    dot_query_backward(l, dstate, ld, dquery, query, rows);
}

void dot_score_forward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                       int length)
{
    const size_t H = (size_t)l->n.H;
    for (int s = 0; s < length; s++)
        e[s] = vector_dot(query, keys + s * H, H);
}

/* dquery (H) += sum of de_s keys_s;  dkeys_s += de_s query */
void dot_score_backward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                        const real *query, const real *keys, int length)
{
    const size_t H = (size_t)l->n.H;
    for (int s = 0; s < length; s++) {
        vector_axpy(dquery, de[s], keys + s * H, H);
        vector_axpy(dkeys + s * H, de[s], query, H);
    }
}

/* ---- both scores ---- */

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){ .key = n->C, .query = n->H };
}

static int check(const ScoreSizes *n, Err *e)
{
    if (n->C == n->H) return 0;
    return err(e, "--attention dot and scaled-dot multiply decoder states (%d wide) with encoder "
                  "states (%d wide), which must have the same width; use --attention general, or "
                  "--no-bidirectional", n->H, n->C);
}

const AttentionScore score_dot = {
    .shape = shape, .check = check,
    .query_forward = dot_query_forward, .query_backward = dot_query_backward,
    .score_forward = dot_score_forward, .score_backward = dot_score_backward,
};

const AttentionScore score_scaled_dot = {
    .shape = shape, .check = check,
    .query_forward = scaled_query_forward, .query_backward = scaled_query_backward,
    .score_forward = dot_score_forward, .score_backward = dot_score_backward,
};
