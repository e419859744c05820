/* general.c - the bilinear score:
 *
 *   general          e = d · W m             (Luong, Pham and Manning 2015, section 3.1)
 *   scaled_general   e = d · W m / sqrt(H)   (with the scale of Vaswani et al. 2017, equation 1)
 *
 * A step of Adam changes all of W at once, and so a score by much: without the scale nearly all
 * of the weight is soon on one position, and the gradient is gone (data/results/systems.md). The
 * prepared key is W m (H), computed once a sentence.
 */
#include "nn/score/score.h"

enum { W };

static ScoreShape shape(const ScoreSizes *n)
{
    return (ScoreShape){
        .parameter = { [W] = { "attention.key.weight", n->H, n->C, 0, 0 } },
        .key = n->H, .query = n->H,
        .key_products = n->H * (double)n->C,
    };
}

/* keys (M,H) = memory (M,C) · W' */
void general_keys_forward(const ScoreLayer *l, real *keys, const real *memory, int M)
{
    linear_forward(OVERWRITE, keys, l->n.H, memory, l->n.C, &l->w[W], NULL, M);
}

/* dmemory (M,C) += dkeys (M,H) · W;  dW (H,C) += dkeys' (H,M) · memory (M,C) */
void general_keys_backward(const ScoreLayer *l, real *dmemory, const real *dkeys,
                           const real *memory, int M)
{
    linear_backward_input(ACCUMULATE, dmemory, l->n.C, dkeys, l->n.H, &l->w[W], M);
    linear_backward_weight(&l->dw[W], dkeys, l->n.H, memory, l->n.C, M);
}

const AttentionScore score_general = {
    .shape = shape,
    .keys_forward = general_keys_forward, .query_forward = dot_query_forward,
    .score_forward = dot_score_forward, .score_backward = dot_score_backward,
    .query_backward = dot_query_backward, .keys_backward = general_keys_backward,
};

const AttentionScore score_scaled_general = {
    .shape = shape,
    .keys_forward = general_keys_forward, .query_forward = scaled_query_forward,
    .score_forward = dot_score_forward, .score_backward = dot_score_backward,
    .query_backward = scaled_query_backward, .keys_backward = general_keys_backward,
};
