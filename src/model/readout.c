/* readout.c - deep or simple output layer, and the loss in chunks. */
#include "model/readout.h"

#include "base/random/rng.h"
#include "base/real.h"
#include "linalg/vector.h"
#include "nn/loss.h"

#include <string.h>

/* The most logits of one chunk: 524 rows of 8,000 words. OpenBLAS takes no prepacked weights, so
 * for each chunk it copies all of V into the order of its kernels again, twice. This costs as much
 * as some 25 rows of products; so there are few chunks, of equal size. */
enum { CHUNK_BYTES = 16 << 20 };

static int is_deep(const Architecture *net)
{
    return net->options.readout == READOUT_DEEP;
}

void readout_layout(ReadoutState *r, Arena *arena, const Architecture *net, int rows, int backward)
{
    const Sizes *n = &net->n;
    const size_t N = (size_t)rows;
    const size_t pairs = CHUNK_BYTES / (2 * (size_t)n->Vt * sizeof(real));
    const size_t most = 2 * (pairs ? pairs : 1), chunks = (N + most - 1) / most;
    const size_t even = chunks ? 2 * ((N + 2 * chunks - 1) / (2 * chunks)) : 0;
    r->chunk = (int)(even < N ? even : N);
    /* never smaller for a larger batch */
    r->logits = arena_reals(arena, (N < most ? N : most) * n->Vt);
    if (is_deep(net)) {
        r->hidden = arena_reals(arena, N * n->E);
        r->output = arena_reals(arena, N * n->O);
        r->word = arena_reals(arena, backward ? 0 : N * n->E);
        if (net->options.layer_norm) r->norm = norm_layout(arena, N, n->E);
    }
    if (backward && net->hard.estimator == HARD_REINFORCE) r->cost = arena_reals(arena, N);
    if (backward) {
        r->doutput = arena_reals(arena, N * n->O);
        r->column = arena_ints(arena, n->Vt);
        r->dlogit = arena_reals(arena, n->Vt);
    }
}

/* The inputs of the blocks of W_o (HIDDEN_...): rows as wide as the block has columns. */
static void hidden_inputs(const real *x[HIDDEN_BLOCKS], const DecoderState *d)
{
    x[HIDDEN_STATE] = d->output;
    x[HIDDEN_CONTEXT] = d->context;
    x[HIDDEN_WORD] = d->embedded;
}

void readout_forward(ReadoutState *r, const Pass *pass, const DecoderState *d)
{
    const Sizes *n = &pass->architecture->n;
    const Weights *w = pass->weights;
    const int N = pass->target->packed.total;
    if (!is_deep(pass->architecture)) {
        r->output = d->output;
        return;
    }
    const Linear *W = w->hidden;
    const real *x[HIDDEN_BLOCKS];
    hidden_inputs(x, d);

    /* 1. o (N,E) = tanh(b_o + sum of x_i (N,width) · W_i') over the blocks W_i of W_o */
    linear_forward(OVERWRITE, r->hidden, n->E, x[0], W[0].columns, &W[0], w->hidden_bias, N);
    for (int i = 1; i < (w->words.readout ? HIDDEN_WORD : HIDDEN_BLOCKS); i++)
        if (i == HIDDEN_CONTEXT && context_is_projected(pass))
            context_to_readout(r->hidden, d, pass, N);
        else
            linear_forward(ACCUMULATE, r->hidden, n->E, x[i], W[i].columns, &W[i], NULL, N);
    if (w->words.readout) {
        projection_cache_forward(w->words.readout, r->word, d->embedded, pass->target->input,
                                 &W[HIDDEN_WORD], NULL, N, d->projection);
        vector_add(r->hidden, r->word, (size_t)N * n->E);
    }
    const NormLayer norm = { &w->hidden_norm, NULL, &r->norm, n->E, NORM_EPSILON };
    if (w->hidden_norm.gain) layer_norm_forward(&norm, r->hidden, r->hidden, 0, N);
    vector_tanh(r->hidden, (size_t)N * n->E);
    /* 2. dropout */
    memcpy(r->output, r->hidden, (size_t)N * n->E * sizeof(real));
    dropout_apply(r->output, &pass->noise->hidden, PLACE_READOUT, pass->target->token, N, n->E);
}

/* logits (rows,Vt) = b + output (rows,O) · V' */
real *readout_logits(ReadoutState *r, const Pass *pass, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const Weights *w = pass->weights;
    linear_forward(OVERWRITE, r->logits, n->Vt, r->output + (size_t)at * n->O, n->O, &w->output,
                   w->output_bias, rows);
    return r->logits;
}

Loss readout_loss(ReadoutState *r, const Pass *pass, double smoothing)
{
    const int N = pass->target->packed.total;
    Loss loss = { 0 };
    for (int at = 0; at < N; at += r->chunk) {
        int rows = N - at < r->chunk ? N - at : r->chunk;
        real *logits = readout_logits(r, pass, at, rows);
        loss_forward(&loss, logits, pass->target->output + at, rows, pass->architecture->n.Vt,
                     smoothing);
    }
    return loss;
}

/* ---- the gradients of the logits, and of V, b and o ---- */

typedef struct {
    ReadoutState *state;
    const Pass   *pass;
    Criterion     criterion;
    Loss          loss;
} Backward;

