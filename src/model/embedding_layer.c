/* embedding_layer.c - word embeddings, x = s E[word] + P(t), with dropout of whole words (of E) and
 * of single values (of x). With --embedding-norm x is normalised. With --zero-start E[<bos>] is 0
 * where the decoder reads it, and does not learn.
 *
 * An embedding that is tied to the output layer (--tie) has the values of output weights, with the
 * variance 1/E; s = sqrt(E) restores the variance of 1 that the gates need (Vaswani et al. 2017,
 * section 3.4). Both embeddings of a network whose decoder has no recurrence are like that.
 * Otherwise, and with --embedding-scale none, s = 1.
 *
 * A side that self-attention reads before any recurrent layer has positions: learned vectors, the
 * last one for all words from there on, or sinusoids (section 3.5), which need no longest sentence:
 *
 *   P(t, 2i) = sin(t / 10000^(2i / E))       P(t, 2i + 1) = cos(t / 10000^(2i / E))
 *
 * Or the sines are beside the cosines, n = E/2 of each, as in tensor2tensor:
 *
 *   P(t, i) = sin(t / 10000^(i / m))         P(t, n + i) = cos(t / 10000^(i / m))
 *
 * with m = n - 1 in Marian and CTranslate2, which counts t from 1, and m = n in Hugging Face's
 * copies of Marian's models.
 *
 * Other sides have none, P = 0.
 *
 * The vector of a dropped word is zero, and the others are scaled by 1 / (1 - p). With one mask for
 * each sentence (Dropout.shared) a word is dropped at all its positions in the sentence (Gal and
 * Ghahramani 2016, section 4.2); otherwise each position is dropped independently (Sennrich and
 * Zhang 2019).
 */
#include "model/pass.h"

#include "base/real.h"
#include "linalg/vector.h"
#include "nn/layer_norm.h"
#include "text/tokenizer/tokenizer.h"

#include <math.h>
#include <string.h>

static real scale_of(const Architecture *net, PassSide side)
{
    const int tie = net->options.tie;
    if (net->options.embedding_scale == SCALE_NONE) return 1;
    const int is_tied = tie == TIE_ALL || (tie == TIE_TARGET && side == SIDE_TARGET);
    return is_tied || !net->n.L ? REAL(sqrt)((real)net->n.E) : 1;
}

/* The name of a word's mask is its position, or its id where a sentence has one mask. */
static void scale_and_drop_words(real *x, const Pass *pass, PassSide side, const SideWords *words)
{
    const size_t N = (size_t)words->packed->total, E = (size_t)pass->architecture->n.E;
    const uint64_t step_bits = ((uint64_t)1 << TOKEN_STEP_BITS) - 1;
    const Dropout *dropout = &pass->noise->word[side];
    const Dropout each = { dropout->p, dropout->key, 0 };
    const real scale = scale_of(pass->architecture, side);
    if (scale != 1) vector_scale(x, scale, N * E);
    for (size_t i = 0; dropout->p > 0 && i < N; i++) {
        uint64_t name = words->token[i];
        if (dropout->shared) name = (name & ~step_bits) | ((uint64_t)words->id[i] & step_bits);
        vector_scale(x + i * E, dropout_factor(&each, PLACE_WORD + (int)side, name), E);
    }
}

static void drop_values(real *x, const Pass *pass, PassSide side, const SideWords *words)
{
    dropout_apply(x, &pass->noise->embedding, PLACE_SOURCE + (int)side, words->token,
                  words->packed->total, pass->architecture->n.E);
}

/* ---- positions ---- */

static int has_positions(const Sizes *n, PassSide side)
{
    return side == SIDE_SOURCE ? !n->R : n->self_attention[SIDE_TARGET].layers > 0;
}

/* Where the learned vector of position t begins. */
static size_t learned(const Sizes *n, int t)
{
    return (size_t)min_int(t, n->P - 1) * n->E;
}

double embedding_sinusoid(int kind, int t, int j, int E)
{
    const int n = E / 2, beside = kind != POSITIONS_SINUSOIDAL;
    const double power = !beside ? (double)(j - j % 2) / E
                       : kind == POSITIONS_HUGGING_FACE ? (double)(j % n) / n
                       : (double)(j % n) / (n - 1);
    const double angle = (t + (kind == POSITIONS_CTRANSLATE2)) * pow(10000, -power);
    return (beside ? j >= n : j % 2) ? cos(angle) : sin(angle);
}

