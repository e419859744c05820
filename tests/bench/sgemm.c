/* sgemm.c - the machine's own rate: what attn's products reach on one large matrix a thread, by its
 * own kernels or by OpenBLAS's, whichever multiply here.
 *
 *   sgemm [THREADS [SIZE]]   prints the GFLOP/s of all threads together, the median of nine rounds
 */
#include "base/mem.h"
#include "base/system/environment.h"
#include "base/system/pool.h"
#include "linalg/openblas.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 9, REPEATS = 8 };

typedef struct { int size; real **block; } Work;

static void multiply(void *context, int worker)
{
    const Work *w = context;
    const int n = w->size;
    real *x = w->block[worker], *weight = x + (size_t)n * n, *y = weight + (size_t)n * n;
    for (int i = 0; i < REPEATS; i++)
        openblas_multiply((Result){ .c = y, .row = n }, (Operand){ x, n, 1 }, (Operand){ weight, 1, n },
                          n, n, n);
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : pool_cores(), size = argc > 2 ? atoi(argv[2]) : 768;
    Pool *pool = pool_new(threads);
    Work work = { size, xcalloc((size_t)threads, sizeof *work.block) };
    for (int i = 0; i < threads; i++)
        work.block[i] = xaligned(3 * (size_t)size * (size_t)size, sizeof(real));
    double rate[ROUNDS];
    pool_run(pool, multiply, &work);
    for (int i = 0; i < ROUNDS; i++) {
        double begun = clock_seconds();
        pool_run(pool, multiply, &work);
        rate[i] = 2.0 * size * size * size * REPEATS * threads / (clock_seconds() - begun) / 1e9;
    }
    qsort(rate, ROUNDS, sizeof *rate, rising);
    printf("%.1f\n", rate[ROUNDS / 2]);
    for (int i = 0; i < threads; i++) free(work.block[i]);
    free(work.block);
    pool_free(pool);
    return 0;
}
