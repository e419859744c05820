/* decoder.c - what all decoder types share: their table, the activations, the states that steps
 * pass on, the attention and the recurrent layers of a step, and the order of the steps. */
#include "model/decoder/decoder.h"

#include "base/random/rng.h"
#include "linalg/vector.h"

#include <string.h>

#define DECODER_TYPE_ROW(constant, type, name, help) &decoder_##type,
#define DECODER_TYPE_NAME(constant, type, name, help) name,

const DecoderType *const decoder_types[] = { DECODER_TYPE_TABLE(DECODER_TYPE_ROW) 0 };
const char *const decoder_type_names[] = { DECODER_TYPE_TABLE(DECODER_TYPE_NAME) 0 };

/* ---- the activations ---- */

static void add_recurrent(DecoderState *d, Arena *arena, size_t B, int width, real *gradient)
{
    const size_t size = B * (size_t)width;
    d->recurrent[d->recurrents++] = (RecurrentState){ width, arena_reals(arena, size),
                                                      arena_reals(arena, size), gradient };
}

static CellSave cell_of(Arena *arena, const Architecture *net, size_t N, int backward)
{
    return cell_layout(arena, net, N, backward ? arena_reals(arena, cell_du(net, N)) : NULL);
}

void decoder_layout(DecoderState *d, Arena *arena, const Architecture *net, BatchSize size,
                    int backward)
{
    const Sizes *n = &net->n;
    const DecoderShape *shape = &net->decoder_shape;
    const size_t N = (size_t)size.target_tokens, B = (size_t)size.sentences;
    const size_t positions = (size_t)size.source_steps, states = B * (size_t)n->Z;
    const size_t queries = N * net->attention.shape.query, step = cell_scratch(net, B);
    /* of a search, the context or its products */
    const int context = backward || n->C > n->G + n->E ? n->C : n->G + n->E;
    d->S = size.source_steps;
    d->words = arena_reals(arena, N * n->E);
    d->embedding_norm = embedding_layer_layout(arena, net, N);
    attention_layers_layout(&d->attention, arena, net, SIDE_TARGET, size, backward);
    d->embedded = attention_layers_output(&d->attention, d->words);
    d->recurrents = 0;
    d->layers = n->L;
    if (backward) d->dstart = arena_reals(arena, n->L * states);
    for (int l = 0; l < n->L; l++) {
        d->save[l] = cell_of(arena, net, N, backward);
        d->h[l] = arena_reals(arena, N * n->H);
        add_recurrent(d, arena, B, n->Z, d->dstart ? d->dstart + l * states : NULL);
    }
    d->query = arena_reals(arena, queries);
    d->alpha = arena_reals(arena, N * positions);
    d->context = arena_reals(arena, N * (size_t)context);
    d->scratch = arena_reals(arena, step > 2 * positions ? step : 2 * positions);
    if (!size.target_steps)
        d->projection = (ProjectionScratch){ arena_reals(arena, N * n->E), arena_ints(arena, N) };
    if (backward) d->dquery = arena_reals(arena, queries);
    /* what the decoder type has */
    d->output = shape->own_output ? arena_reals(arena, N * n->H)
              : n->L ? d->h[n->L - 1] : d->embedded;
    if (shape->cell.name) d->type.cell = cell_of(arena, net, N, backward);
    if (shape->saved) d->type.saved = arena_reals(arena, N * shape->saved);
    if (backward && shape->gradient) d->type.gradient = arena_reals(arena, B * shape->gradient);
    if (shape->carried)
        add_recurrent(d, arena, B, shape->carried,
                      backward ? arena_reals(arena, B * shape->carried) : NULL);
}

/* ---- the states of a search ---- */

void decoder_begin(DecoderState *d, const Pass *pass, const real *start, Region *region)
{
    const size_t sentences = (size_t)pass->source->packed.rows[0];
    d->step = 0;
    for (int i = 0; i < d->recurrents; i++) {
        const size_t size = sentences * d->recurrent[i].width;
        if (i < d->layers) memcpy(d->recurrent[i].now, start + i * size, size * sizeof *start);
        else memset(d->recurrent[i].now, 0, size * sizeof *start);
    }
    attention_layers_read(&d->attention, pass);
    if (region) attention_layers_begin(&d->attention, region);
}

void decoder_gather(DecoderState *d, const int *from, int rows)
{
    for (int k = 0; k < d->recurrents; k++) {
        RecurrentState *state = &d->recurrent[k];
        const size_t width = (size_t)state->width;
        for (int i = 0; i < rows; i++)
            memcpy(state->spare + i * width, state->now + from[i] * width,
                   width * sizeof *state->now);
        real *old = state->now;
        state->now = state->spare;
        state->spare = old;
    }
    attention_layers_gather(&d->attention, from, d->step, rows);
}

