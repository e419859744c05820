/* openblas.c - the product by cblas, and whose kernels multiply. */
#include "linalg/openblas.h"

#include "linalg/openblas_load.h"

#include <string.h>

/* Between the rows of a matrix of `columns`, or of what it is the transpose of. cblas wants no less
 * than their width, even of the single row of which a vector may consist. */
static int row_distance(Operand o, int rows, int columns)
{
    const ptrdiff_t distance = o.column == 1 ? o.row : o.column;
    const int width = o.column == 1 ? columns : rows;
    return distance < width ? width : (int)distance;
}

/* The sums begin in C, as cblas wants it. */
static void begin_in_place(Result r, int m, int n)
{
    for (int i = 0; r.start && r.start != r.c && i < m; i++)
        memcpy(r.c + i * r.row, r.start + i * r.start_row, (size_t)n * sizeof *r.c);
}

void openblas_multiply(Result r, Operand a, Operand b, int m, int k, int n)
{
    begin_in_place(r, m, n);
    openblas_load()->gemm(CblasRowMajor, a.column == 1 ? CblasNoTrans : CblasTrans,
                          b.column == 1 ? CblasNoTrans : CblasTrans, m, n, k, 1, a.x,
                          row_distance(a, m, k), b.x, row_distance(b, k, n), r.start != NULL, r.c,
                          (int)r.row);
}

const char *openblas_library(void)
{
    return gemm_is_fastest() ? NULL : openblas_load()->get_config();
}

const char *openblas_kernels(void)
{
    return gemm_is_fastest() ? "none" : openblas_load()->get_corename();
}
