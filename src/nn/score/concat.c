/* concat.c - the score with one matrix of Luong, Pham and Manning (2015), section 3.1:
 *
 *   e = v · tanh(W [d ; m])
 *
 * W (A, H + C) is the two matrices of additive.c side by side, which is how it is computed.
 */
#include "nn/score/score.h"

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = {
            { "attention.hidden.weight", n->A, n->H + n->C, .query = n->H },
            { "attention.score.weight", 1, n->A, 0, 0 },
        },
        .key = n->A, .query = n->A,
        .key_products = n->A * (double)n->C, .query_products = n->A * (double)n->H,
    };
}

const AttentionScore score_concat = {
    .shape = shape,
    .keys_forward = hidden_keys_forward, .query_forward = hidden_query_forward,
    .score_forward = hidden_score_forward, .score_backward = hidden_score_backward,
    .query_backward = hidden_query_backward,
    .query_weights_backward = hidden_query_weights_backward,
    .keys_backward = hidden_keys_backward,
};
