/* decoder_types.c - the decoder types with recurrent layers: when a step attends to the source, and
 * how it uses the context. The one without is in model/attention_layers.c.
 */
#include "model/decoder/decoder.h"

#include "linalg/vector.h"

#include <string.h>

/* ---- bahdanau and gnmt: attend with the state before the step, then update all layers ----
 *
 * bahdanau: Bahdanau, Cho and Bengio (2015), appendix A.2.2
 *   1. c_t = attention(d_{t-1} of the top layer, memory)
 *   2. d_t = layers([E y_{t-1} ; c_t], d_{t-1})
 *
 * gnmt: Wu et al. (2016), "Google's Neural Machine Translation System", section 3 and figure 1. The
 * first layer's state attends, so that the layers above need not be done first, and all of them
 * read what it found.
 *   1. c_t   = attention(d_{t-1}^1, memory)
 *   2. d_t^1 = cell([E y_{t-1} ; c_t], d_{t-1}^1)
 *      d_t^l = cell([d_t^{l-1} ; c_t], d_{t-1}^l)        the layers above
 */

static DecoderShape bahdanau_shape(const Sizes *n)
{
    return (DecoderShape){ .fed = n->C, .query_layer = n->L - 1 };
}

static DecoderShape gnmt_shape(const Sizes *n)
{
    return (DecoderShape){ .fed = n->C, .context_above = 1, .query_layer = 0 };
}

static int query_layer(const Pass *pass)
{
    return pass->architecture->decoder_shape.query_layer;
}

static void bahdanau_step(DecoderState *d, const Pass *pass, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    /* 1. */
    decoder_attend(d, pass, d->recurrent[query_layer(pass)].now, n->Z, at, rows);
    /* 2. */
    decoder_layers_feed(d, pass, d->context + (size_t)at * n->C, at, rows);
    decoder_layers_step(d, pass, NULL, at, rows);
}

static void bahdanau_step_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass,
                                   int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    /* 2. */
    decoder_layers_backward(d, g->doutput + (size_t)at * n->H, g, pass, NULL, at, rows);
    decoder_layers_feed_backward(d, ACCUMULATE, g->dcontext + (size_t)at * n->C, pass, at, rows);
    /* 1. */
    decoder_attend_backward(d, d->recurrent[query_layer(pass)].gradient, n->Z, g, pass, at, rows);
}

static void bahdanau_weights_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass,
                                      int N)
{
    (void)g;
    decoder_layers_feed_weights(d, pass, d->context, N);
    decoder_attend_weights(d, pass, d->save[query_layer(pass)].previous, pass->architecture->n.Z,
                           N);
}

#define FUNCTIONS(type) \
    .step = type##_step, .step_backward = type##_step_backward, \
    .weights_backward = type##_weights_backward

const DecoderType decoder_bahdanau = { FUNCTIONS(bahdanau), .shape = bahdanau_shape };
const DecoderType decoder_gnmt = { FUNCTIONS(bahdanau), .shape = gnmt_shape };

/* ---- luong: update the state, attend with the new one, feed what both make to the next step ----
 *
 * Luong, Pham and Manning (2015), sections 3 and 3.3:
 *
 *   1. d_t = layers([E y_{t-1} ; o_{t-1}], d_{t-1})      o_0 = 0
 *   2. c_t = attention(output of the top layer, memory)
 *   3. o_t = tanh(W [c_t ; d_t])                         equation 5, read by the readout
 *
 * Parameters: decoder.attentional.weight (H, C + H), W = [W_c W_d].
 */

enum { CONTEXT, STATE };                /* the blocks of W, by what they read */

/* Fed and carried: o_{t-1}, which is saved for the gradient of the weights. */
static DecoderShape luong_shape(const Sizes *n)
{
    return (DecoderShape){
        .fed = n->H, .carried = n->H, .saved = n->H, .gradient = n->H, .own_output = 1,
        .matrix = { { .name = "attentional", .rows = n->H,
                      .block = { [CONTEXT] = n->C, [STATE] = n->H } } },
    };
}

static void luong_step(DecoderState *d, const Pass *pass, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const Linear *W = pass->weights->type.linear;
    const int H = n->H, C = n->C;
    const size_t row = (size_t)at * H, values = (size_t)rows * H;
    real *before = d->type.saved + row, *carried = d->recurrent[n->L].now;
    real *o = d->output + row, *top = d->h[n->L - 1] + row;

    /* 1. */
    memcpy(before, carried, values * sizeof(real));
    decoder_layers_feed(d, pass, before, at, rows);
    decoder_layers_step(d, pass, NULL, at, rows);
    /* 2. */
    decoder_attend(d, pass, top, H, at, rows);
    /* 3. o (rows,H) = tanh(c (rows,C) · W_c' + d (rows,H) · W_d') */
    linear_forward(OVERWRITE, o, H, d->context + (size_t)at * C, C, &W[CONTEXT], NULL, rows);
    linear_forward(ACCUMULATE, o, H, top, H, &W[STATE], NULL, rows);
    vector_tanh(o, values);
    memcpy(carried, o, values * sizeof(real));
}

