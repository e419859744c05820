/* cell.c - the recurrent cells, what all of them do in a step, and the layer of them. */
#include "nn/cell.h"

#include "linalg/vector.h"

#include <stddef.h>
#include <string.h>

/* ---- the gated recurrent unit (Cho et al. 2014) ----
 *
 * PyTorch's variant: the reset gate acts after the product.
 *
 *   r  = sigmoid(W_r x + b_r + U_r h' + c_r)          h' is the state before
 *   z  = sigmoid(W_z x + b_z + U_z h' + c_z)
 *   un = U_n h' + c_n
 *   n  = tanh(W_n x + b_n + r * un)
 *   h  = (1 - z) * n + z * h'
 *
 * The order of the gates is r, z, n in every (..., 3H) array; un is what the cell saves (`extra`).
 */
enum { GRU_GATES = 3 };

static void gru_forward(real *state, const CellSave *save, const real *u, int at, int rows, int H)
{
    const size_t wide = GRU_GATES * (size_t)H;
    for (int i = 0; i < rows; i++) {
        const size_t row = (size_t)(at + i);
        vector_gru(state + (size_t)i * H, save->gates + row * wide, save->extra + row * H,
                   u + (size_t)i * wide, save->previous + row * H, H);
    }
}

static void gru_backward(real *dstate, const CellSave *save, int at, int rows, int H)
{
    const size_t wide = GRU_GATES * (size_t)H;
    for (int i = 0; i < rows; i++) {
        const size_t row = (size_t)(at + i);
        real *gates = save->gates + row * wide, *dh = dstate + (size_t)i * H;
        vector_gru_backward(gates, save->du + row * wide, dh, dh, gates, save->extra + row * H,
                            save->previous + row * H, H);
    }
}

const Cell cell_gru = {
    .gates = GRU_GATES, .states = 1, .extra = 1, .parts_differ = 1, .forward = gru_forward,
    .backward = gru_backward,
};

/* ---- long short-term memory (Hochreiter and Schmidhuber 1997, Gers et al. 2000) ----
 *
 * PyTorch's nn.LSTM:
 *
 *   i = sigmoid(W_i x + b_i + U_i h' + c_i)        [h' ; m']: state before; m: PyTorch's c
 *   f = sigmoid(W_f x + b_f + U_f h' + c_f)
 *   g = tanh   (W_g x + b_g + U_g h' + c_g)
 *   o = sigmoid(W_o x + b_o + U_o h' + c_o)
 *   m = f * m' + i * g
 *   h = o * tanh(m)
 *
 * The order of the gates is i, f, g, o in every (..., 4H) array; tanh(m) is what the cell saves
 * (`extra`).
 */
enum { LSTM_GATES = 4, LSTM_STATES = 2 };

static void lstm_forward(real *state, const CellSave *save, const real *u, int at, int rows, int H)
{
    const size_t wide = LSTM_GATES * (size_t)H, width = LSTM_STATES * (size_t)H;
    for (int i = 0; i < rows; i++) {
        const size_t row = (size_t)(at + i);
        vector_lstm(state + i * width, save->gates + row * wide, save->extra + row * H,
                    u + i * wide, save->previous + row * width, H);
    }
}

/* dm' is left where dm was; h' reaches the gates alone. */
static void lstm_backward(real *dstate, const CellSave *save, int at, int rows, int H)
{
    const size_t wide = LSTM_GATES * (size_t)H, width = LSTM_STATES * (size_t)H;
    for (int i = 0; i < rows; i++) {
        const size_t row = (size_t)(at + i);
        vector_lstm_backward(save->gates + row * wide, dstate + i * width, save->extra + row * H,
                             save->previous + row * width, H);
        memset(dstate + i * width, 0, (size_t)H * sizeof *dstate);
    }
}

const Cell cell_lstm = {
    .gates = LSTM_GATES, .states = LSTM_STATES, .extra = 1, .parts_differ = 0,
    .forward = lstm_forward, .backward = lstm_backward,
};