/* ---- the attention, its noise and its gradients ---- */

/* Of the attention weights of the rows from `at`. */
static AttentionNoise noise_of(DecoderState *d, const Pass *pass, const DecoderGradient *g, int at)
{
    const Noise *noise = pass->noise;
    const HardAttention *hard = &pass->architecture->hard;
    const Dropout none = { 0 };
    const uint64_t *token = tokens_from(pass->target->token, at);
    return (AttentionNoise){ .hard = *hard, .dropout = noise->attention, .place = PLACE_ATTENTION,
                             .key = noise->draws ? noise->draws : rng_key(0, 0, RNG_ATTENTION),
                             .name = token, .token = noise->attention.p > 0 ? token : NULL,
                             .choice = hard->estimator == HARD_REINFORCE ? noise->choice : none,
                             .choice_place = PLACE_CHOICE, .shown = !pass->gradients,
                             .used = d->scratch + d->S,
                             .advantage = g && g->advantage ? g->advantage + at : NULL };
}

/* The arrays of the rows from `at`. */
static AttentionStep step_of(const DecoderState *d, const Attention *a, int at, int rows)
{
    const size_t row = (size_t)at;
    return (AttentionStep){ .rows = rows, .context = d->context + row * a->n.C,
                            .alpha = d->alpha + row * d->S, .ld = d->S,
                            .query = d->query + row * a->shape.query,
                            .word = d->embedded + row * a->n.E };
}

static ScoreLayer score_of(const Pass *pass)
{
    return (ScoreLayer){ pass->architecture->attention.n, pass->weights->score,
                         pass->gradients ? pass->gradients->score : NULL };
}

void decoder_attend(DecoderState *d, const Pass *pass, const real *state, int ld, int at, int rows)
{
    const Attention *a = &pass->architecture->attention;
    const ScoreLayer score = score_of(pass);
    const AttentionStep step = step_of(d, a, at, rows);
    const AttentionNoise noise = noise_of(d, pass, NULL, at);
    attention_forward(a, &score, &step, state, ld, pass->memory, &noise);
}

void decoder_attend_backward(DecoderState *d, real *dstate, int ld, const DecoderGradient *g,
                             const Pass *pass, int at, int rows)
{
    const Attention *a = &pass->architecture->attention;
    const ScoreLayer score = score_of(pass);
    AttentionStep step = step_of(d, a, at, rows);
    step.dcontext = g->dcontext + (size_t)at * a->n.C;
    step.dquery = d->dquery + (size_t)at * a->shape.query;
    step.de = d->scratch;
    step.dword = g->dembedded + (size_t)at * a->n.E;
    const AttentionNoise noise = noise_of(d, pass, g, at);
    attention_backward(a, &score, &step, dstate, ld, &g->attention, pass->memory, &noise);
}

void decoder_attend_weights(const DecoderState *d, const Pass *pass, const real *state, int ld,
                            int N)
{
    const ScoreLayer score = score_of(pass);
    attention_weights_backward(&pass->architecture->attention, &score, d->dquery, state, ld,
                               d->embedded, N);
}

/* ---- the weights that read the context, one beside the other ---- */

static int reads_context(const Architecture *net)
{
    return net->options.readout == READOUT_DEEP;
}

int context_projection_width(const Architecture *net, const Weights *w)
{
    const Sizes *n = &net->n;
    const int has_sum = net->attention.score->context_forward == NULL;
    if (!net->decoder->context_weight || !has_sum || w->precision != PRECISION_FLOAT) return 0;
    return n->G + (reads_context(net) ? n->E : 0);
}

void context_projection_forward(real *values, const Architecture *net, const Weights *w,
                                const real *memory, int M)
{
    const Sizes *n = &net->n;
    const int width = context_projection_width(net, w);
    linear_forward(OVERWRITE, values, width, memory, n->C, net->decoder->context_weight(w), NULL,
                   M);
    if (reads_context(net))
        linear_forward(OVERWRITE, values + n->G, width, memory, n->C, &w->hidden[HIDDEN_CONTEXT],
                       NULL, M);
}

int context_is_projected(const Pass *pass)
{
    return pass->memory && pass->memory->values;
}

void context_to_gates(real *gates, const DecoderState *d, const Pass *pass, const real *bias,
                      int rows)
{
    const size_t G = (size_t)pass->architecture->n.G, width = (size_t)pass->memory->width;
    for (size_t i = 0; i < (size_t)rows; i++) {
        memcpy(gates + i * G, bias, G * sizeof *gates);
        vector_add(gates + i * G, d->context + i * width, G);
    }
}

void context_to_readout(real *hidden, const DecoderState *d, const Pass *pass, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const size_t E = (size_t)n->E, width = (size_t)pass->memory->width;
    for (size_t i = 0; i < (size_t)rows; i++)
        vector_add(hidden + i * E, d->context + i * width + n->G, E);
}

