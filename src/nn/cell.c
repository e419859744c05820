/* cell.c - the table of recurrent cells. */
#include "nn/cell.h"

#include "nn/cell_gru.h"
#include "nn/cell_lstm.h"

#include <stddef.h>

/* One row a cell; --cell and the model file use the names. */
#define TABLE(ROW) \
    ROW(gru) \
    ROW(lstm)

#define CELL(name) &cell_##name,
#define NAME(name) #name,
const Cell *const cells[] = { TABLE(CELL) NULL };
const char *const cell_names[] = { TABLE(NAME) NULL };
