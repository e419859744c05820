/* gram.h - how long the products A v of one matrix A (n,k) are, for many v: by its Gram matrix,
 *
 *   |A v|² = v · (A' A) v
 *
 * which takes k² products in place of n k.
 */
#ifndef ATTN_LINALG_GRAM_H
#define ATTN_LINALG_GRAM_H

#include "linalg/gemm.h"

typedef struct {
    int    k, parts, longest;   /* parts of A that were added; rows of the longest one */
    real  *product;             /* (k,k) A' A */
    real  *packed;              /* the same for the kernels, from gram_end on */
    double trace;               /* the sum of its diagonal, |A|² */
} Gram;

/* gram_new - all the memory there will be, of which pages that are never written take none. */
Gram gram_new(int k);
void gram_free(Gram *g);

/* gram_add - adds rows of A, given as columns: (k,n). gram_end - after the last ones. */
void gram_add(Gram *g, Operand columns, int n);
void gram_end(Gram *g);

/* gram_lengths - length[i] is |A v_i| or a little more, whatever was rounded, for v (rows,k). room:
 * (rows,k). */
void gram_lengths(const Gram *g, double *length, const real *v, int rows, real *room);

#endif
