/* hard_attention.c - the choice of positions, and its estimators of the gradient. */
#include "nn/hard_attention.h"

#include "base/random/rng.h"
#include "linalg/vector.h"

#include <string.h>

/* The largest weight that is not chosen yet. */
static int largest(const real *h, const real *alpha, int length)
{
    int best = -1;
    for (int s = 0; s < length; s++)
        if (h[s] == 0 && (best < 0 || alpha[s] > alpha[best])) best = s;
    return best;
}

static void top(real *h, const real *alpha, int length, int k)
{
    const int count = k < length ? k : length;
    for (int i = 0; i < count; i++)
        h[largest(h, alpha, length)] = 1 / (real)count;
}

/* The position where the running sum passes `at`; never one of weight 0. */
static int position_at(const real *alpha, int length, double at)
{
    int last = 0;
    double sum = 0;
    for (int s = 0; s < length; s++) {
        if (!(alpha[s] > 0)) continue;
        last = s;
        sum += (double)alpha[s];
        if (sum > at) break;
    }
    return last;
}

static void sampled(real *h, const real *alpha, int length, int k, uint64_t key, uint64_t name)
{
    const double sum = (double)vector_sum(alpha, length);
    for (int i = 0; i < k; i++) {
        const double at = sum * rng_uniform(key, name << 10 | (uint64_t)i);
        h[position_at(alpha, length, at)] += 1 / (real)k;
    }
}

void hard_attention_forward(real *h, const real *alpha, int length, const HardAttention *hard,
                            uint64_t key, uint64_t name)
{
    memset(h, 0, (size_t)length * sizeof *h);
    if (hard->choice == HARD_TOP) top(h, alpha, length, hard->k);
    else sampled(h, alpha, length, hard->k, key, name);
}

/* log p = sum over s of n_s log (alpha_s / sum of alpha),  n_s = k h_s */
void hard_attention_reinforce(real *dalpha, const real *h, const real *alpha, int length,
                              const HardAttention *hard, real advantage)
{
    const real k = (real)hard->k, sum = vector_sum(alpha, length);
    for (int s = 0; s < length; s++)
        dalpha[s] = advantage * ((h[s] > 0 ? k * h[s] / alpha[s] : 0) - k / sum);
}

void hard_attention_advantage(real *loss, const PackedSequence *seq, double baseline, double scale)
{
    for (int t = seq->steps - 1; t >= 0; t--)
        for (int i = 0; i < seq->rows[t]; i++) {
            const int row = seq->start[t] + i;
            const int goes_on = t + 1 < seq->steps && i < seq->rows[t + 1];
            const double later = goes_on ? (double)loss[seq->start[t + 1] + i] : 0;
            loss[row] = (real)(later + scale * ((double)loss[row] - baseline));
        }
}
