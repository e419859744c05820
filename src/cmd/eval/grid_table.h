/* grid_table.h - a table in a frame: cells of one line or more, the first column right-aligned, the
 * others centred. */
#ifndef ATTN_CMD_EVAL_GRID_TABLE_H
#define ATTN_CMD_EVAL_GRID_TABLE_H

#include <stdio.h>

/* grid_table_print - cell[rows * columns], row by row; the first row is the heading. Lines of a
 * cell end in '\n' but for the last. The frame is the "fancy_grid" of Python's tabulate. */
void grid_table_print(FILE *out, char *const *cell, int rows, int columns);

#endif