/* Replaces the logits (rows,V) from row `at` on by their gradient. */
static void logits_backward(Backward *b, real *logits, int at, int rows, double scale)
{
    real *cost = b->state->cost ? b->state->cost + at : NULL;
    Criterion criterion = b->criterion;
    criterion.scale = scale;
    loss_forward_backward(&b->loss, cost, logits, b->state->dlogit, b->pass->target->output + at,
                          rows, b->pass->architecture->n.Vt, &criterion);
}

/* db (V) += sum of the rows of dlogits, a few at a time while they are in the cache;
 * do (rows,O) = dlogits (rows,V) · V;  dV (V,O) += dlogits' (V,rows) · o (rows,O) */
static void all_backward(Backward *b, int at, int rows)
{
    enum { FEW = 8 };
    ReadoutState *r = b->state;
    const int O = b->pass->architecture->n.O, V = b->pass->architecture->n.Vt;
    for (int i = 0; i < rows; i += FEW) {
        real *some = r->logits + (size_t)i * V;
        logits_backward(b, some, at + i, min_int(FEW, rows - i), b->criterion.scale);
        bias_backward(b->pass->gradients->output_bias, some, min_int(FEW, rows - i), V);
    }
    linear_backward_input(OVERWRITE, r->doutput + (size_t)at * O, O, r->logits, V,
                          &b->pass->weights->output, rows);
    linear_backward_weight(&b->pass->gradients->output, r->logits, V, r->output + (size_t)at * O, O,
                           rows);
}

/* The same for one row and only those of its logits that pass a gradient on. */
static void row_backward(const Backward *b, const real *dlogits, int row)
{
    const ReadoutState *r = b->state;
    const size_t O = (size_t)b->pass->architecture->n.O;
    const real *output = r->output + (size_t)row * O;
    real *doutput = r->doutput + (size_t)row * O;
    const int count = sparsify(r->column, r->dlogit, dlogits, b->pass->architecture->n.Vt,
                               b->pass->noise->threshold, 1 - rng_uniform(b->pass->noise->sampling,
                                               b->pass->target->token[row]));
    memset(doutput, 0, O * sizeof *doutput);
    for (int i = 0; i < count; i++) {
        const size_t j = (size_t)r->column[i];
        const real dlogit = (real)b->criterion.scale * r->dlogit[i];
        vector_axpy(doutput, dlogit, b->pass->weights->output.weights + j * O, O);
        vector_axpy(b->pass->gradients->output.weights + j * O, dlogit, output, O);
        b->pass->gradients->output_bias[j] += dlogit;
    }
}

/* p - q decides which logits pass a gradient on, so the loss is not scaled here. R-Drop needs two
 * rows at a time. */
static void some_backward(Backward *b, int at, int rows)
{
    enum { PAIR = 2 };
    const size_t V = (size_t)b->pass->architecture->n.Vt;
    for (int i = 0; i < rows; i += PAIR) {
        const int end = min_int(i + PAIR, rows);
        logits_backward(b, b->state->logits + i * V, at + i, end - i, 1);
        for (int j = i; j < end; j++)
            row_backward(b, b->state->logits + j * V, at + j);
    }
}

Loss readout_loss_backward(ReadoutState *r, const Pass *pass, const Criterion *criterion)
{
    const int N = pass->target->packed.total;
    Backward b = { .state = r, .pass = pass, .criterion = *criterion };
    for (int at = 0; at < N; at += r->chunk) {
        const int rows = min_int(r->chunk, N - at);
        readout_logits(r, pass, at, rows);
        if (pass->noise->threshold > 0) some_backward(&b, at, rows);
        else all_backward(&b, at, rows);
    }
    return b.loss;
}

/* ---- the readout itself ---- */

void readout_backward(ReadoutState *r, DecoderGradient *g, const Pass *pass, const DecoderState *d)
{
    const Sizes *n = &pass->architecture->n;
    const Weights *w = pass->weights, *dw = pass->gradients;
    const int N = pass->target->packed.total;
    if (!is_deep(pass->architecture)) {
        g->doutput = r->doutput;
        memset(g->dcontext, 0, (size_t)N * n->C * sizeof(real));
        memset(g->dembedded, 0, (size_t)N * n->E * sizeof(real));
        return;
    }
    real *dx[] = { [HIDDEN_STATE] = g->doutput, [HIDDEN_CONTEXT] = g->dcontext,
                   [HIDDEN_WORD] = g->dembedded };
    real *dhidden = r->doutput;
    const real *x[HIDDEN_BLOCKS];
    hidden_inputs(x, d);

    /* 2. */
    dropout_apply(dhidden, &pass->noise->hidden, PLACE_READOUT, pass->target->token, N, n->E);
    /* 1. dx_i (N,width) = do (N,E) · W_i;  dW_i += do' (E,N) · x_i (N,width) */
    vector_tanh_backward(dhidden, r->hidden, (size_t)N * n->E);
    const NormLayer norm = { &w->hidden_norm, &dw->hidden_norm, &r->norm, n->E, NORM_EPSILON };
    if (w->hidden_norm.gain) layer_norm_backward(&norm, dhidden, dhidden, 0, N);
    bias_backward(dw->hidden_bias, dhidden, N, n->E);
    for (int i = 0; i < HIDDEN_BLOCKS; i++) {
        const int width = w->hidden[i].columns;
        linear_backward_input(OVERWRITE, dx[i], width, dhidden, n->E, &w->hidden[i], N);
        linear_backward_weight(&dw->hidden[i], dhidden, n->E, x[i], width, N);
    }
}
