/* readout.c - deep or simple output layer, and the loss in chunks. */
#include "model/readout.h"

#include "base/lesser.h"
#include "base/rng.h"
#include "linalg/matrix.h"
#include "linalg/vector.h"
#include "nn/sparsify.h"

#include <string.h>

/* Most logits of one chunk: 524 rows of 8,000 words. Each chunk makes OpenBLAS, which takes no panels, copy all of V
 * into the order of its kernels again, twice, which costs as much as some 25 rows of products; so chunks are few, and
 * of equal size. */
enum { CHUNK_BYTES = 16 << 20 };

static int is_deep(const Net *net)
{
    return net->options.readout == READOUT_DEEP;
}

void readout_layout(ReadoutState *r, Arena *arena, const Net *net, int rows, int backward)
{
    const Sizes *n = &net->n;
    const size_t N = (size_t)rows;
    const size_t fits = CHUNK_BYTES / ((size_t)n->Vt * sizeof(real)), most = fits ? fits : 1;
    const size_t chunks = (N + most - 1) / most;
    r->chunk = chunks ? (int)((N + chunks - 1) / chunks) : 0;
    r->logits = arena_reals(arena, (N < most ? N : most) * n->Vt);      /* never less for a larger batch */
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

/* The three blocks of columns of W_o (E, H + C + E), and what they read. */
typedef struct { const real *x; int width, column; } Block;
enum { WORD = 2, BLOCKS };

static void blocks(Block *block, const Sizes *n, const DecoderState *d)
{
    block[0] = (Block){ d->output, n->H, 0 };
    block[1] = (Block){ d->context, n->C, n->H };
    block[2] = (Block){ d->embedded, n->E, n->H + n->C };
}

/* The block that depends on the word alone. */
static void add_word(ReadoutState *r, const Sizes *n, const Weights *w, const Block *word, const DecoderState *d, int N,
                     int wide)
{
    row_memo_affine(w->words.readout, r->word, word->x, d->input, w->hidden_weight + word->column, wide, NULL, N,
                    word->width, n->E, d->room, d->missing);
    vector_add(r->hidden, r->word, (size_t)N * n->E);
}

void readout_forward(ReadoutState *r, const Net *net, const Weights *w, const DecoderState *d, const uint64_t *token,
                     int N, const Noise *noise)
{
    const Sizes *n = &net->n;
    if (!is_deep(net)) {
        r->output = d->output;
        return;
    }
    const int wide = n->H + n->C + n->E;
    Block block[BLOCKS];
    blocks(block, n, d);

    /* 1. o (N,E) = tanh(b_o + sum of x (N,width) · W_o[:, column:]') */
    matrix_affine(r->hidden, n->E, block[0].x, block[0].width, w->hidden_weight, wide, w->hidden_bias, N,
                  block[0].width, n->E);
    for (int i = 1; i < (w->words.readout ? WORD : BLOCKS); i++)
        matrix_forward(ACCUMULATE, r->hidden, n->E, block[i].x, block[i].width, w->hidden_weight + block[i].column,
                       wide, N, block[i].width, n->E);
    if (w->words.readout) add_word(r, n, w, &block[WORD], d, N, wide);
    if (w->hidden_norm.gain)
        layer_norm_forward(r->hidden, &r->norm, r->hidden, n->E, &w->hidden_norm, 0, N, n->E);
    vector_tanh(r->hidden, (size_t)N * n->E);
    /* 2. dropout */
    memcpy(r->output, r->hidden, (size_t)N * n->E * sizeof(real));
    dropout_apply(r->output, &noise->hidden, PLACE_READOUT, token, N, n->E);
}

/* logits (rows,Vt) = b + output (rows,O) · V' */
void readout_logits(real *logits, const ReadoutState *r, const Net *net, const Weights *w, int at, int rows)
{
    const Sizes *n = &net->n;
    matrix_affine_packed(logits, n->Vt, r->output + (size_t)at * n->O, n->O, w->output_weight, n->O, w->output_bias,
                         w->output_panels, rows, n->O, n->Vt);
}

Loss readout_loss(ReadoutState *r, const Net *net, const Weights *w, const int *y, int N, double smoothing)
{
    Loss loss = { 0 };
    for (int at = 0; at < N; at += r->chunk) {
        int rows = N - at < r->chunk ? N - at : r->chunk;
        readout_logits(r->logits, r, net, w, at, rows);
        loss_forward(&loss, r->logits, y + at, rows, net->n.Vt, smoothing);
    }
    return loss;
}

/* ---- the gradient of the logits, and what it makes of V, b and o ---- */

typedef struct {
    ReadoutState      *state;
    const Net         *net;
    const Weights     *w, *dw;
    const TargetBatch *target;
    const Noise       *noise;
    double             smoothing, scale;
    Loss               loss;
} Backward;

/* logits (rows,V) from row `at` on become their gradient. */
static void logits_backward(Backward *b, real *logits, int at, int rows, double scale)
{
    real *cost = b->state->cost ? b->state->cost + at : NULL;
    loss_forward_backward(&b->loss, cost, logits, b->target->output + at, rows, b->net->n.Vt, b->smoothing, scale);
}

/* db (V) += sum of dlogits' rows, a few at a time while they are in the cache;
 * do (rows,O) = dlogits (rows,V) · V;  dV (V,O) += dlogits' (V,rows) · o (rows,O) */
static void all_backward(Backward *b, int at, int rows)
{
    enum { FEW = 8 };
    ReadoutState *r = b->state;
    const int O = b->net->n.O, V = b->net->n.Vt;
    for (int i = 0; i < rows; i += FEW) {
        real *some = r->logits + (size_t)i * V;
        logits_backward(b, some, at + i, lesser(FEW, rows - i), b->scale);
        matrix_add_rows(b->dw->output_bias, some, lesser(FEW, rows - i), V);
    }
    matrix_backward_input_packed(OVERWRITE, r->doutput + (size_t)at * O, O, r->logits, V, b->w->output_weight, O,
                                 b->w->output_panels, rows, O, V);
    matrix_backward_weight(b->dw->output_weight, O, r->logits, V, r->output + (size_t)at * O, O, rows, O, V);
}

/* The same for one row, of those of its logits that pass. */
static void row_backward(const Backward *b, const real *dlogits, int row)
{
    const ReadoutState *r = b->state;
    const size_t O = (size_t)b->net->n.O;
    const real *output = r->output + (size_t)row * O;
    real *doutput = r->doutput + (size_t)row * O;
    const int count = sparsify(r->column, r->dlogit, dlogits, b->net->n.Vt, b->noise->threshold,
                               1 - rng_uniform(b->noise->sampling, b->target->token[row]));
    memset(doutput, 0, O * sizeof *doutput);
    for (int i = 0; i < count; i++) {
        const size_t j = (size_t)r->column[i];
        const real dlogit = (real)b->scale * r->dlogit[i];
        vector_axpy(doutput, dlogit, b->w->output_weight + j * O, O);
        vector_axpy(b->dw->output_weight + j * O, dlogit, output, O);
        b->dw->output_bias[j] += dlogit;
    }
}

/* What passes is a matter of p - q, whatever the loss is scaled by. */
static void some_backward(Backward *b, int at, int rows)
{
    for (int i = 0; i < rows; i++) {
        real *logits = b->state->logits + (size_t)i * b->net->n.Vt;
        logits_backward(b, logits, at + i, 1, 1);
        row_backward(b, logits, at + i);
    }
}

Loss readout_loss_backward(ReadoutState *r, const Net *net, const Weights *w, const Weights *dw,
                           const TargetBatch *target, const Noise *noise, double smoothing, double scale)
{
    const int N = target->packed.total;
    Backward b = { .state = r, .net = net, .w = w, .dw = dw, .target = target, .noise = noise, .smoothing = smoothing,
                   .scale = scale };
    for (int at = 0; at < N; at += r->chunk) {
        const int rows = lesser(r->chunk, N - at);
        readout_logits(r->logits, r, net, w, at, rows);
        if (noise->threshold > 0) some_backward(&b, at, rows);
        else all_backward(&b, at, rows);
    }
    return b.loss;
}

/* ---- the readout itself ---- */

void readout_backward(ReadoutState *r, DecoderGradient *g, const Net *net, const Weights *w, const Weights *dw,
                      const DecoderState *d, const uint64_t *token, int N, const Noise *noise)
{
    const Sizes *n = &net->n;
    if (!is_deep(net)) {
        g->doutput = r->doutput;
        memset(g->dcontext, 0, (size_t)N * n->C * sizeof(real));
        memset(g->dembedded, 0, (size_t)N * n->E * sizeof(real));
        return;
    }
    const int wide = n->H + n->C + n->E;
    Block block[BLOCKS];
    blocks(block, n, d);
    real *dx[BLOCKS] = { g->doutput, g->dcontext, g->dembedded }, *dhidden = r->doutput;

    /* 2. */
    dropout_apply(dhidden, &noise->hidden, PLACE_READOUT, token, N, n->E);
    /* 1. dx (N,width) = do (N,E) · W_o[:, column:];  dW_o[:, column:] += do' (E,N) · x (N,width) */
    vector_tanh_backward(dhidden, r->hidden, (size_t)N * n->E);
    if (w->hidden_norm.gain)
        layer_norm_backward(dhidden, &dw->hidden_norm, dhidden, n->E, &r->norm, &w->hidden_norm, 0, N, n->E);
    matrix_add_rows(dw->hidden_bias, dhidden, N, n->E);
    for (int i = 0; i < BLOCKS; i++) {
        const int width = block[i].width, column = block[i].column;
        matrix_backward_input(OVERWRITE, dx[i], width, dhidden, n->E, w->hidden_weight + column, wide, N, width, n->E);
        matrix_backward_weight(dw->hidden_weight + column, wide, dhidden, n->E, block[i].x, width, N, width, n->E);
    }
}
