/* grid_table.c - widths, lines, frame. */
#include "cmd/eval/grid_table.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* Line `number` of a cell, from 0; "" behind the last. The caller frees. */
static char *line_of(const char *cell, int number)
{
    while (number > 0 && *cell) {
        cell += strcspn(cell, "\n");
        cell += *cell == '\n';
        number--;
    }
    return xstrndup(cell, strcspn(cell, "\n"));
}

static int lines_in(const char *cell)
{
    int lines = 1;
    for (; *cell; cell++) lines += *cell == '\n';
    return lines;
}

static int width_of(const char *cell)
{
    int widest = 0;
    for (int i = 0; i < lines_in(cell); i++) {
        char *line = line_of(cell, i);
        int width = unicode_columns(line);
        if (width > widest) widest = width;
        free(line);
    }
    return widest;
}

/* The heading has a blank on each side at least. */
static int column_width(char *const *cell, int rows, int columns, int column)
{
    int width = width_of(cell[column]) + 2;
    for (int row = 1; row < rows; row++) {
        int here = width_of(cell[row * columns + column]);
        if (here > width) width = here;
    }
    return width;
}

/* left, fill, between, right: "╒═╤╕" */
static void print_rule(FILE *out, const int *width, int columns, const char *const piece[4])
{
    for (int column = 0; column < columns; column++) {
        fputs(piece[column ? 2 : 0], out);
        for (int i = 0; i < width[column] + 2; i++) fputs(piece[1], out);
    }
    fprintf(out, "%s\n", piece[3]);
}

static void print_row(FILE *out, char *const *cell, const int *width, int columns)
{
    int lines = 1;
    for (int column = 0; column < columns; column++)
        if (lines_in(cell[column]) > lines) lines = lines_in(cell[column]);
    for (int i = 0; i < lines; i++) {
        for (int column = 0; column < columns; column++) {
            char *line = line_of(cell[column], i);
            int blanks = width[column] - unicode_columns(line),
                before = column ? blanks / 2 : blanks;
            fprintf(out, "│ %*s%s%*s ", before, "", line, blanks - before, "");
            free(line);
        }
        fputs("│\n", out);
    }
}

void grid_table_print(FILE *out, char *const *cell, int rows, int columns)
{
    static const char *const top[] = { "╒", "═", "╤", "╕" },
        *const below_heading[] = { "╞", "═", "╪", "╡" };
    static const char *const between[] = { "├", "─", "┼", "┤" },
        *const bottom[] = { "╘", "═", "╧", "╛" };
    int *width = xmalloc((size_t)columns, sizeof *width);
    for (int column = 0; column < columns; column++)
        width[column] = column_width(cell, rows, columns, column);
    print_rule(out, width, columns, top);
    for (int row = 0; row < rows; row++) {
        print_row(out, cell + row * columns, width, columns);
        print_rule(out, width, columns, row == rows - 1 ? bottom : row ? between : below_heading);
    }
    free(width);
}
