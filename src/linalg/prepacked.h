/* prepacked.h - copies of a weight (n,k) in the order that the kernels read, for products with few
 * rows: there, copying the weight each time takes as long as multiplying.
 *
 * A copy and its memory are the owner's; weights point to it (linalg/linear.h), and any number of
 * threads may multiply by it. It belongs to one weight, which must stay as it is: a copy is out of
 * date when its weight changes. Results are the same with and without it. A copy takes as much
 * memory as its weight, with PRECISION_BF16 half where there are instructions for it, with
 * PRECISION_INT8 a quarter; where OpenBLAS multiplies there are none.
 */
#ifndef ATTN_LINALG_PREPACKED_H
#define ATTN_LINALG_PREPACKED_H

#include "linalg/linear.h"

#include <stdatomic.h>

/* PREPACKED_LATER: the first linear_forward makes the forward copy, and costs little more than it
 * would without; so there are none but those that are used. A product that comes while it is
 * made reads the weight itself. */
typedef enum { PREPACKED_LATER, PREPACKED_NOW, PREPACKED_READY } PrepackedState;

struct Prepacked {
    real      *forward;         /* packed w', (k,n); NULL: no such copy */
    real      *backward;        /* packed w, (n,k); NULL: no such copy */
    atomic_int state;           /* PREPACKED_...: of the forward copy */
};

/* prepacked_forward_size, prepacked_backward_size - reals of the copies of w; 0 where OpenBLAS
 * multiplies. */
size_t prepacked_forward_size(const Linear *w);
size_t prepacked_backward_size(const Linear *w);

/* prepacked_write - writes all copies of w, or of each the part of one worker: they may be read
 * when all have done so. */
void prepacked_write(const Linear *w, Portion portion);

/* For the products: the copy of w', of w; NULL: there is none to be read now. */
const real *prepacked_forward(const Linear *w);
const real *prepacked_backward(const Linear *w);

#endif