/* One row a cell; --cell and the model file use the names. */
const Cell *const cells[] = { &cell_gru, &cell_lstm, NULL };
const char *const cell_names[] = { "gru", "lstm", NULL };

/* ---- a step ---- */

int cell_keeps_du(const Cell *cell, int normalises)
{
    return cell->parts_differ || normalises;
}

/* The gradient of U h' + c. */
static real *state_part(const CellLayer *l)
{
    return cell_keeps_du(l->cell, l->save->state_norm.u != NULL) ? l->save->du : l->save->gates;
}

static int gates_width(const CellLayer *l)
{
    return l->cell->gates * l->H;
}

static int state_width(const CellLayer *l)
{
    return l->cell->states * l->H;
}

static int drops(const CellLayer *l)
{
    return l->dropout.dropout.p > 0;
}

/* Masks rows of h' as U reads them, (rows, H) from row `at` on. */
static void drop(const CellLayer *l, real *h, int at, int rows)
{
    dropout_apply(h, &l->dropout.dropout, l->dropout.place, l->dropout.token + at, rows, l->H);
}

/* h' as U reads it, and its row distance: in the state itself, or dropped out in `room`
 * (rows, H). */
static const real *state_before(const CellLayer *l, real *room, int at, int rows, int *ld)
{
    const int H = l->H, width = state_width(l);
    const real *h = l->save->previous + (size_t)at * width;
    *ld = width;
    if (!drops(l)) return h;
    *ld = H;
    for (int i = 0; i < rows; i++)
        memcpy(room + (size_t)i * H, h + (size_t)i * width, (size_t)H * sizeof *room);
    drop(l, room, at, rows);
    return room;
}

/* The normalisations of both parts, the input's and the state's. */
typedef struct { NormLayer input, state; } Norms;

static Norms norms_of(const CellLayer *l)
{
    const int wide = gates_width(l);
    const CellWeights *w = l->w, *dw = l->dw;
    return (Norms){ { &w->input_norm, dw ? &dw->input_norm : NULL, &l->save->input_norm, wide,
                      NORM_EPSILON },
                    { &w->state_norm, dw ? &dw->state_norm : NULL, &l->save->state_norm, wide,
                      NORM_EPSILON } };
}

void cell_forward(const CellLayer *l, real *state, int at, int rows, int first)
{
    const int wide = gates_width(l);
    real *u = l->scratch, *gates = l->save->gates + (size_t)at * wide;

    /* 1. u (rows,GH) = h' (rows,H) · U' + c */
    if (first) {
        bias_forward(u, l->w->c, rows, wide);
    } else {
        int ld;
        const real *h = state_before(l, l->scratch + (size_t)rows * wide, at, rows, &ld);
        linear_forward(OVERWRITE, u, wide, h, ld, &l->w->U, l->w->c, rows);
    }
    /* 2. both parts of the gates */
    if (l->w->state_norm.gain) {
        const Norms norms = norms_of(l);
        layer_norm_forward(&norms.input, gates, gates, at, rows);
        layer_norm_forward(&norms.state, u, u, at, rows);
    }
    /* 3. gates and state */
    l->cell->forward(state, l->save, u, at, rows, l->H);
}

/* dstate (rows,H of states * H) += du (rows,GH) · U, through the dropout */
static void state_backward(const CellLayer *l, real *dstate, const real *du, int at, int rows)
{
    const int H = l->H, wide = gates_width(l), width = state_width(l);
    if (!drops(l)) {
        linear_backward_input(ACCUMULATE, dstate, width, du, wide, &l->w->U, rows);
        return;
    }
    linear_backward_input(OVERWRITE, l->scratch, H, du, wide, &l->w->U, rows);
    drop(l, l->scratch, at, rows);
    for (int i = 0; i < rows; i++)
        vector_add(dstate + (size_t)i * width, l->scratch + (size_t)i * H, (size_t)H);
}

