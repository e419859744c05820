/* gram.c - Gram matrices, and what their rounding can hide. */
#include "linalg/gram.h"

#include "base/mem.h"
#include "linalg/matmul.h"
#include "linalg/vector.h"

#include <math.h>
#include <stdlib.h>

Gram gram_new(int k)
{
    return (Gram){ .k = k, .product = xaligned_raw((size_t)k * (size_t)k, sizeof(real)),
                   .packed = xaligned_raw(gemm_packed_size(PRECISION_FLOAT, k, k), sizeof(real)) };
}

void gram_free(Gram *g)
{
    free(g->product);
    free(g->packed);
    *g = (Gram){ 0 };
}

void gram_add(Gram *g, Operand columns, int n)
{
    const Operand rows = { columns.x, columns.column, columns.row };
    const Store store = g->parts++ ? ACCUMULATE : OVERWRITE;
    gemm(PRECISION_FLOAT, result_in(store, g->product, g->k), columns, rows, g->k, n, g->k);
    if (n > g->longest) g->longest = n;
}

void gram_end(Gram *g)
{
    const int k = g->k;
    for (int i = 0; i < k; i++)
        g->trace += (double)g->product[(size_t)i * (size_t)k + (size_t)i];
    gemm_pack(PRECISION_FLOAT, g->packed, matrix_of(g->product, k), k, k, (Portion){ 0, 1 });
}

/* Each element of A' A, each of (A' A) v, and the sum with v are off by at most as many units in
 * the last place of the sum of absolute values as terms were added (Higham 2002, section 3.1); and
 * the sum over i, j of |v_i| (|A|' |A|)_ij |v_j| is at most |A|² |v|². */
static double hidden(const Gram *g, const real *v)
{
    const double rounding = ldexp(g->longest + g->parts + 2 * g->k + 8, -23);
    return rounding * g->trace * (double)vector_dot(v, v, (size_t)g->k);
}

void gram_lengths(const Gram *g, double *length, const real *v, int rows, real *room)
{
    const size_t k = (size_t)g->k;
    gemm_packed(PRECISION_FLOAT, (Result){ room, g->k, NULL, 0 }, matrix_of(v, g->k), g->packed,
                rows, g->k, g->k);
    for (size_t i = 0; i < (size_t)rows; i++) {
        const double square = (double)vector_dot(room + i * k, v + i * k, k);
        length[i] = sqrt(fmax(square, 0) + hidden(g, v + i * k));
    }
}
