/* read_table.c - see read_table.h. */
#include "read_table.h"

#include "base/files/lines.h"
#include "scratch.h"

static int cut(char *line, char *cell[CELLS_MOST])
{
    int cells = 0;
    for (char *next = line; next && cells < CELLS_MOST; cells++) {
        cell[cells] = next;
        if ((next = strchr(next, '\t'))) *next++ = '\0';
    }
    return cells;
}

void each_case(const char *name, void (*check)(char *const cell[CELLS_MOST], int cells))
{
    Err e = { "" };
    Lines *lines = lines_open(name, &e);
    if (!lines) fail_msg("%s", e.text);
    char *line, *cell[CELLS_MOST];
    size_t length, cases = 0;
    while (lines_next(lines, &line, &length, &e) == 1) {
        if (*line == '#') continue;
        check(cell, cut(line, cell));
        cases++;
    }
    assert_true(cases > 0);
    lines_close(lines);
}
