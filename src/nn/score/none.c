/* none.c - no attention: every step sees the same context, as in Cho et al. (2014).
 *
 *   c = [→h of the last word ; ←h of the first word]    the last state of each direction
 *
 * There is no attention over positions, so all weights are 0.
 */
#include "nn/score/score.h"

#include "linalg/vector.h"

#include <string.h>

static ScoreShape shape(const ScoreSizes *n)
{
    (void)n;
    return (ScoreShape){ .key = 0, .query = 0 };
}

/* The state of the direction left to right is H wide; the rest, if any, is that of the other
 * one. */
static void context_forward(const ScoreLayer *l, real *context, real *alpha, const real *memory,
                            int length)
{
    const size_t H = (size_t)l->n.H, C = (size_t)l->n.C;
    memcpy(context, memory + (size_t)(length - 1) * C, H * sizeof *context);
    memcpy(context + H, memory + H, (C - H) * sizeof *context);
    memset(alpha, 0, (size_t)length * sizeof *alpha);
}

static void context_backward(const ScoreLayer *l, real *dmemory, const real *dcontext, int length)
{
    const size_t H = (size_t)l->n.H, C = (size_t)l->n.C;
    vector_add(dmemory + (size_t)(length - 1) * C, dcontext, H);
    vector_add(dmemory + H, dcontext + H, C - H);
}

const AttentionScore score_none = {
    .shape = shape, .context_forward = context_forward, .context_backward = context_backward,
};
