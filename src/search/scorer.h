/* scorer.h - one network inside a search. Several networks that share both vocabularies are an
 * ensemble: every word is chosen by the mean of their probabilities (Sutskever, Vinyals and Le
 * 2014, section 3.6). The attention of an ensemble is the mean of theirs.
 */
#ifndef ATTN_SEARCH_SCORER_H
#define ATTN_SEARCH_SCORER_H

#include "model/decoder/decoder.h"
#include "model/encoder.h"
#include "model/prepacked_weights.h"
#include "model/readout.h"

typedef struct {
    Architecture      net;
    Weights           w;
    PrepackedWeights *prepacked;    /* the copies that w points to, or NULL */
} Scorer;

/* The state of a search in one network; B sentences, at most R rows. */
typedef struct {
    const Scorer *scorer;
    EncoderState  encoder;
    DecoderState  decoder;
    ReadoutState  readout;
    real         *values;       /* (positions, width) model/decoder/decoder.h; NULL: none */
} ScorerState;

/* The rows of one step. */
typedef struct {
    int       count;
    int      *from;             /* (count) the row of the step before (in the first step: the
                                   sentence) that each continues */
    int      *input;            /* (count) its last word */
    int      *first, *length;   /* (count) its sentence's part of the memory */
    uint64_t *name;             /* (count) names of what hard attention draws */
    uint64_t  draws;            /* key of the random numbers for that */
} StepRows;

/* scorer_layout - takes the arrays from the arena (base/mem.h). shares: several rows of each step
 * share a sentence, so that what depends on its positions alone is computed once. */
void scorer_layout(ScorerState *s, Arena *arena, const Scorer *scorer, BatchSize size, int rows,
                   int shares);

/* scorer_begin - encodes the sources; the first decoder states are in the order of the
 * sentences. What grows with the steps is taken from the region. */
void scorer_begin(ScorerState *s, const SourceBatch *batch, Region *region);

/* scorer_step - extends all rows by their last word. */
void scorer_step(ScorerState *s, const StepRows *rows);

/* scorers_logits - logits (rows, V) of rows `at` .. of the last step, at most readout.chunk of
 * them, in the memory of s[0]; those of an ensemble of `count` are the logarithms of the mean
 * probabilities. A row that overflows has a logit that is not finite. */
real *scorers_logits(ScorerState *s, int count, int at, int rows);

/* scorers_attention - the attention of one row of the last step, (length). */
void scorers_attention(real *alpha, const ScorerState *s, int count, int row, int length);

#endif