/* x (rows,E) += P(t), which needs nothing backward: the gradient passes through the sum */
static void add_sinusoid(real *x, int kind, int t, int rows, int E)
{
    for (int j = 0; j < E; j++) {
        const real value = (real)embedding_sinusoid(kind, t, j, E);
        for (int i = 0; i < rows; i++)
            x[(size_t)i * E + j] += value;
    }
}

static void add_positions(real *x, const Pass *pass, PassSide side, const PackedSequence *packed,
                          int first)
{
    const Sizes *n = &pass->architecture->n;
    for (int t = 0; t < packed->steps; t++) {
        real *rows = x + (size_t)packed->start[t] * n->E;
        if (!n->P)
            add_sinusoid(rows, pass->architecture->options.positions, first + t, packed->rows[t],
                         n->E);
        for (int i = 0; n->P && i < packed->rows[t]; i++)
            vector_add(rows + (size_t)i * n->E,
                       pass->weights->positions[side] + learned(n, first + t), (size_t)n->E);
    }
}

static void positions_backward(const real *dx, const Pass *pass, PassSide side,
                               const PackedSequence *packed)
{
    const Sizes *n = &pass->architecture->n;
    for (int t = 0; t < packed->steps; t++)
        for (int i = 0; i < packed->rows[t]; i++)
            vector_add(pass->gradients->positions[side] + learned(n, t),
                       dx + (size_t)(packed->start[t] + i) * n->E, (size_t)n->E);
}

/* ---- the layer ---- */

static int is_zero(const Pass *pass, PassSide side, int id)
{
    return side == SIDE_TARGET && id == ID_BOS && pass->architecture->options.zero_start;
}

static NormLayer norm_of(const Pass *pass, PassSide side, const NormSave *save)
{
    const Weights *w = pass->weights, *dw = pass->gradients;
    const Sizes *n = &pass->architecture->n;
    return (NormLayer){ &w->embedding_norm[side], dw ? &dw->embedding_norm[side] : NULL, save,
                        n->E, n->epsilon };
}

NormSave embedding_layer_layout(Arena *arena, const Architecture *net, size_t N)
{
    return net->n.normalises_words ? norm_layout(arena, N, net->n.E) : (NormSave){ NULL, NULL };
}

/* x (N,E): row i is row id[i] of the table (V,E) */
void embedding_layer_forward(real *x, const NormSave *save, const Pass *pass, PassSide side,
                             int first)
{
    const Sizes *n = &pass->architecture->n;
    const SideWords words = pass_words(pass, side);
    const NormLayer norm = norm_of(pass, side, save);
    const real *table = pass->weights->embedding[side];
    for (int i = 0; i < words.packed->total; i++) {
        real *row = x + (size_t)i * n->E;
        if (is_zero(pass, side, words.id[i])) memset(row, 0, (size_t)n->E * sizeof *row);
        else memcpy(row, table + (size_t)words.id[i] * n->E, (size_t)n->E * sizeof *row);
    }
    scale_and_drop_words(x, pass, side, &words);
    if (has_positions(n, side)) add_positions(x, pass, side, words.packed, first);
    if (n->normalises_words) layer_norm_forward(&norm, x, x, 0, words.packed->total);
    drop_values(x, pass, side, &words);
}

/* Both kinds of dropout and the scale are linear, and their order is free but for what is between
 * them: the sum with learned positions, and the normalisation. */
void embedding_layer_backward(real *dx, const NormSave *save, const Pass *pass, PassSide side)
{
    const Sizes *n = &pass->architecture->n;
    const SideWords words = pass_words(pass, side);
    const NormLayer norm = norm_of(pass, side, save);
    const int learns_positions = n->P && has_positions(n, side);
    const int is_linear = !learns_positions && !n->normalises_words;
    real *dtable = pass->gradients->embedding[side];
    if (is_linear) scale_and_drop_words(dx, pass, side, &words);
    drop_values(dx, pass, side, &words);
    if (n->normalises_words) layer_norm_backward(&norm, dx, dx, 0, words.packed->total);
    if (learns_positions) positions_backward(dx, pass, side, words.packed);
    if (!is_linear) scale_and_drop_words(dx, pass, side, &words);
    for (int i = 0; i < words.packed->total; i++)
        if (!is_zero(pass, side, words.id[i]))
            vector_add(dtable + (size_t)words.id[i] * n->E, dx + (size_t)i * n->E, (size_t)n->E);
}
