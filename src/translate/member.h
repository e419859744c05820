/* member.h - one network inside a search. Several that share both vocabularies are an ensemble: every word is chosen by
 * the mean of their probabilities (Sutskever, Vinyals and Le 2014, section 3.6), and their attentions are averaged to
 * be shown.
 */
#ifndef ATTN_TRANSLATE_MEMBER_H
#define ATTN_TRANSLATE_MEMBER_H

#include "linalg/pruned_argmax.h"
#include "model/decoder.h"
#include "model/encoder.h"
#include "model/prepacked_weights.h"
#include "model/readout.h"

typedef struct {
    Net            net;
    Weights        w;
    PrepackedWeights *prepacked;    /* the copies that w points to, or NULL */
    PrunedArgmax  *argmax;      /* of the output layer, or NULL */
} Member;

/* Where a search stands in one network; B sentences, at most R rows. */
typedef struct {
    const Member *member;
    EncoderState  encoder;
    DecoderState  decoder;
    ReadoutState  readout;
} MemberState;

/* The rows of one step. */
typedef struct {
    int        count;
    const int *from;            /* (count) the row of the step before (at first: the sentence) that each goes on from */
    const int *input;           /* (count) its last word */
    const int *first, *length;  /* (count) its sentence's part of the memory */
    const uint64_t *name;       /* (count) names of what hard attention draws */
    uint64_t draws;             /* its stream */
} StepRows;

void member_layout(MemberState *m, Arena *arena, const Member *member, BatchSize size, int rows);

/* member_begin - reads the sources; the first decoder states stand in sentence order. */
void member_begin(MemberState *m, const SourceBatch *batch, int sentences);

/* member_step - all rows one word further. */
void member_step(MemberState *m, const StepRows *rows);

/* member_end - gives back what the steps took beside the arena. */
void member_end(MemberState *m);

/* member_chunk - of how many rows logits are held at a time; the same for all members of an ensemble. */
int member_chunk(const MemberState *m);

/* members_logits - logits (rows, V) of rows `at` .. of the last step, in m[0]'s own memory; of an ensemble they are
 * the logarithms of the mean probabilities. Where logits overflow, not all of their row are
 * finite. */
real *members_logits(MemberState *m, int members, int at, int rows);

/* member_bounds - the bounds of all logits of the last step, block by block: (rows, pruned_argmax_blocks).
 * member_best - the word of the greatest logit of a row; -1: that is no number, or all are
 * forbidden. */
void member_bounds(const MemberState *m, real *bound, int rows);
int  member_best(const MemberState *m, const real *bound, int row, const int *forbidden, int count);

/* members_attention - the attention of one row of the last step, (length). */
void members_attention(real *alpha, const MemberState *m, int members, int row, int length);

#endif