static void luong_step_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int at,
                                int rows)
{
    const Sizes *n = &pass->architecture->n;
    const Linear *W = pass->weights->type.linear;
    const int H = n->H, C = n->C;
    const size_t row = (size_t)at * H, values = (size_t)rows * H;
    real *o = g->doutput + row, *dcarried = d->recurrent[n->L].gradient, *dtop = d->type.gradient;

    /* 3. do = the gradients from the readout and from the next step;
     *    dc (rows,C) += do · W_c;  dd (rows,H) = do · W_d */
    vector_add(o, dcarried, values);
    vector_tanh_backward(o, d->output + row, values);
    linear_backward_input(ACCUMULATE, g->dcontext + (size_t)at * C, C, o, H, &W[CONTEXT], rows);
    linear_backward_input(OVERWRITE, dtop, H, o, H, &W[STATE], rows);
    /* 2. */
    decoder_attend_backward(d, dtop, H, g, pass, at, rows);
    /* 1. */
    decoder_layers_backward(d, dtop, g, pass, NULL, at, rows);
    decoder_layers_feed_backward(d, OVERWRITE, dcarried, pass, at, rows);
}

static void luong_weights_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass,
                                   int N)
{
    const Sizes *n = &pass->architecture->n;
    const Linear *dW = pass->gradients->type.linear;
    const int H = n->H, C = n->C;
    const real *top = d->h[n->L - 1];
    decoder_layers_feed_weights(d, pass, d->type.saved, N);
    decoder_attend_weights(d, pass, top, H, N);
    /* dW_c (H,C) += do' (H,N) · c (N,C);  dW_d (H,H) += do' · d (N,H) */
    linear_backward_weight(&dW[CONTEXT], g->doutput, H, d->context, C, N);
    linear_backward_weight(&dW[STATE], g->doutput, H, top, H, N);
}

const DecoderType decoder_luong = { FUNCTIONS(luong), .shape = luong_shape };

/* ---- conditional: attend between two updates of the state ----
 *
 * The conditional GRU of Nematus (Sennrich et al. 2017, section 2) and Marian attends with a state
 * that has read the previous word. It works with any cell.
 *
 *   1. s'_t = cell_1(E y_{t-1}, s_{t-1})           layer 0; one product for the words of all steps
 *   2. c_t  = attention(s'_t, memory)
 *   3. s_t  = cell_2(c_t, s'_t)                    the transition; s_t is the state of layer 0
 *
 * Further layers read the output of s_t. Parameters:
 * decoder.transition.{weight_ih,weight_hh,bias_ih,bias_hh}, W (GH, C), U (GH, H), (GH), (GH) of
 * cell_2; with layer normalisation decoder.transition_norm.{ih,hh}.{weight,bias} (GH).
 */

static DecoderShape conditional_shape(const Sizes *n)
{
    return (DecoderShape){ .cell = { .name = "transition", .input = n->C } };
}

static CellLayer transition_of(const DecoderState *d, const Pass *pass)
{
    return pass_cell(pass, SIDE_TARGET, &pass->weights->type.cell,
                     pass->gradients ? &pass->gradients->type.cell : NULL, &d->type.cell,
                     PLACE_DECODER_TYPE_STATE, d->scratch);
}

/* Runs between the new state of layer 0 and its readers. */
static void transition(DecoderState *d, const Pass *pass, int at, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const CellLayer layer = transition_of(d, pass);
    real *state = d->recurrent[0].now, *gates = layer.save->gates + (size_t)at * n->G;

    /* 2. */
    decoder_attend(d, pass, state, n->Z, at, rows);
    /* 3. gates (rows,G) = b + c (rows,C) · W' */
    if (context_is_projected(pass)) context_to_gates(gates, d, pass, layer.w->b, rows);
    else linear_forward(OVERWRITE, gates, n->G, d->context + (size_t)at * n->C, n->C, &layer.w->W,
                        layer.w->b, rows);
    memcpy(layer.save->previous + (size_t)at * n->Z, state, (size_t)rows * n->Z * sizeof *state);
    cell_forward(&layer, state, at, rows, 0);
}

static void transition_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass, int at,
                                int rows)
{
    const Sizes *n = &pass->architecture->n;
    const CellLayer layer = transition_of(d, pass);
    real *dstate = d->recurrent[0].gradient, *dgates = layer.save->gates + (size_t)at * n->G;

    /* 3. dc (rows,C) += dgates (rows,G) · W */
    cell_backward(&layer, dstate, at, rows, 0);
    linear_backward_input(ACCUMULATE, g->dcontext + (size_t)at * n->C, n->C, dgates, n->G,
                          &layer.w->W, rows);
    /* 2. */
    decoder_attend_backward(d, dstate, n->Z, g, pass, at, rows);
}

static void conditional_step(DecoderState *d, const Pass *pass, int at, int rows)
{
    decoder_layers_step(d, pass, transition, at, rows);
}

static void conditional_step_backward(DecoderState *d, const DecoderGradient *g, const Pass *pass,
                                      int at, int rows)
{
    const real *doutput = g->doutput + (size_t)at * pass->architecture->n.H;
    decoder_layers_backward(d, doutput, g, pass, transition_backward, at, rows);
}

static void conditional_weights_backward(DecoderState *d, const DecoderGradient *g,
                                         const Pass *pass, int N)
{
    const Sizes *n = &pass->architecture->n;
    const CellLayer layer = transition_of(d, pass);
    (void)g;
    decoder_attend_weights(d, pass, layer.save->previous, n->Z, N);
    /* dW (G,C) += dgates' (G,N) · c (N,C) */
    linear_backward_weight(&layer.dw->W, layer.save->gates, n->G, d->context, n->C, N);
    cell_weights_backward(&layer, N);
}

static const Linear *conditional_context_weight(const Weights *w)
{
    return &w->type.cell.W;
}

const DecoderType decoder_conditional = {
    FUNCTIONS(conditional), .shape = conditional_shape,
    .context_weight = conditional_context_weight,
};
