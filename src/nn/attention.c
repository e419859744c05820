/* attention.c - the table of scores; softmax over a sentence's own positions, and the context. */
#include "nn/attention.h"

#include "base/random/rng.h"
#include "linalg/vector.h"

#include <string.h>

#define SCORE(score, name) &score_##score,
#define NAME(score, name) name,
const AttentionScore *const attention_scores[] = { SCORE_TABLE(SCORE) NULL };
const char *const attention_score_names[] = { SCORE_TABLE(NAME) NULL };

Attention attention_of(const AttentionScore *score, ScoreSizes n)
{
    return (Attention){ .score = score, .n = n, .shape = score->shape(&n) };
}

/* ---- keys ---- */

size_t attention_keys_size(const Attention *a, size_t M)
{
    return a->score->keys_forward ? M * (size_t)a->shape.key : 0;
}

const real *attention_keys_forward(const Attention *a, const Linear *w, real *keys,
                                   const real *memory, int M)
{
    if (!a->score->keys_forward) return memory;
    const ScoreLayer l = { a->n, w, NULL };
    a->score->keys_forward(&l, keys, memory, M);
    return keys;
}

void attention_keys_backward(const Attention *a, const ScoreLayer *l, real *dmemory,
                             const real *dkeys, const real *memory, int M)
{
    if (a->score->keys_backward) a->score->keys_backward(l, dmemory, dkeys, memory, M);
}

/* ---- hard attention: the choice of positions, and its estimators of the gradient ---- */

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

/* ---- from weights to those that are used ---- */

/* Whether row i chooses among its weights. */
static int is_hard(const AttentionNoise *noise, int i)
{
    const int drops = noise->choice.p > 0;
    return noise->hard.choice
           && (!drops || dropout_factor(&noise->choice, noise->choice_place, noise->name[i]) > 0);
}

static void choose(const AttentionNoise *noise, real *used, const real *alpha, int i, int length)
{
    if (is_hard(noise, i))
        hard_attention_forward(used, alpha, length, &noise->hard, noise->key,
                               noise->name ? noise->name[i] : 0);
    else memcpy(used, alpha, (size_t)length * sizeof *used);
}

/* Dropout of row i: of its weights, or of their gradient. */
static void mask(const AttentionNoise *noise, real *x, int i, int length)
{
    if (noise->token) dropout_apply(x, &noise->dropout, noise->place, noise->token + i, 1, length);
}

/* The weights that row i uses: the same in both passes. */
static const real *noise_forward(const AttentionNoise *noise, const real *alpha, int i, int length)
{
    if (!noise->hard.choice && !noise->token) return alpha;
    choose(noise, noise->used, alpha, i, length);
    mask(noise, noise->used, i, length);
    return noise->used;
}

/* dalpha holds the gradient of the weights that were used, and becomes that of alpha. */
static void noise_backward(const AttentionNoise *noise, real *dalpha, const real *alpha, int i,
                           int length)
{
    if (noise->hard.estimator == HARD_REINFORCE && is_hard(noise, i)) {
        choose(noise, noise->used, alpha, i, length);
        hard_attention_reinforce(dalpha, noise->used, alpha, length, &noise->hard,
                                 noise->advantage[i]);
    } else {
        mask(noise, dalpha, i, length);
    }
}

/* ---- one row ---- */

/* Row i of a step, and the part of memory and keys that is its sentence's. */
typedef struct {
    int         i, length;
    size_t      first;
    const real *memory, *keys;
    const real *values;         /* (length, width) which the weights sum up */
    size_t      width;
    real       *alpha, *query;
} Row;

static Row row_of(const Attention *a, const AttentionStep *step, const AttentionSource *source,
                  int i)
{
    const size_t first = (size_t)source->first[i], C = (size_t)a->n.C;
    const real *memory = source->memory + first * C;
    const size_t width = source->values ? (size_t)source->width : C;
    return (Row){ i, source->length[i], first, memory,
                  source->keys + first * (size_t)a->shape.key,
                  source->values ? source->values + first * width : memory, width,
                  step->alpha + (size_t)i * step->ld, step->query + (size_t)i * a->shape.query };
}

