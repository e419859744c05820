/* dot.h - the scores without parameters: the decoder's state is the query, the memory is the keys
 * (H = C).
 *
 *   dot          e = d · m                       (Luong, Pham and Manning 2015, section 3.1)
 *   scaled_dot   e = d · m / sqrt(H)             (Vaswani et al. 2017, equation 1)
 *
 * The functions below are shared by all scores that end in a product of query and key.
 */
#ifndef ATTN_NN_SCORE_DOT_H
#define ATTN_NN_SCORE_DOT_H

#include "nn/score/score.h"

/* query (rows,H) of row distance ldq = state (rows,H) of row distance ld; and its gradient,
 * accumulated. */
void state_copy(real *query, int ldq, const real *state, int ld, int rows, int H);
void state_add(real *dstate, int ld, const real *dquery, int ldq, int rows, int H);

/* Functions of an AttentionScore (nn/score/score.h): query = d, and e = the query's first H numbers
 * · key (H). scaled: query = d / sqrt(H). */
void dot_query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows);
void dot_query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery, const real *query,
                        int rows);
void scaled_query_forward(const ScoreLayer *l, real *query, const real *state, int ld, int rows);
void scaled_query_backward(const ScoreLayer *l, real *dstate, int ld, real *dquery,
                           const real *query, int rows);
void dot_score_forward(const ScoreLayer *l, real *e, const real *query, const real *keys,
                       int length);
void dot_score_backward(const ScoreLayer *l, real *dquery, real *dkeys, const real *de,
                        const real *query, const real *keys, int length);

#endif
