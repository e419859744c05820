/* scorer.c - the network as a search needs it: encode, step, logits, attention. */
#include "search/scorer.h"

#include "base/real.h"
#include "linalg/vector.h"

#include <math.h>
#include <string.h>

void scorer_layout(ScorerState *s, Arena *arena, const Scorer *scorer, BatchSize size, int rows,
                   int shares)
{
    const Architecture *net = &scorer->net;
    const int width = shares ? context_projection_width(net, &scorer->w) : 0;
    s->scorer = scorer;
    encoder_layout(&s->encoder, arena, net, size, 0);
    const BatchSize step = { .sentences = rows, .source_steps = size.source_steps,
                             .source_tokens = size.source_tokens, .target_tokens = rows };
    decoder_layout(&s->decoder, arena, net, step, 0);
    readout_layout(&s->readout, arena, net, rows, 0);
    s->values = width ? arena_reals(arena, (size_t)size.source_tokens * (size_t)width) : NULL;
}

static Pass pass_of(const ScorerState *s)
{
    return (Pass){ .architecture = &s->scorer->net, .weights = &s->scorer->w, .noise = &no_noise };
}

void scorer_begin(ScorerState *s, const SourceBatch *batch, Region *region)
{
    Pass pass = pass_of(s);
    pass.source = batch;
    encoder_forward(&s->encoder, &pass);
    const AttentionSource memory = encoder_memory(&s->encoder, batch);
    pass.memory = &memory;
    if (s->values)
        context_projection_forward(s->values, pass.architecture, pass.weights, s->encoder.memory,
                                   batch->packed.total);
    decoder_begin(&s->decoder, &pass, s->encoder.start, region);
}

void scorer_step(ScorerState *s, const StepRows *rows)
{
    const Noise noise = { .draws = rows->draws };
    const AttentionSource memory = {
        s->encoder.memory, s->encoder.keys, rows->first, rows->length, s->values,
        context_projection_width(&s->scorer->net, &s->scorer->w),
    };
    const int start[] = { 0, rows->count };
    const TargetBatch target = { .packed = { 1, rows->count, &rows->count, start },
                                 .input = rows->input, .token = rows->name };
    Pass pass = pass_of(s);
    pass.target = &target;
    pass.memory = &memory;
    pass.noise = &noise;
    /* rows that continue that of their number: in greedy search all, until a sentence ends */
    int in_place = 0;
    while (in_place < rows->count && rows->from[in_place] == in_place)
        in_place++;
    if (in_place < rows->count) decoder_gather(&s->decoder, rows->from, rows->count);
    decoder_step(&s->decoder, &pass);
    readout_forward(&s->readout, &pass, &s->decoder);
}

static real *logits_of(ScorerState *s, int at, int rows)
{
    const Pass pass = pass_of(s);
    return readout_logits(&s->readout, &pass, at, rows);
}

static void softmax_rows(real *logits, int rows, int V)
{
    for (int i = 0; i < rows; i++)
        vector_softmax(logits + (size_t)i * V, V);
}

real *scorers_logits(ScorerState *s, int count, int at, int rows)
{
    const int V = s->scorer->net.n.Vt;
    const size_t all = (size_t)rows * V;
    real *logits = logits_of(s, at, rows);
    if (count == 1) return logits;
    /* log (1/M sum of p_m) */
    softmax_rows(logits, rows, V);
    for (int i = 1; i < count; i++) {
        real *others = logits_of(&s[i], at, rows);
        softmax_rows(others, rows, V);
        vector_add(logits, others, all);
    }
    vector_scale(logits, 1 / (real)count, all);
    for (int i = 0; i < rows; i++) {
        real *p = logits + (size_t)i * V;
        const int is_number = all_finite(p, (size_t)V);
        vector_log(p, (size_t)V);
        if (!is_number) p[0] = (real)NAN;       /* vector_log makes a number of NaN */
    }
    return logits;
}

void scorers_attention(real *alpha, const ScorerState *s, int count, int row, int length)
{
    memcpy(alpha, s->decoder.alpha + (size_t)row * s->decoder.S, (size_t)length * sizeof *alpha);
    if (count == 1) return;
    for (int i = 1; i < count; i++)
        vector_add(alpha, s[i].decoder.alpha + (size_t)row * s[i].decoder.S, (size_t)length);
    vector_scale(alpha, 1 / (real)count, (size_t)length);
}
