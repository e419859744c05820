/* numbers.c - arrays of random numbers, and comparison that names the worst element. */
#include "numbers.h"

#include "base/mem.h"
#include "base/random/rng.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double epsilon = REAL_IS_DOUBLE ? DBL_EPSILON : FLT_EPSILON;

void *heap_take(Heap *heap, size_t count, size_t size)
{
    heap->block = grow(heap->block, &heap->capacity, heap->count + 1, sizeof *heap->block);
    return heap->block[heap->count++] = xcalloc(count, size);
}

real *heap_zeros(Heap *heap, size_t count)
{
    return heap_take(heap, count, sizeof(real));
}

real *heap_random(Heap *heap, size_t count)
{
    real *x = heap_zeros(heap, count);
    uint64_t key = rng_key(1, heap->count, RNG_INIT);
    for (size_t i = 0; i < count; i++)
        x[i] = ((real)rng_below(key, i, 129) - 64) / 64;
    return x;
}

double *heap_doubles(Heap *heap, size_t count)
{
    return heap_take(heap, count, sizeof(double));
}

double *heap_widened(Heap *heap, const real *x, size_t count)
{
    double *wide = heap_doubles(heap, count);
    for (size_t i = 0; i < count; i++)
        wide[i] = (double)x[i];
    return wide;
}

void heap_free(Heap *heap)
{
    for (size_t i = 0; i < heap->count; i++)
        free(heap->block[i]);
    free(heap->block);
    *heap = (Heap){ 0 };
}

PackedSequence packed_of(Heap *heap, const int *lengths, int count)
{
    const int steps = lengths[0];
    int *rows = heap_take(heap, (size_t)steps, sizeof *rows);
    int *start = heap_take(heap, (size_t)steps + 1, sizeof *start);
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < count; i++)
            rows[t] += lengths[i] > t;
        start[t + 1] = start[t] + rows[t];
    }
    return (PackedSequence){ .steps = steps, .total = start[steps], .rows = rows, .start = start };
}

double dot(const real *weight, const real *x, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)weight[i] * (double)x[i];
    return sum;
}

void assert_all_near(const char *what, const real *got, const double *expected, size_t count,
                     double operations, double slack, const char *file, int line)
{
    double largest = 0, worst_error = -1;
    size_t worst = 0;
    for (size_t i = 0; i < count; i++) {
        double error = fabs((double)got[i] - expected[i]);
        if (isnan(error)) error = HUGE_VAL;
        if (error > worst_error) {
            worst_error = error;
            worst = i;
        }
        largest = fmax(largest, fabs(expected[i]));
    }
    double allowed = sqrt(operations) * epsilon * (1 + largest) + slack;
    if (worst_error <= allowed) return;
    print_error("%s[%zu] is %.17g instead of %.17g: %.3g off, %.3g allowed\n", what, worst,
                (double)got[worst], expected[worst], worst_error, allowed);
    _fail(file, line);
}
