/* cell.c - the table of recurrent cells, and what all of them do. */
#include "nn/cell.h"

#include "linalg/vector.h"
#include "nn/cell_gru.h"
#include "nn/cell_lstm.h"

#include <stddef.h>
#include <string.h>

/* One row a cell; --cell and the model file use the names. */
#define TABLE(ROW) \
    ROW(gru) \
    ROW(lstm)

#define CELL(name) &cell_##name,
#define NAME(name) #name,
const Cell *const cells[] = { TABLE(CELL) NULL };
const char *const cell_names[] = { TABLE(NAME) NULL };

int cell_keeps_du(const Cell *cell, int normalises)
{
    return cell->parts_differ || normalises;
}

/* The gradient of U h' + c. */
static real *state_part(const Cell *cell, const CellSave *save)
{
    return cell_keeps_du(cell, save->state_norm.u != NULL) ? save->du : save->gates;
}

/* h' as U reads it, and its row distance: where the state lies, or dropped out in `room` (rows, H). */
static const real *state_before(const Cell *cell, const CellSave *save, const CellDropout *dropout, real *room, int at,
                                int rows, int H, int *ld)
{
    const int width = cell->states * H;
    const real *h = save->previous + (size_t)at * width;
    *ld = width;
    if (dropout->dropout.p <= 0) return h;
    *ld = H;
    for (int i = 0; i < rows; i++)
        memcpy(room + (size_t)i * H, h + (size_t)i * width, (size_t)H * sizeof *room);
    dropout_apply(room, &dropout->dropout, dropout->place, dropout->token + at, rows, H);
    return room;
}

void cell_forward(const Cell *cell, real *state, const CellSave *save, const CellWeights *w, const CellDropout *dropout,
                  real *scratch, int at, int rows, int first, int H)
{
    const int wide = cell->gates * H;
    real *u = scratch, *gates = save->gates + (size_t)at * wide;

    /* 1. u (rows,GH) = h' (rows,H) · U' + c */
    if (first) {
        bias_forward(u, w->c, rows, wide);
    } else {
        int ld;
        const real *h = state_before(cell, save, dropout, scratch + (size_t)rows * wide, at, rows, H, &ld);
        linear_forward(OVERWRITE, u, wide, h, ld, &w->U, w->c, rows);
    }
    /* 2. both parts of the gates */
    if (w->state_norm.gain) {
        layer_norm_forward(gates, &save->input_norm, gates, wide, &w->input_norm, at, rows, wide);
        layer_norm_forward(u, &save->state_norm, u, wide, &w->state_norm, at, rows, wide);
    }
    /* 3. gates and state */
    cell->forward(state, save, u, at, rows, H);
}

/* dstate (rows,H of states * H) += du (rows,GH) · U, through the dropout */
static void state_backward(const Cell *cell, real *dstate, const real *du, const CellWeights *w,
                           const CellDropout *dropout, real *scratch, int at, int rows, int H)
{
    const int wide = cell->gates * H, width = cell->states * H;
    if (dropout->dropout.p <= 0) {
        linear_backward_input(ACCUMULATE, dstate, width, du, wide, &w->U, rows);
        return;
    }
    linear_backward_input(OVERWRITE, scratch, H, du, wide, &w->U, rows);
    dropout_apply(scratch, &dropout->dropout, dropout->place, dropout->token + at, rows, H);
    for (int i = 0; i < rows; i++)
        vector_add(dstate + (size_t)i * width, scratch + (size_t)i * H, (size_t)H);
}

void cell_backward(const Cell *cell, real *dstate, const CellWeights *dw, const CellSave *save, const CellWeights *w,
                   const CellDropout *dropout, real *scratch, int at, int rows, int first, int H)
{
    const int wide = cell->gates * H;
    const size_t begin = (size_t)at * wide;
    real *dgates = save->gates + begin, *du = state_part(cell, save) + begin;

    /* 3. */
    cell->backward(dstate, save, at, rows, H);
    /* 2. */
    if (w->state_norm.gain) {
        if (!cell->parts_differ) memcpy(du, dgates, (size_t)rows * wide * sizeof *du);
        layer_norm_backward(dgates, &dw->input_norm, dgates, wide, &save->input_norm, &w->input_norm, at, rows, wide);
        layer_norm_backward(du, &dw->state_norm, du, wide, &save->state_norm, &w->state_norm, at, rows, wide);
    }
    /* 1. */
    if (!first) state_backward(cell, dstate, du, w, dropout, scratch, at, rows, H);
}

void cell_weights_backward(const Cell *cell, const CellWeights *dw, const CellSave *save, const CellDropout *dropout,
                           int N, int H)
{
    const int wide = cell->gates * H, width = cell->states * H;
    const real *du = state_part(cell, save);
    if (dropout->dropout.p > 0)
        for (int i = 0; i < N; i++)
            dropout_apply(save->previous + (size_t)i * width, &dropout->dropout, dropout->place, dropout->token + i, 1,
                          H);
    /* dU (GH,H) += du' (GH,N) · h' (N,H) */
    linear_backward_weight(&dw->U, du, wide, save->previous, width, N);
    bias_backward(dw->c, du, N, wide);
    bias_backward(dw->b, save->gates, N, wide);
}
