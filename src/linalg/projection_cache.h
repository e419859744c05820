/* projection_cache.h - y = x · w' + b for rows of x that recur, each multiplied once.
 *
 * Each row has an id, and rows of one id are equal: embeddings of words. Text repeats its words so
 * often that most products of a word are those of an earlier one. Where gemm multiplies, a row's
 * result does not depend on the rows beside it, so a cached result is the one that would be
 * computed, to the last bit; where OpenBLAS multiplies, nothing is cached.
 */
#ifndef ATTN_LINALG_PROJECTION_CACHE_H
#define ATTN_LINALG_PROJECTION_CACHE_H

#include "linalg/linear.h"

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
