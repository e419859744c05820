/* row_memo.h - y = x · w' + b for rows of x that come again and again, each multiplied once.
 *
 * Rows have names, and rows of one name are equal: embeddings of words. Text repeats its words so often that most
 * products of a word are those of an earlier one. Where gemm multiplies, a row's result does not depend on the rows
 * beside it, so what is remembered is what would be computed, to the last bit; where OpenBLAS does, nothing is
 * remembered.
 */
#ifndef ATTN_LINALG_ROW_MEMO_H
#define ATTN_LINALG_ROW_MEMO_H

#include "linalg/linear.h"

/* Of one w and b. Any number of threads may use it at a time. */
typedef struct RowMemo RowMemo;

/* row_memo_new - for names 0 .. names - 1 and results of n values, of which the first 2,048 that come are kept, for they
 * are likely to come again; NULL where nothing is remembered. */
RowMemo *row_memo_new(int names, int n);
void     row_memo_free(RowMemo *memo);

/* What a call takes beside its arguments. */
typedef struct {
    real *rows;             /* (m,k) */
    int  *missing;          /* (m) */
} RowMemoScratch;

/* row_memo_forward - y (m,n) = x (m,k) · w' (k,n) + b (n), b NULL: 0; name (m). */
void row_memo_forward(RowMemo *memo, real *y, const real *x, const int *name, const Linear *w, const real *b, int m,
                      RowMemoScratch scratch);

#endif