static void row_forward(const Attention *a, const ScoreLayer *l, const Row *r, real *context,
                        const AttentionNoise *noise)
{
    /* 2. e_s = score(query, key_s) */
    a->score->score_forward(l, r->alpha, r->query, r->keys, r->length);
    /* 3. alpha = softmax(e) */
    if (a->score->weights_forward) a->score->weights_forward(l, r->alpha, r->query, r->length);
    else vector_softmax(r->alpha, r->length);
    const real *used = noise_forward(noise, r->alpha, r->i, r->length);
    /* 4. c = sum_s alpha_s m_s */
    memset(context, 0, r->width * sizeof *context);
    for (int s = 0; s < r->length; s++)
        vector_axpy(context, used[s], r->values + s * r->width, r->width);
    if (noise->shown && used != r->alpha)
        memcpy(r->alpha, used, (size_t)r->length * sizeof *used);
}

static void row_backward(const Attention *a, const ScoreLayer *l, const Row *r,
                         const AttentionStep *step, const AttentionGradient *d,
                         const AttentionNoise *noise)
{
    const size_t C = (size_t)a->n.C, Q = (size_t)a->shape.query;
    const real *dcontext = step->dcontext + r->i * C;
    const real *used = noise_forward(noise, r->alpha, r->i, r->length);
    real *de = step->de, *dquery = step->dquery + r->i * Q, *dmemory = d->memory + r->first * C;
    /* 4. dalpha_s = dc · m_s;  dm_s += alpha_s dc */
    for (int s = 0; s < r->length; s++) {
        de[s] = vector_dot(dcontext, r->memory + s * C, C);
        vector_axpy(dmemory + s * C, used[s], dcontext, C);
    }
    noise_backward(noise, de, r->alpha, r->i, r->length);
    /* 3. */
    memset(dquery, 0, Q * sizeof *dquery);
    if (a->score->weights_backward)
        a->score->weights_backward(l, de, dquery, r->alpha, r->query, r->length);
    else vector_softmax_backward(de, r->alpha, r->length);
    /* 2. */
    a->score->score_backward(l, dquery, d->keys + r->first * (size_t)a->shape.key, de, r->query,
                             r->keys, r->length);
}

/* ---- one step ---- */

void attention_forward(const Attention *a, const ScoreLayer *l, const AttentionStep *step,
                       const real *state, int lds, const AttentionSource *source,
                       const AttentionNoise *noise)
{
    const AttentionScore *score = a->score;
    const size_t C = (size_t)a->n.C;
    for (int i = 0; score->context_forward && i < step->rows; i++)
        score->context_forward(l, step->context + i * C, step->alpha + (size_t)i * step->ld,
                               source->memory + source->first[i] * C, source->length[i]);
    if (score->context_forward) return;
    /* 1. queries */
    score->query_forward(l, step->query, state, lds, step->rows);
    if (score->word_forward) score->word_forward(l, step->query, step->word, step->rows);
    for (int i = 0; i < step->rows; i++) {
        const Row row = row_of(a, step, source, i);
        row_forward(a, l, &row, step->context + (size_t)i * row.width, noise);
    }
}

void attention_backward(const Attention *a, const ScoreLayer *l, const AttentionStep *step,
                        real *dstate, int lds, const AttentionGradient *d,
                        const AttentionSource *source, const AttentionNoise *noise)
{
    const AttentionScore *score = a->score;
    const size_t C = (size_t)a->n.C;
    for (int i = 0; score->context_backward && i < step->rows; i++)
        score->context_backward(l, d->memory + source->first[i] * C, step->dcontext + i * C,
                                source->length[i]);
    if (score->context_backward) return;
    for (int i = 0; i < step->rows; i++) {
        const Row row = row_of(a, step, source, i);
        row_backward(a, l, &row, step, d, noise);
    }
    /* 1. */
    score->query_backward(l, dstate, lds, step->dquery, step->query, step->rows);
    if (score->word_backward) score->word_backward(l, step->dword, step->dquery, step->rows);
}

void attention_weights_backward(const Attention *a, const ScoreLayer *l, const real *dquery,
                                const real *state, int lds, const real *word, int N)
{
    const AttentionScore *score = a->score;
    if (score->query_weights_backward) score->query_weights_backward(l, dquery, state, lds, N);
    if (score->word_weights_backward) score->word_weights_backward(l, dquery, word, N);
}
