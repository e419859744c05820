/* read_table.h - tables of cases: a file of tests/data, a case a line, with tabs between its cells. */
#ifndef ATTN_TESTS_READ_TABLE_H
#define ATTN_TESTS_READ_TABLE_H

enum { CELLS_MOST = 8 };

/* each_case - calls `check` for each line of a table but for those that begin with #. A table without a case fails. */
void each_case(const char *name, void (*check)(char *const cell[CELLS_MOST], int cells));

#endif
