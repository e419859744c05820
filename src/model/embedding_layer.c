/* embedding_layer.c - the rows of the embedding, scaled and dropped out. */
#include "model/embedding_layer.h"

#include "linalg/vector.h"
#include "nn/embedding.h"

#include <math.h>

static real *table_of(const Weights *w, PassSide side)
{
    return side == SIDE_SOURCE ? w->source_embedding : w->target_embedding;
}

static real scale_of(const Architecture *net, PassSide side)
{
    const int tie = net->options.tie;
    const int is_tied = tie == TIE_ALL || (tie == TIE_TARGET && side == SIDE_TARGET);
    return is_tied ? REAL(sqrt)((real)net->n.E) : 1;
}

/* The name of a word's mask: its position, or its id where a sentence has one mask. */
static uint64_t word_name(const Dropout *dropout, uint64_t token, int id)
{
    const uint64_t step_bits = ((uint64_t)1 << TOKEN_STEP_BITS) - 1;
    return dropout->shared ? (token & ~step_bits) | ((uint64_t)id & step_bits) : token;
}

static void drop_words(real *x, const Dropout *dropout, PassSide side, const SideWords *words,
                       int E)
{
    if (dropout->p <= 0) return;
    const Dropout each = { dropout->p, dropout->key, 0 };
    for (int i = 0; i < words->packed->total; i++) {
        const uint64_t name = word_name(dropout, words->token[i], words->id[i]);
        vector_scale(x + (size_t)i * E, dropout_factor(&each, PLACE_WORD + (int)side, name),
                     (size_t)E);
    }
}

/* Everything here is linear in x, so it is its own backward pass. */
static void scale_and_drop(real *x, const Pass *pass, PassSide side, const SideWords *words)
{
    const int N = words->packed->total, E = pass->architecture->n.E;
    const real scale = scale_of(pass->architecture, side);
    if (scale != 1) vector_scale(x, scale, (size_t)N * E);
    drop_words(x, &pass->noise->word[side], side, words, E);
    dropout_apply(x, &pass->noise->embedding, PLACE_SOURCE + (int)side, words->token, N, E);
}

void embedding_layer_forward(real *x, const Pass *pass, PassSide side)
{
    const SideWords words = pass_words(pass, side);
    embedding_forward(x, table_of(pass->weights, side), words.id, words.packed->total,
                      pass->architecture->n.E);
    scale_and_drop(x, pass, side, &words);
}

void embedding_layer_backward(real *dx, const Pass *pass, PassSide side)
{
    const SideWords words = pass_words(pass, side);
    scale_and_drop(dx, pass, side, &words);
    embedding_backward(table_of(pass->gradients, side), dx, words.id, words.packed->total,
                       pass->architecture->n.E);
}
