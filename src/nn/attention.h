/* attention.h - what all attention layers share: the softmax over the positions of a sentence, and
 * the weighted sum.
 *
 *   alpha_s = exp(e_s) / sum over s' of exp(e_s')    s, s': the words of the sentence, the mask
 *   c       = sum over s of alpha_s m_s
 *
 * The memory holds the encoder states of all sentences of a batch, sentence after sentence:
 * positions first[i] .. first[i] + length[i] - 1 belong to the sentence that row i translates.
 * Several rows may share one sentence (beam search). length[i] >= 1; a row all of whose weights are
 * masked by dropout has c = 0.
 *
 * K and Q are the widths of a prepared key and query, H, C those of decoder and encoder states; M
 * positions in all.
 */
#ifndef ATTN_NN_ATTENTION_H
#define ATTN_NN_ATTENTION_H

#include "nn/dropout.h"
#include "nn/nn.h"
#include "nn/score/score.h"

#include <stddef.h>

/* ---- Hard attention: few positions instead of all (Xu et al. 2015, section 4.1) ----
 *
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
 * reinforce uses all weights as they are in half of the sentences, chosen at random (section 4.1).
 */

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

/* ---- The layer ---- */

typedef struct {
    const AttentionScore *score;
    ScoreSizes            n;
    ScoreShape            shape;
} Attention;

Attention attention_of(const AttentionScore *score, ScoreSizes n);

typedef struct {
    const real *memory;       /* (M, C) encoder states */
    const real *keys;         /* (M, K) prepared keys */
    const int  *first;        /* (rows) */
    const int  *length;       /* (rows) */
    const real *values;       /* (M, width) what a search sums up in place of the memory; NULL: the
                               * memory itself */
    int         width;
} AttentionSource;

/* attention_keys_size - reals that the keys of M memory rows take; 0 if the memory is the keys. */
size_t attention_keys_size(const Attention *a, size_t M);

/* attention_keys_forward - prepares the keys of M memory rows; returns `keys`, or the memory where
 * it is the keys.
 * attention_keys_backward - after the last step: dkeys become part of dmemory and l->dw. */
const real *attention_keys_forward(const Attention *a, const Linear *w, real *keys,
                                   const real *memory, int M);
void attention_keys_backward(const Attention *a, const ScoreLayer *l, real *dmemory,
                             const real *dkeys, const real *memory, int M);

/* What changes the weights before they are used: hard attention chooses among them, then dropout
 * masks them. Noise of all zeros changes nothing. */
typedef struct {
    HardAttention   hard;
    uint64_t        key;            /* of what is drawn */
    const uint64_t *name;           /* (rows)  of the rows' draws; only for
                                     * HARD_SAMPLED */
    Dropout         dropout;
    int             place;
    const uint64_t *token;          /* (rows)  as in nn/dropout.h; only for dropout */
    int             shown;          /* alpha becomes the weights that were used; else it stays as
                                     * the backward pass reads it */
    Dropout         choice;         /* of `hard`: rows whose choice is dropped use all weights as
                                     * they are, and learn as soft attention does */
    int             choice_place;
    real           *used;           /* scratch (ld) */
    const real     *advantage;      /* (rows)  of HARD_REINFORCE, backward */
} AttentionNoise;

/* The arrays of one step. */
typedef struct {
    int         rows;
    real       *context;    /* (rows, C)  forward writes it; (rows, width) with values */
    real       *alpha;      /* (rows, ld) forward writes the first length[i] of row i */
    int         ld;
    real       *query;      /* (rows, Q)  forward writes it: prepared, for the backward pass */
    const real *word;       /* (rows, E)  embeddings of the previous words; read by some scores */
    const real *dcontext;   /* (rows, C)  backward only, as what follows */
    real       *dquery;     /* (rows, Q)  overwritten */
    real       *de;         /* (ld)       scratch */
    real       *dword;      /* (rows, E)  accumulated */
} AttentionStep;

/* attention_forward - contexts of one step; state in (rows, H), row distance lds. */
void attention_forward(const Attention *a, const ScoreLayer *l, const AttentionStep *step,
                       const real *state, int lds, const AttentionSource *source,
                       const AttentionNoise *noise);

/* The gradients that all steps of a batch add to, beside those of the weights. */
typedef struct {
    real *memory;             /* (M, C) */
    real *keys;               /* (M, K); the same as `memory` where the memory is the keys */
} AttentionGradient;

/* attention_backward - the gradient of that step.
 *
 * dstate   in/out (rows, H) accumulated, row distance lds
 * d        in/out           accumulated: every step reads the same memory
 */
void attention_backward(const Attention *a, const ScoreLayer *l, const AttentionStep *step,
                        real *dstate, int lds, const AttentionGradient *d,
                        const AttentionSource *source, const AttentionNoise *noise);

/* attention_weights_backward - after the last step: the gradients of the query's weights of all N
 * rows in one product, from what attention_backward left in dquery (N, Q), the states (N, H) of the
 * queries and, for scores that read them, the previous words (N, E). */
void attention_weights_backward(const Attention *a, const ScoreLayer *l, const real *dquery,
                                const real *state, int lds, const real *word, int N);

#endif
