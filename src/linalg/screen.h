/* screen.h - bounds of all n results of x · w' + b, and of log(sum exp) of them, for little more
 * than the cost of products in 8 bits.
 *
 * All results are computed in 8 bits. With w_j and x rounded to w_j + d_j and x + d, column j is
 * off by e_j = d · w_j + (x + d) · d_j, which is at most |d| |w_j| + |x + d| |d_j| (Cauchy and
 * Schwarz). Where products round their factors to bfloat16, those are what w_j and x mean here.
 *
 * A sum over j of p_j e_j is at most |p| |e|, which is much less than the sum of p_j times that
 * where there are many columns. The length of all e_j follows from e = d · W' + (x + d) · D' and
 * the Gram matrices W' W and D' D (linalg/gram.h). So the first order of how far the sum of exp is
 * off is bounded tightly, and the second one is small.
 *
 * The results of some columns are then computed by gemm, which gives the same whatever part of w it
 * multiplies by; the more of the sum they have, the tighter its bound.
 */
#ifndef ATTN_LINALG_SCREEN_H
#define ATTN_LINALG_SCREEN_H

#include "linalg/linear.h"
#include "linalg/vector.h"

/* For one w and b. Any number of threads may use it at a time. */
typedef struct Screen Screen;

/* screen_new - for w (n,k) and b (n), which must stay as they are. NULL where it is no faster: by
 * the precision of w, or on this CPU; and where it has no bounds: for numbers that are not finite
 * or huge, and a k above 1,536.
 * screen_new_anywhere - the same wherever there are bounds. */
Screen *screen_new(const Linear *w, const real *b);
Screen *screen_new_anywhere(const Linear *w, const real *b);
void    screen_free(Screen *s);

/* screen_tighten - makes the Gram matrices. screen_rows does so itself once it has seen so many
 * rows that they are worth it. */
void screen_tighten(Screen *s);

/* Blocks of VECTOR_BLOCK columns. */
int screen_blocks(const Screen *s);

/* What is known of one row of x. */
typedef struct {
    double most;                /* how far any result in 8 bits is off; infinite: no bounds */
    double base;                /* the part of `most` that is the rounding of float */
    double along;               /* the length of what all results are off by; infinite: unknown */
    double greatest;            /* result in 8 bits */
    double sum, light;          /* sums of exp(result in 8 bits - greatest), of all and of those
                                   below VECTOR_LIGHT */
    double squares, light_squares;
} ScreenRow;

/* screen_rows - the results in 8 bits, rough (rows,n); the greatest of each of their blocks,
 * largest (rows, screen_blocks); and what is known of each row of x (rows,k). */
void screen_rows(Screen *s, ScreenRow *row, real *rough, real *largest, const real *x, int rows);

/* screen_columns - the results themselves of some columns, result (rows,count), as gemm has them.
 * room: (count, k + 1) reals. */
void screen_columns(const Screen *s, real *result, const real *x, int rows, const int *column,
                    int count, real *room);

/* log(sum exp): what vector_log_sum_exp returns for all results is at most `error` from `value`. */
typedef struct { double value, error; } ScreenSum;

/* screen_log_sum - for a row, its results in 8 bits, and the results themselves of some columns. */
ScreenSum screen_log_sum(const Screen *s, const ScreenRow *row, const real *rough,
                         const real *result, const int *column, int count);

#endif
