/* hard_attention.h - hard attention: few positions instead of all (Xu et al. 2015, section 4.1).
 * From the weights alpha:
 *
 *   top        h_s = 1/k at the k largest weights, of equal ones the first, and 0 elsewhere
 *   sampled    h_s = n_s / k, n_s = how often s comes in k draws from alpha, with replacement
 *
 * In a sentence with fewer positions than k, top takes all, each with 1 / length. The choice has no
 * gradient; alpha learns through one of two estimators:
 *
 *   straight-through   dalpha = dh                           (Bengio, Léonard and Courville 2013)
 *   reinforce          dalpha = R · d(log p of draws)/dalpha (Williams 1992): sampled alone
 *
 * R is the advantage of a row: the loss of the words from its own on, less the usual one
 * (model/network.h). Draws alone teach little before it is known where to look, so in training
 * reinforce uses all weights as they are in half of the sentences, chosen at random (section 4.1;
 * nn/attention.h).
 */
#ifndef ATTN_NN_HARD_ATTENTION_H
#define ATTN_NN_HARD_ATTENTION_H

#include "base/real.h"
#include "nn/nn.h"

#include <stdint.h>

typedef enum { HARD_NONE, HARD_TOP, HARD_SAMPLED } HardChoice;
typedef enum { HARD_STRAIGHT_THROUGH, HARD_REINFORCE } HardEstimator;
enum { MAX_HARD_POSITIONS = 1000 };

typedef struct {
    HardChoice    choice;
    int           k;            /* positions, or draws: 1 .. MAX_HARD_POSITIONS */
    HardEstimator estimator;    /* of alpha's gradient */
} HardAttention;

/* hard_attention_forward - h (length) from alpha (length), which sums to anything above 0. `key` is
 * the stream of the draws, `name` (below 2^54) the row's: the same draws wherever the row is
 * computed. */
void hard_attention_forward(real *h, const real *alpha, int length, const HardAttention *hard,
                            uint64_t key, uint64_t name);

/* hard_attention_reinforce - dalpha (length), overwritten: advantage · d(log p of the k draws that
 * made h)/dalpha. */
void hard_attention_reinforce(real *dalpha, const real *h, const real *alpha, int length,
                              const HardAttention *hard, real advantage);

/* hard_attention_advantage - loss (N), of each word, becomes the advantage, in place: the sum of
 * the losses of its sentence's words from this one on, each less the baseline, scaled as the loss
 * is. */
void hard_attention_advantage(real *loss, const PackedSequence *seq, double baseline, double scale);

#endif
