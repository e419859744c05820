/* matrix.c - thin forms over gemm; sole user of cblas. */
#include "nn/matrix.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef REAL_DOUBLE
#define gemm cblas_dgemm
#else
#define gemm cblas_sgemm
#endif

void matrix_forward(Store store, real *y, int ldy, const real *x, int ldx, const real *w, int ldw, int m, int k, int n)
{
    gemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1, x, ldx, w, ldw, store == ACCUMULATE, y, ldy);
}

void matrix_backward_input(Store store, real *dx, int ldx, const real *dy, int ldy, const real *w, int ldw,
                           int m, int k, int n)
{
    gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, k, n, 1, dy, ldy, w, ldw, store == ACCUMULATE, dx, ldx);
}

void matrix_backward_weight(real *dw, int ldw, const real *dy, int ldy, const real *x, int ldx, int m, int k, int n)
{
    gemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, k, m, 1, dy, ldy, x, ldx, 1, dw, ldw);
}

void matrix_fill_rows(real *y, const real *b, int m, int n)
{
    for (int i = 0; i < m; i++)
        memcpy(y + (size_t)i * n, b, (size_t)n * sizeof *y);
}

void matrix_add_rows(real *db, const real *dy, int m, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            db[j] += dy[(size_t)i * n + j];
}

/* The kernels that suit this CPU where OpenBLAS may not know it; NULL: leave the choice to the library. */
static const char *best_kernels(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "Haswell";
#endif
    return NULL;
}

/* Whether the environment already says so; else it does from now on. */
static int environment_says(const char *name, const char *value)
{
    const char *now = getenv(name);
    if (now && !strcmp(now, value)) return 1;
    setenv(name, value, 1);
    return 0;
}

/* By its own path, not as /proc/self/exe: that would be its name in ps and top. */
static void start_again(char **argv)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0) {
        path[length] = '\0';
        execv(path, argv);
    }
    openblas_set_num_threads(1);    /* no /proc: the program works all the same, only slower */
}

void matrix_setup(char **argv)
{
    const char *wanted = getenv("ATTN_CORETYPE"), *kernels = wanted && *wanted ? wanted : best_kernels();
    int ready = environment_says("OPENBLAS_NUM_THREADS", "1");
    if (kernels && strcmp(kernels, "auto")) ready &= environment_says("OPENBLAS_CORETYPE", kernels);
    if (!ready) start_again(argv);
}

const char *matrix_library(void)
{
    return openblas_get_config();
}

const char *matrix_kernels(void)
{
    return openblas_get_corename();
}