/* ---- what layer 0 reads besides the word: W (G, F) ---- */

/* gates (rows,G) += x (rows,F) · W' */
void decoder_layers_feed(DecoderState *d, const Pass *pass, const real *x, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    linear_forward(ACCUMULATE, d->save[0].gates + (size_t)at * n->G, n->G, x, n->F,
                   &pass->weights->feed[0], NULL, rows);
}

/* dx (rows,F) = or += dgates (rows,G) · W */
void decoder_layers_feed_backward(DecoderState *d, Store store, real *dx, const Pass *pass, int at,
                                  int rows)
{
    const Sizes *n = &pass->architecture->n;
    linear_backward_input(store, dx, n->F, d->save[0].gates + (size_t)at * n->G, n->G,
                          &pass->weights->feed[0], rows);
}

/* dW (G,F) += dgates' (G,N) · x (N,F) */
void decoder_layers_feed_weights(DecoderState *d, const Pass *pass, const real *x, int N)
{
    const Sizes *n = &pass->architecture->n;
    linear_backward_weight(&pass->gradients->feed[0], d->save[0].gates, n->G, x, n->F, N);
}

/* ---- layers ---- */

/* gates (rows,G) = b + h^{l-1} (rows,H) · W' [+ c (rows,C) · W_C'] */
static void layer_input(DecoderState *d, const Pass *pass, int l, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const CellWeights *w = &pass->weights->decoder[l];
    real *gates = d->save[l].gates + (size_t)at * n->G;
    linear_forward(OVERWRITE, gates, n->G, d->h[l - 1] + (size_t)at * n->H, n->H, &w->W, w->b,
                   rows);
    if (n->above)
        linear_forward(ACCUMULATE, gates, n->G, d->context + (size_t)at * n->C, n->C,
                       &pass->weights->feed[l], NULL, rows);
}

static CellLayer layer_of(const DecoderState *d, const Pass *pass, int l)
{
    return pass_cell(pass, SIDE_TARGET, &pass->weights->decoder[l],
                     pass->gradients ? &pass->gradients->decoder[l] : NULL, &d->save[l],
                     PLACE_DECODER_STATE + l, d->scratch);
}

void decoder_layers_step(DecoderState *d, const Pass *pass, DecoderHook *within, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const size_t H = (size_t)n->H, Z = (size_t)n->Z;
    for (int l = 0; l < n->L; l++) {
        const CellLayer layer = layer_of(d, pass, l);
        real *state = d->recurrent[l].now, *h = d->h[l] + at * H;
        if (l) layer_input(d, pass, l, at, rows);
        memcpy(d->save[l].previous + at * Z, state, rows * Z * sizeof *state);
        cell_forward(&layer, state, at, rows, 0);
        if (!l && within) within(d, pass, at, rows);
        for (int i = 0; i < rows; i++)
            memcpy(h + i * H, state + i * Z, H * sizeof *h);
        if (l >= n->first_residual)
            vector_add(h, d->h[l - 1] + at * H, rows * H);
        if (l < n->L - 1)
            dropout_apply(h, &pass->noise->hidden, PLACE_DECODER + l,
                          tokens_from(pass->target->token, at), rows, n->H);
    }
}

/* dx (rows,H) = dgates (rows,G) · W; with a residual the layer's own gradient dh is added. dh may
 * be the scratch. dc (rows,C) += dgates · W_C */
static const real *layer_input_backward(DecoderState *d, const real *dh, real *dcontext,
                                        const Pass *pass, int l, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const int residual = l >= n->first_residual;
    const real *dgates = d->save[l].gates + (size_t)at * n->G;
    real *dx = d->scratch;
    if (residual && dh != dx) memcpy(dx, dh, (size_t)rows * n->H * sizeof *dx);
    linear_backward_input(residual ? ACCUMULATE : OVERWRITE, dx, n->H, dgates, n->G,
                          &pass->weights->decoder[l].W, rows);
    if (n->above)
        linear_backward_input(ACCUMULATE, dcontext + (size_t)at * n->C, n->C, dgates, n->G,
                              &pass->weights->feed[l], rows);
    dropout_apply(dx, &pass->noise->hidden, PLACE_DECODER + l - 1,
                  tokens_from(pass->target->token, at), rows, n->H);
    return dx;
}

void decoder_layers_backward(DecoderState *d, const real *dtop, const DecoderGradient *g,
                             const Pass *pass, DecoderBackwardHook *within, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const size_t H = (size_t)n->H, Z = (size_t)n->Z;
    const real *dh = dtop;
    for (int l = n->L - 1; l >= 0; l--) {
        CellLayer layer = layer_of(d, pass, l);
        real *dstate = d->recurrent[l].gradient;
        if (l < n->L - 1) dh = layer_input_backward(d, dh, g->dcontext, pass, l + 1, at, rows);
        for (int i = 0; i < rows; i++)
            vector_add(dstate + i * Z, dh + i * H, H);
        if (!l && within) within(d, g, pass, at, rows);
        layer.scratch += rows * H;      /* dh may be in front */
        cell_backward(&layer, dstate, at, rows, 0);
    }
}

