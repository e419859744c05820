/* linear.h - a weight as a value, and the three products of a linear layer.
 *
 * With y (m,n) = x (m,k) · w' for a weight w (n,k) in PyTorch's layout, training needs just these
 * three. How they round and what they read are said by the weight: nothing is kept between two
 * products but in the copies that the weight points to. Arrays are passed by their first element
 * and row distance (ld).
 */
#ifndef ATTN_LINALG_LINEAR_H
#define ATTN_LINALG_LINEAR_H

#include "linalg/matmul.h"

#include <stdatomic.h>

/* Copies of a weight (n,k) in the order that the kernels read, for products with few rows: there,
 * copying the weight each time takes as long as multiplying. A copy and its memory are the owner's;
 * any number of threads may multiply by it. It is out of date when its weight changes. Results are
 * the same with and without it. A copy takes as much memory as its weight, with PRECISION_BF16 half
 * where there are instructions for it, with PRECISION_INT8 a quarter; where OpenBLAS multiplies
 * there are none.
 *
 * PREPACKED_LATER: the first linear_forward makes the forward copy, and costs little more than it
 * would without; so there are none but those that are used. A product that comes while it is made
 * reads the weight itself. */
typedef enum { PREPACKED_LATER, PREPACKED_NOW, PREPACKED_READY } PrepackedState;

typedef struct {
    real      *forward;         /* packed w', (k,n); NULL: no such copy */
    real      *backward;        /* packed w, (n,k); NULL: no such copy */
    atomic_int state;           /* PREPACKED_...: of the forward copy */
} Prepacked;

/* A weight or its gradient, (rows, columns): a whole matrix, or a block of a larger one. */
typedef struct {
    real      *weights;
    int        ld;              /* distance between two rows */
    int        rows, columns;   /* n and k: values of y, values of x */
    Precision  precision;       /* of all products with it */
    Prepacked *prepacked;       /* its copies for the kernels; NULL: none. Results are the same */
} Linear;

/* linear_of - without copies. With PRECISION_INT8 a weight of fewer than LINEAR_INT8_LEAST rows or
 * columns stays in float: to round the other side would take as long as its product. */
enum { LINEAR_INT8_LEAST = 32 };
Linear linear_of(real *weights, int ld, int rows, int columns, Precision precision);

/* linear_forward - y (m,n) = x (m,k) · w' + bias (n) in every row, or += x · w'. bias NULL: none;
 * only to overwrite. */
void linear_forward(Store store, real *y, int ldy, const real *x, int ldx, const Linear *w,
                    const real *bias, int m);

/* linear_backward_input - dx (m,k) = dy (m,n) · w, or += */
void linear_backward_input(Store store, real *dx, int ldx, const real *dy, int ldy,
                           const Linear *w, int m);

/* linear_backward_weight - dw (n,k) += dy' (n,m) · x (m,k) */
void linear_backward_weight(const Linear *dw, const real *dy, int ldy, const real *x, int ldx,
                            int m);

/* bias_forward - y (m,n) = bias (n) in every row; bias_backward - dbias (n) += sum of the rows of
 * dy (m,n) */
void bias_forward(real *y, const real *bias, int m, int n);
void bias_backward(real *dbias, const real *dy, int m, int n);

/* prepacked_forward_size, prepacked_backward_size - reals of the copies of w; 0 where OpenBLAS
 * multiplies. */
size_t prepacked_forward_size(const Linear *w);
size_t prepacked_backward_size(const Linear *w);

/* prepacked_write - writes all copies of w, or of each the part of one worker: they may be read
 * when all have done so. */
void prepacked_write(const Linear *w, Portion portion);

/* ---- y = x · w' + b for rows of x that recur, each multiplied once ----
 *
 * Each row has an id, and rows of one id are equal: embeddings of words. Text repeats its words so
 * often that most products of a word are those of an earlier one. Where gemm multiplies, a row's
 * result does not depend on the rows beside it, so a cached result is the one that would be
 * computed, to the last bit; where OpenBLAS multiplies, nothing is cached.
 */

/* The results of one w and b. Any number of threads may use it at a time. */
typedef struct ProjectionCache ProjectionCache;

/* projection_cache_new - for ids 0 .. ids - 1, and results of n values. The first 2,048 results
 * are kept: those are likely to recur. NULL where nothing is cached. */
ProjectionCache *projection_cache_new(int ids, int n);
void             projection_cache_free(ProjectionCache *cache);

/* The memory that a call takes beside its arguments. */
typedef struct {
    real *rows;             /* (m,k) */
    int  *missing;          /* (m) */
} ProjectionScratch;

/* projection_cache_forward - y (m,n) = x (m,k) · w' (k,n) + b (n), b NULL: 0; id (m). */
void projection_cache_forward(ProjectionCache *cache, real *y, const real *x, const int *id,
                              const Linear *w, const real *b, int m, ProjectionScratch scratch);

#endif
