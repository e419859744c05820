/* score.h - the family of attention scores: how well does a key answer a query?
 *
 * A score says e = score(query, key) for one decoder state d (H) and one encoder state m (C), in two parts: what
 * depends on one side only is prepared once (keys once a sentence, queries once a step), the rest is done for every
 * pair. The softmax over the scores and the weighted sum are the same for all and live in attention.h.
 *
 * A new score is one new file with a `const Score score_NAME` and one row in the table of score.c; its parameters,
 * their names in the model file and the option --attention follow from these rows.
 */
#ifndef ATTN_NN_SCORE_H
#define ATTN_NN_SCORE_H

#include "base/real.h"

typedef struct { int H, C, A; } ScoreSizes;       /* width of a decoder state, of an encoder state, of the attention */

enum { SCORE_PARAMETERS = 4 };
typedef enum { WIDTH_1, WIDTH_H, WIDTH_C, WIDTH_A } ScoreWidth;

typedef struct {
    const char *name;                             /* in the model file; NULL ends the list */
    ScoreWidth  rows, columns;
} ScoreParameter;

typedef struct {
    ScoreParameter parameter[SCORE_PARAMETERS + 1];
    ScoreWidth     prepared;                      /* width P of a prepared key and a prepared query */

    /* w and dw are the tensors in the order of `parameter`.
     * keys (M,P) from memory (M,C);  query (rows,P) from state (rows,H) */
    void (*keys_forward)(real *keys, const real *memory, real *const *w, int M, ScoreSizes n);
    void (*query_forward)(real *query, const real *state, real *const *w, int rows, ScoreSizes n);
    /* e (length): the scores of one prepared query (P) with `length` prepared keys (length,P) */
    void (*score_forward)(real *e, const real *query, const real *keys, real *const *w, int length, ScoreSizes n);

    /* The gradients, in the order the backward pass calls them.
     * score_backward: dquery (P) overwritten; dkeys (length,P) accumulated, for every step reads the same keys */
    void (*score_backward)(real *dquery, real *dkeys, real *const *dw, const real *de, const real *query,
                           const real *keys, real *const *w, int length, ScoreSizes n);
    /* dstate (rows,H) accumulated: the state also feeds the recurrence */
    void (*query_backward)(real *dstate, const real *dquery, real *const *w, int rows, ScoreSizes n);
    /* dw from all steps at once: dquery (N,P), state (N,H) */
    void (*query_weights_backward)(real *const *dw, const real *dquery, const real *state, int N, ScoreSizes n);
    /* dmemory (M,C) accumulated: the memory also feeds the contexts */
    void (*keys_backward)(real *dmemory, real *const *dw, const real *dkeys, const real *memory, real *const *w,
                          int M, ScoreSizes n);
} Score;

extern const Score *const scores[];               /* the table; NULL ends it */
extern const char *const score_names[];           /* their names in the same order, for --attention */

int score_width(ScoreWidth width, ScoreSizes n);

#endif
