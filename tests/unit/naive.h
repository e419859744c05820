/* naive.h - slow twins of src/nn: the equations as in the papers, as loops over one
 * sentence, one row, one value at a time. No packing, no products of many rows, nothing saved, and
 * double whatever `real` is: so a twin is the function whose gradient the tests take by
 * differences, in every build.
 */
#ifndef ATTN_TESTS_NAIVE_H
#define ATTN_TESTS_NAIVE_H

#include "nn/adam.h"
#include "nn/cell.h"
#include "nn/layer_norm.h"
#include "nn/score/score.h"
#include "nn/self_attention.h"

/* A matrix, or its transpose: element (i, j) is x[i * row + j * column]. */
typedef struct {
    const real *x;
    int         row, column;
} View;

/* c (m,n) = a (m,k) · b (k,n) */
void naive_product(double *c, View a, View b, int m, int k, int n);

/* One sentence from the zero state: h (length,H) from x (length,I), read from its last word to its
 * first if `reverse`. Where the weights have gains, both parts of the gates are normalised. */
void naive_gru(double *h, const real *x, const CellWeights *w, int length, int reverse, int I,
               int H);

/* The same of an LSTM: states (length,2H) are [h ; m]. */
void naive_lstm(double *states, const real *x, const CellWeights *w, int length, int reverse,
                int I, int H);

/* One row of attention over a padded sentence, with the score of that name: the scores from
 * `length` on are masked with -infinity. context (C), alpha (S), memory (S,C); state (H), then the
 * previous word (E); w: the score's weights in their order */
void naive_attention(double *context, double *alpha, const char *score, const real *state,
                     const real *memory, const Linear *w, int length, int S, const ScoreSizes *n);

/* One row, y may be x: y (n) = gain * (x - mean) / sqrt(variance + epsilon) + bias */
void naive_layer_norm(double *y, const double *x, const NormWeights *w, double epsilon, int n);

/* One sentence: y (length,D) = the layer of nn/self_attention.h on x (length,D), no dropout. memory
 * (S,M): only if n->M */
void naive_self_attention(double *y, const real *x, const real *memory, int S,
                          const SelfAttentionWeights *w, int length, const SelfAttentionSizes *n);

/* p (n) = softmax(x); p may be x */
void naive_softmax(double *p, const double *x, int n);

/* -sum_j q_j log p_j of one row, q = (1 - epsilon) [j = y] + epsilon / V */
double naive_cross_entropy(const real *logits, int y, int V, double epsilon);

/* Update number t (from 1) of one value. */
void naive_adam(double *w, double *m, double *v, double g, const AdamOptions *options, long t);

#endif
