/* scorer.c - the network as a search needs it: begin, step, logits, attention. */
#include "translate/scorer.h"

#include "base/finite.h"
#include "linalg/vector.h"

#include <math.h>
#include <string.h>

void scorer_layout(ScorerState *m, Arena *arena, const Scorer *member, BatchSize size, int rows)
{
    const Architecture *net = &member->net;
    m->member = member;
    encoder_layout(&m->encoder, arena, net, size, 0);
    decoder_layout(&m->decoder, arena, net, rows, rows, size.source_steps, 0, 0);
    readout_layout(&m->readout, arena, net, rows, 0);
}

void scorer_begin(ScorerState *m, const SourceBatch *batch, int sentences)
{
    encoder_forward(&m->encoder, &m->member->net, &m->member->w, batch, sentences, &(Noise){ 0 });
    decoder_begin(&m->decoder, m->encoder.start, sentences);
}

/* Whether each row stands where it stood before, as in greedy search until a sentence ends. */
static int stay(const StepRows *rows)
{
    for (int i = 0; i < rows->count; i++)
        if (rows->from[i] != i) return 0;
    return 1;
}

void scorer_step(ScorerState *m, const StepRows *rows)
{
    const Noise noise = { .draws = rows->draws };
    const Scorer *member = m->member;
    const AttentionSource source = { m->encoder.memory, m->encoder.keys, rows->first, rows->length };
    const DecoderPass pass = { &member->net, &member->w, &source, NULL, &noise, rows->name, NULL };
    if (!stay(rows)) decoder_gather(&m->decoder, rows->from, rows->count);
    decoder_inputs(&m->decoder, &pass, rows->input, NULL, rows->count);
    decoder_step(&m->decoder, &pass, 0, rows->count);
    readout_forward(&m->readout, &member->net, &member->w, &m->decoder, NULL, rows->count, &noise);
}

void scorer_end(ScorerState *m)
{
    decoder_end(&m->decoder);
}

int scorer_chunk(const ScorerState *m)
{
    return m->readout.chunk;
}

static real *logits_of(ScorerState *m, int at, int rows)
{
    readout_logits(m->readout.logits, &m->readout, &m->member->net, &m->member->w, at, rows);
    return m->readout.logits;
}

static void softmax_rows(real *logits, int rows, int V)
{
    for (int i = 0; i < rows; i++)
        vector_softmax(logits + (size_t)i * V, V);
}

/* p (V) = log p; the logarithm of vectors makes a number of NaN. */
static void log_row(real *p, int V)
{
    const int is_number = all_finite(p, (size_t)V);
    vector_log(p, (size_t)V);
    if (!is_number) p[0] = (real)NAN;
}

real *scorers_logits(ScorerState *m, int members, int at, int rows)
{
    const int V = m->member->net.n.Vt;
    const size_t all = (size_t)rows * V;
    real *logits = logits_of(m, at, rows);
    if (members == 1) return logits;
    /* log (1/M sum of p_m) */
    softmax_rows(logits, rows, V);
    for (int i = 1; i < members; i++) {
        real *others = logits_of(&m[i], at, rows);
        softmax_rows(others, rows, V);
        vector_add(logits, others, all);
    }
    vector_scale(logits, 1 / (real)members, all);
    for (int i = 0; i < rows; i++)
        log_row(logits + (size_t)i * V, V);
    return logits;
}

void scorer_bounds(const ScorerState *m, real *bound, int rows)
{
    pruned_argmax_bounds(m->member->argmax, bound, m->readout.output, m->member->net.n.O, rows);
}

int scorer_best(const ScorerState *m, const real *bound, int row, const int *forbidden, int count)
{
    PrunedArgmax *argmax = m->member->argmax;
    return pruned_argmax_find(argmax, bound + (size_t)row * pruned_argmax_blocks(argmax),
                       m->readout.output + (size_t)row * m->member->net.n.O, forbidden, count);
}

void scorers_attention(real *alpha, const ScorerState *m, int members, int row, int length)
{
    memcpy(alpha, m->decoder.alpha + (size_t)row * m->decoder.S, (size_t)length * sizeof *alpha);
    if (members == 1) return;
    for (int i = 1; i < members; i++)
        vector_add(alpha, m[i].decoder.alpha + (size_t)row * m[i].decoder.S, (size_t)length);
    vector_scale(alpha, 1 / (real)members, (size_t)length);
}
