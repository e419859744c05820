/* decoder_attention.c - the attention of one step, its noise and its gradients. */
#include "model/decoder/decoder_attention.h"

#include "base/random/rng.h"

/* Sets the noise of the attention weights of the rows from `at`; returns whether there is any. */
static int change_of(AttentionNoise *change, DecoderState *d, const Pass *pass, int at)
{
    const Noise *noise = pass->noise;
    const HardAttention *hard = &pass->architecture->hard;
    const uint64_t *token = tokens_from(pass->target->token, at);
    const int drops = noise->attention.p > 0, reinforces = hard->estimator == HARD_REINFORCE;
    if (!hard->choice && !drops) return 0;
    *change = (AttentionNoise){ .hard = *hard, .dropout = noise->attention,
                                .place = PLACE_ATTENTION,
                                .key = noise->draws ? noise->draws : rng_key(0, 0, RNG_ATTENTION),
                                .name = token, .token = drops ? token : NULL,
                                .choice = reinforces ? noise->choice : (Dropout){ 0 },
                                .choice_place = PLACE_CHOICE,
                                .shown = !pass->gradients, .used = d->scratch + d->S };
    return 1;
}

/* The arrays of the rows from `at`. */
static AttentionStep step_of(const DecoderState *d, const Attention *a, int at, int rows)
{
    const size_t row = (size_t)at;
    return (AttentionStep){ .rows = rows, .context = d->context + row * a->n.C,
                            .alpha = d->alpha + row * d->S, .ld = d->S,
                            .query = d->query + row * a->shape.query,
                            .word = d->embedded + row * a->n.E };
}

static ScoreLayer score_of(const Pass *pass)
{
    return score_layer_of(&pass->architecture->attention, pass->weights->score,
                           pass->gradients ? pass->gradients->score : NULL);
}

void decoder_attend(DecoderState *d, const Pass *pass, const real *state, int ld, int at, int rows)
{
    const Attention *a = &pass->architecture->attention;
    const ScoreLayer score = score_of(pass);
    const AttentionStep step = step_of(d, a, at, rows);
    AttentionNoise change;
    const int changes = change_of(&change, d, pass, at);
    attention_forward(a, &score, &step, state, ld, pass->memory, changes ? &change : NULL);
}

void decoder_attend_backward(DecoderState *d, real *dstate, int ld, const DecoderGradient *g,
                             const Pass *pass, int at, int rows)
{
    const Attention *a = &pass->architecture->attention;
    const ScoreLayer score = score_of(pass);
    AttentionStep step = step_of(d, a, at, rows);
    step.dcontext = g->dcontext + (size_t)at * a->n.C;
    step.dquery = d->dquery + (size_t)at * a->shape.query;
    step.de = d->scratch;
    step.dword = g->dembedded + (size_t)at * a->n.E;
    AttentionNoise change;
    const int changes = change_of(&change, d, pass, at);
    if (changes && g->advantage) change.advantage = g->advantage + at;
    attention_backward(a, &score, &step, dstate, ld, &g->attention, pass->memory,
                       changes ? &change : NULL);
}

void decoder_attend_weights(const DecoderState *d, const Pass *pass, const real *state, int ld,
                            int N)
{
    const ScoreLayer score = score_of(pass);
    const Attention *a = &pass->architecture->attention;
    attention_weights_backward(a, &score, d->dquery, state, ld, N);
    attention_word_weights_backward(a, &score, d->dquery, d->embedded, N);
}
