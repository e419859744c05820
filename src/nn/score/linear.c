/* linear.c - scores of positions from the decoder's state and the previous word (PyTorch's tutorial
 * "Translation with a Sequence to Sequence Network and Attention", Robertson 2017, AttnDecoderRNN;
 * without the bias):
 *
 *   e = W [d ; E y_{t-1}]        one score a position
 *
 * W has a row for each of N positions (--attention-positions). Of a longer source the first N
 * positions are seen: the others weigh 0. Without the word this is location.c.
 */
#include "nn/score/score.h"

enum { STATE, WORD };

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = { { "attention.linear.weight", n->positions, n->H + n->E, .query = n->H,
                         .word = n->E } },
        .key = n->C, .query = n->positions,
        .query_products = n->positions * (double)(n->H + n->E),
    };
}

static int check(const ScoreSizes *n, Err *e)
{
    if (n->positions) return 0;
    return err(e, "--attention linear learns a score for each position and needs "
                  "--attention-positions N, the longest source it can see to its end (subwords "
                  "and <eos>)");
}

/* query (rows,N) += word (rows,E) · W_y' */
static void word_forward(const ScoreLayer *l, real *query, const real *word, int rows)
{
    linear_forward(ACCUMULATE, query, l->n.positions, word, l->n.E, &l->w[WORD], NULL, rows);
}

/* dword (rows,E) += dquery (rows,N) · W_y */
static void word_backward(const ScoreLayer *l, real *dword, const real *dquery, int rows)
{
    linear_backward_input(ACCUMULATE, dword, l->n.E, dquery, l->n.positions, &l->w[WORD], rows);
}

/* dW_y (N,E) += dquery' (N,steps) · word (steps,E) */
static void word_weights_backward(const ScoreLayer *l, const real *dquery, const real *word, int N)
{
    linear_backward_weight(&l->dw[WORD], dquery, l->n.positions, word, l->n.E, N);
}

const AttentionScore score_linear = {
    .shape = shape, .check = check,
    .query_forward = location_query_forward, .word_forward = word_forward,
    .score_forward = location_score_forward,
    .weights_forward = location_weights_forward, .weights_backward = location_weights_backward,
    .score_backward = location_score_backward, .query_backward = location_query_backward,
    .query_weights_backward = location_query_weights_backward,
    .word_backward = word_backward, .word_weights_backward = word_weights_backward,
};
