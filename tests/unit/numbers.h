/* numbers.h - arrays for the tests of the numeric layers, and how close is close enough.
 *
 * Random inputs are multiples of 1/64 in [-1, 1]: exact in float and in short decimals, and still
 * exact when the gradient check moves them by a power of two. Expected values are always double.
 */
#ifndef ATTN_TESTS_NUMBERS_H
#define ATTN_TESTS_NUMBERS_H

#include "base/real.h"
#include "nn/nn.h"
#include "test.h"

/* So many random cases of one kind; an eighth of them under a sanitizer, which sees in few what it
 * sees in many, and takes many times as long. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CASES(count) ((count) / 8 + 1)
#else
#define CASES(count) (count)
#endif

enum { REAL_IS_DOUBLE = sizeof(real) == sizeof(double) };

/* The arrays of one test, released together; zero-initialise. Each is a block of its own, so that
 * the sanitizers see one step beyond it. */
typedef struct {
    void **block;
    size_t count, capacity;
} Heap;

void   *heap_take(Heap *heap, size_t count, size_t size);      /* zeroed */
real   *heap_zeros(Heap *heap, size_t count);
real   *heap_random(Heap *heap, size_t count);                 /* the same in each run */
double *heap_doubles(Heap *heap, size_t count);                /* zeroed */
double *heap_widened(Heap *heap, const real *x, size_t count); /* a copy */
void    heap_free(Heap *heap);

/* packed_of - the packed layout of sequences of these lengths, which never increase. */
PackedSequence packed_of(Heap *heap, const int *lengths, int count);

/* dot - the sum of the products, in double: makes one number, whose gradient is `weight`, of a
 * layer's outputs. */
double dot(const real *weight, const real *x, size_t count);

/* assert_near - each |got - expected| <= sqrt(operations) * epsilon * (1 + largest |expected|),
 * epsilon that of real: the inputs are of order 1, and the roundings of the operations behind one
 * value are independent, so that they grow as the square root of their number. 0 operations: the
 * same value. Names the worst element. */
#define assert_near(got, expected, count, operations) \
    assert_all_near(#got, got, expected, count, operations, 0, __FILE__, __LINE__)

/* The same with `slack` added to what is allowed. */
void assert_all_near(const char *what, const real *got, const double *expected, size_t count,
                     double operations, double slack, const char *file, int line);

#endif
