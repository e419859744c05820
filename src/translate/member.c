/* member.c - the network as a search needs it: begin, step, logits, attention. */
#include "translate/member.h"

#include "nn/vector.h"

#include <string.h>

void member_layout(MemberState *m, Arena *arena, const Member *member, BatchSize size, int rows)
{
    const Net *net = &member->net;
    m->member = member;
    encoder_layout(&m->encoder, arena, net, size, 0);
    decoder_layout(&m->decoder, arena, net, rows, rows, size.source_steps, 0);
    readout_layout(&m->readout, arena, net, rows, 0);
    for (int l = 0; l < net->n.L; l++)
        m->spare[l] = arena_reals(arena, (size_t)rows * net->n.H);
}

void member_begin(MemberState *m, const SourceBatch *batch, int sentences)
{
    const Net *net = &m->member->net;
    const size_t states = (size_t)sentences * net->n.H;
    encoder_forward(&m->encoder, net, &m->member->w, batch, sentences, &(Noise){ 0 });
    for (int l = 0; l < net->n.L; l++)
        memcpy(m->decoder.state[l], m->encoder.start + l * states, states * sizeof(real));
}

/* Whether each row stands where it stood before, as in greedy search until a sentence ends. */
static int stay(const StepRows *rows)
{
    for (int i = 0; i < rows->count; i++)
        if (rows->from[i] != i) return 0;
    return 1;
}

/* Decoder states of all rows, from where they were in the step before. */
static void gather_states(MemberState *m, const StepRows *rows)
{
    const size_t H = (size_t)m->member->net.n.H;
    if (stay(rows)) return;
    for (int l = 0; l < m->member->net.n.L; l++) {
        for (int i = 0; i < rows->count; i++)
            memcpy(m->spare[l] + i * H, m->decoder.state[l] + rows->from[i] * H, H * sizeof(real));
        real *old = m->decoder.state[l];
        m->decoder.state[l] = m->spare[l];
        m->spare[l] = old;
    }
}

void member_step(MemberState *m, const StepRows *rows)
{
    const Noise none = { 0 };
    const Net *net = &m->member->net;
    const Weights *w = &m->member->w;
    const AttentionSource source = { m->encoder.memory, m->encoder.keys, rows->first, rows->length };
    gather_states(m, rows);
    decoder_inputs(&m->decoder, net, w, rows->input, NULL, rows->count, &none);
    decoder_step(&m->decoder, net, w, 0, rows->count, &source, NULL, &none);
    readout_forward(&m->readout, net, w, &m->decoder, NULL, rows->count, &none);
}

int member_chunk(const MemberState *m)
{
    return m->readout.chunk;
}

static real *logits_of(MemberState *m, int at, int rows)
{
    readout_logits(m->readout.logits, &m->readout, &m->member->net, &m->member->w, at, rows);
    return m->readout.logits;
}

static void softmax_rows(real *logits, int rows, int V)
{
    for (int i = 0; i < rows; i++)
        vector_softmax(logits + (size_t)i * V, V);
}

real *members_logits(MemberState *m, int members, int at, int rows)
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
    vector_log(logits, all);
    return logits;
}

void members_attention(real *alpha, const MemberState *m, int members, int row, int length)
{
    memcpy(alpha, m->decoder.alpha + (size_t)row * m->decoder.S, (size_t)length * sizeof *alpha);
    if (members == 1) return;
    for (int i = 1; i < members; i++)
        vector_add(alpha, m[i].decoder.alpha + (size_t)row * m[i].decoder.S, (size_t)length);
    vector_scale(alpha, 1 / (real)members, (size_t)length);
}