/* After the last step: the gradients of all weights of the layers except those of layer 0's input.
 * It may overwrite the states before the steps (save->previous). */
static void layers_weights_backward(DecoderState *d, const Pass *pass, int N)
{
    const Sizes *n = &pass->architecture->n;
    for (int l = 0; l < n->L; l++) {
        const CellLayer layer = layer_of(d, pass, l);
        cell_weights_backward(&layer, N);
    }
    /* dW^l (G,H) += dgates' (G,N) · h^{l-1} (N,H);  dW_C (G,C) += dgates' · c (N,C) */
    for (int l = 1; l < n->L; l++) {
        linear_backward_weight(&pass->gradients->decoder[l].W, d->save[l].gates, n->G, d->h[l - 1],
                               n->H, N);
        if (n->above)
            linear_backward_weight(&pass->gradients->feed[l], d->save[l].gates, n->G, d->context,
                                   n->C, N);
    }
}

/* ---- forward ---- */

/* gates (N,G) of layer 0 = b + embedded (N,E) · W', for all words at once */
static void words_to_gates(DecoderState *d, const Pass *pass)
{
    const Sizes *n = &pass->architecture->n;
    const CellWeights *w = &pass->weights->decoder[0];
    const SideWords y = pass_words(pass, SIDE_TARGET);
    ProjectionCache *cache = pass->weights->words.target;
    real *gates = d->save[0].gates;
    if (cache)
        projection_cache_forward(cache, gates, d->embedded, y.id, &w->W, w->b, y.packed->total,
                                 d->projection);
    else linear_forward(OVERWRITE, gates, n->G, d->embedded, n->E, &w->W, w->b, y.packed->total);
}

void decoder_forward(DecoderState *d, const Pass *pass, const real *start)
{
    decoder_begin(d, pass, start, NULL);
    embedding_layer_forward(d->words, &d->embedding_norm, pass, SIDE_TARGET, 0);
    attention_layers_forward(&d->attention, pass, d->words);
    if (!pass->architecture->n.L) return;
    const PackedSequence *packed = &pass->target->packed;
    words_to_gates(d, pass);
    for (int t = 0; t < packed->steps; t++)
        pass->architecture->decoder->step(d, pass, packed->start[t], packed->rows[t]);
}

void decoder_step(DecoderState *d, const Pass *pass)
{
    embedding_layer_forward(d->words, &d->embedding_norm, pass, SIDE_TARGET, d->step);
    attention_layers_step(&d->attention, pass, d->words, d->step, d->alpha);
    if (pass->architecture->n.L) {
        words_to_gates(d, pass);
        pass->architecture->decoder->step(d, pass, 0, pass->target->packed.total);
    }
    d->step++;
}

/* ---- backward ---- */

static void steps_backward(DecoderState *d, DecoderGradient *g, const Pass *pass)
{
    const DecoderType *type = pass->architecture->decoder;
    const PackedSequence *packed = &pass->target->packed;
    const int G = pass->architecture->n.G, E = pass->architecture->n.E;
    for (int i = 0; i < d->recurrents; i++)
        memset(d->recurrent[i].gradient, 0,
               (size_t)packed->rows[0] * d->recurrent[i].width * sizeof(real));
    for (int t = packed->steps - 1; t >= 0; t--)
        type->step_backward(d, g, pass, packed->start[t], packed->rows[t]);
    type->weights_backward(d, g, pass, packed->total);
    layers_weights_backward(d, pass, packed->total);
    /* dW (G,E) += dgates' (G,N) · embedded (N,E);  dembedded (N,E) += dgates (N,G) · W */
    linear_backward_weight(&pass->gradients->decoder[0].W, d->save[0].gates, G, d->embedded, E,
                           packed->total);
    linear_backward_input(ACCUMULATE, g->dembedded, E, d->save[0].gates, G,
                          &pass->weights->decoder[0].W, packed->total);
}

void decoder_backward(DecoderState *d, DecoderGradient *g, const Pass *pass)
{
    const int is_recurrent = pass->architecture->n.L > 0;
    real *dembedded = is_recurrent ? g->dembedded : g->doutput;
    if (is_recurrent) steps_backward(d, g, pass);
    attention_layers_backward(&d->attention, pass, dembedded, d->words, g->attention.memory);
    embedding_layer_backward(dembedded, &d->embedding_norm, pass, SIDE_TARGET);
}
