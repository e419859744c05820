/* embedding_layer.c - the rows of the embedding, scaled and dropped out. */
#include "model/embedding_layer.h"

#include "linalg/vector.h"
#include "model/batch.h"
#include "nn/embedding.h"

#include <math.h>

static real *table_of(const Weights *w, Side side)
{
    return side == SIDE_SOURCE ? w->source_embedding : w->target_embedding;
}

static real scale_of(const Architecture *net, Side side)
{
    const int tie = net->options.tie, is_tied = tie == TIE_ALL || (tie == TIE_TARGET && side == SIDE_TARGET);
    return is_tied ? REAL(sqrt)((real)net->n.E) : 1;
}

/* What names a word's mask: where it stands, or with one mask a sentence what it is. */
static uint64_t word_name(const Dropout *dropout, uint64_t token, int id)
{
    const uint64_t step_bits = ((uint64_t)1 << TOKEN_STEP_BITS) - 1;
    return dropout->shared ? (token & ~step_bits) | ((uint64_t)id & step_bits) : token;
}

static void drop_words(real *x, const Dropout *dropout, Side side, const int *id, const uint64_t *token, int N, int E)
{
    if (dropout->p <= 0) return;
    const Dropout each = { dropout->p, dropout->key, 0 };
    for (int i = 0; i < N; i++)
        vector_scale(x + (size_t)i * E, dropout_factor(&each, PLACE_WORD + (int)side,
                                                       word_name(dropout, token[i], id[i])), (size_t)E);
}

/* All that is linear in x, and so its own backward pass. */
static void scale_and_drop(real *x, const Architecture *net, Side side, const int *id, const uint64_t *token, int N,
                           const Noise *noise)
{
    const int E = net->n.E;
    const real scale = scale_of(net, side);
    if (scale != 1) vector_scale(x, scale, (size_t)N * E);
    drop_words(x, &noise->word[side], side, id, token, N, E);
    dropout_apply(x, &noise->embedding, PLACE_SOURCE + (int)side, token, N, E);
}

void embedding_layer_forward(real *x, const Architecture *net, const Weights *w, Side side, const int *id, const uint64_t *token, int N,
                   const Noise *noise)
{
    embedding_forward(x, table_of(w, side), id, N, net->n.E);
    scale_and_drop(x, net, side, id, token, N, noise);
}

void embedding_layer_backward(const Weights *dw, real *dx, const Architecture *net, Side side, const int *id, const uint64_t *token, int N,
                    const Noise *noise)
{
    scale_and_drop(dx, net, side, id, token, N, noise);
    embedding_backward(table_of(dw, side), dx, id, N, net->n.E);
}