void cell_backward(const CellLayer *l, real *dstate, int at, int rows, int first)
{
    const int wide = gates_width(l);
    const size_t begin = (size_t)at * wide;
    real *dgates = l->save->gates + begin, *du = state_part(l) + begin;

    /* 3. */
    l->cell->backward(dstate, l->save, at, rows, l->H);
    /* 2. */
    if (l->w->state_norm.gain) {
        const Norms norms = norms_of(l);
        if (!l->cell->parts_differ) memcpy(du, dgates, (size_t)rows * wide * sizeof *du);
        layer_norm_backward(&norms.input, dgates, dgates, at, rows);
        layer_norm_backward(&norms.state, du, du, at, rows);
    }
    /* 1. */
    if (!first) state_backward(l, dstate, du, at, rows);
}

void cell_weights_backward(const CellLayer *l, int N)
{
    const int wide = gates_width(l), width = state_width(l);
    const real *du = state_part(l);
    real *h = l->save->previous;
    for (int i = 0; drops(l) && i < N; i++)
        drop(l, h + (size_t)i * width, i, 1);
    /* dU (GH,H) += du' (GH,N) · h' (N,H) */
    linear_backward_weight(&l->dw->U, du, wide, h, width, N);
    bias_backward(l->dw->c, du, N, wide);
    bias_backward(l->dw->b, l->save->gates, N, wide);
}

/* ---- a recurrent layer ---- */

/* Step number k, left to right or right to left: its first row, and how many it has. */
typedef struct { int at, rows; } Step;

static Step step_at(const RecurrentLayer *l, int k)
{
    const int t = l->reverse ? l->seq->steps - 1 - k : k;
    return (Step){ l->seq->start[t], l->seq->rows[t] };
}

void recurrent_forward(const RecurrentLayer *l, real *h, int ldh, real *state, const real *x)
{
    const CellLayer *c = &l->cells;
    const int wide = c->cell->gates * c->H;
    const size_t width = (size_t)c->cell->states * c->H;

    /* 1. the input's part of all gates of all steps: (N,GH) = x (N,I) · W' + b */
    if (x)
        linear_forward(OVERWRITE, c->save->gates, wide, x, c->w->W.columns, &c->w->W, c->w->b,
                       l->seq->total);

    /* 2. the steps; right to left, a sentence joins at its last word, with a state of zero */
    memset(state, 0, (size_t)l->seq->rows[0] * width * sizeof *state);
    for (int k = 0; k < l->seq->steps; k++) {
        const Step s = step_at(l, k);
        memcpy(c->save->previous + (size_t)s.at * width, state,
               (size_t)s.rows * width * sizeof *state);
        cell_forward(c, state, s.at, s.rows, k == 0);
        for (int i = 0; i < s.rows; i++)
            memcpy(h + (size_t)(s.at + i) * ldh, state + (size_t)i * width,
                   (size_t)c->H * sizeof *h);
    }
}

void recurrent_backward(const RecurrentLayer *l, real *dx, Store store, real *dstate,
                        const real *dh, int ldh, const real *x)
{
    const CellLayer *c = &l->cells;
    const int wide = c->cell->gates * c->H, I = c->w->W.columns, N = l->seq->total;
    const size_t width = (size_t)c->cell->states * c->H;

    /* 2. dstate holds what flows back from the steps after, and from elsewhere for a sentence not
     * yet reached */
    for (int k = l->seq->steps - 1; k >= 0; k--) {
        const Step s = step_at(l, k);
        for (int i = 0; i < s.rows; i++)
            vector_add(dstate + (size_t)i * width, dh + (size_t)(s.at + i) * ldh, (size_t)c->H);
        cell_backward(c, dstate, s.at, s.rows, k == 0);
    }
    cell_weights_backward(c, N);

    /* 1. dW (GH,I) += dgates' · x;  dx (N,I) = dgates (N,GH) · W */
    linear_backward_weight(&c->dw->W, c->save->gates, wide, x, I, N);
    if (dx) linear_backward_input(store, dx, I, c->save->gates, wide, &c->w->W, N);
}
