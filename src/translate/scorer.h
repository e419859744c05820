/* scorer.h - one network inside a search. Several that share both vocabularies are an ensemble: every word is chosen by
 * the mean of their probabilities (Sutskever, Vinyals and Le 2014, section 3.6), and their attentions are averaged to
 * be shown.
 */
#ifndef ATTN_TRANSLATE_SCORER_H
#define ATTN_TRANSLATE_SCORER_H

#include "linalg/pruned_argmax.h"
#include "model/decoder.h"
#include "model/encoder.h"
#include "model/prepacked_weights.h"
#include "model/readout.h"

typedef struct {
    Architecture            net;
    Weights        w;
    PrepackedWeights *prepacked;    /* the copies that w points to, or NULL */
    PrunedArgmax  *argmax;      /* of the output layer, or NULL */
} Scorer;

/* Where a search stands in one network; B sentences, at most R rows. */
typedef struct {
    const Scorer *member;
    EncoderState  encoder;
    DecoderState  decoder;
    ReadoutState  readout;
} ScorerState;

/* The rows of one step. */
typedef struct {
    int        count;
    const int *from;            /* (count) the row of the step before (at first: the sentence) that each goes on from */
    const int *input;           /* (count) its last word */
    const int *first, *length;  /* (count) its sentence's part of the memory */
    const uint64_t *name;       /* (count) names of what hard attention draws */
    uint64_t draws;             /* its stream */
} StepRows;

void scorer_layout(ScorerState *m, Arena *arena, const Scorer *member, BatchSize size, int rows);

/* scorer_begin - reads the sources; the first decoder states stand in sentence order. */
void scorer_begin(ScorerState *m, const SourceBatch *batch, int sentences);

/* scorer_step - all rows one word further. */
void scorer_step(ScorerState *m, const StepRows *rows);

/* scorer_end - gives back what the steps took beside the arena. */
void scorer_end(ScorerState *m);

/* scorer_chunk - of how many rows logits are held at a time; the same for all members of an ensemble. */
int scorer_chunk(const ScorerState *m);

/* scorers_logits - logits (rows, V) of rows `at` .. of the last step, in m[0]'s own memory; of an ensemble they are
 * the logarithms of the mean probabilities. Where logits overflow, not all of their row are
 * finite. */
real *scorers_logits(ScorerState *m, int members, int at, int rows);

/* scorer_bounds - the bounds of all logits of the last step, block by block: (rows, pruned_argmax_blocks).
 * scorer_best - the word of the greatest logit of a row; -1: that is no number, or all are
 * forbidden. */
void scorer_bounds(const ScorerState *m, real *bound, int rows);
int  scorer_best(const ScorerState *m, const real *bound, int row, const int *forbidden, int count);

/* scorers_attention - the attention of one row of the last step, (length). */
void scorers_attention(real *alpha, const ScorerState *m, int members, int row, int length);

#endif
