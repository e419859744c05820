/* additive.c - the score of Bahdanau, Cho and Bengio (2015), appendix A.1.2:
 *
 *   e = v · tanh(W_q d + W_k m)
 */
#include "nn/score/hidden.h"

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = {
            [HIDDEN_QUERY] = { "attention.query.weight", n->A, n->H, .query = n->H },
            [HIDDEN_KEY] = { "attention.key.weight", n->A, n->C, 0, 0 },
            [HIDDEN_SCORE] = { "attention.score.weight", 1, n->A, 0, 0 },
        },
        .key = n->A, .query = n->A,
        .key_products = n->A * (double)n->C, .query_products = n->A * (double)n->H,
    };
}

const AttentionScore score_additive = {
    .shape = shape,
    .keys_forward = hidden_keys_forward, .query_forward = hidden_query_forward,
    .score_forward = hidden_score_forward, .score_backward = hidden_score_backward,
    .query_backward = hidden_query_backward,
    .query_weights_backward = hidden_query_weights_backward,
    .keys_backward = hidden_keys_backward,
};
