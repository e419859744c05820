/* gemm.c - our products beside OpenBLAS's, in the shapes that a training step of --preset bench and
 * --preset d2l has for one worker. GFLOP/s of one core: the best of some rounds, the two in turn.
 *
 *   gemm [REPEATS]              after `make build/release/gemm`
 */
#include "base/mem.h"
#include "base/system/clock.h"
#include "linalg/gemm.h"
#include "linalg/openblas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 5 };
typedef enum { FORWARD, BACKWARD_INPUT, BACKWARD_WEIGHT } Form;

typedef struct {
    const char *name;
    Form        form;
    int         m, k, n;        /* of C (m,n) = A (m,k) · B (k,n) */
} Shape;

static const Shape shapes[] = {
    { "logits                  o · V'",         FORWARD,         290, 256, 8000 },
    { "their gradient    dlogits · V",          BACKWARD_INPUT,  290, 8000, 256 },
    { "that of V        dlogits' · o",          BACKWARD_WEIGHT, 8000, 290, 256 },
    { "gates                   x · W'",         FORWARD,         290, 256, 768 },
    { "their gradient     dgates · W",          BACKWARD_INPUT,  290, 768, 256 },
    { "that of W         dgates' · x",          BACKWARD_WEIGHT, 768, 290, 256 },
    { "contexts' part          c · W', a step", FORWARD,         32, 512, 768 },
    { "recurrence              h · U', a step", FORWARD,         32, 256, 768 },
    { "its gradient           du · U,  a step", BACKWARD_INPUT,  32, 768, 256 },
    { "recurrence, 8 rows      h · U'",         FORWARD,         8, 256, 768 },
    { "recurrence, 1 row       h · U'",         FORWARD,         1, 256, 768 },
    { "logits, 1 row           o · V'",         FORWARD,         1, 256, 8000 },
    { "d2l: logits             h · V'",         FORWARD,         600, 32, 201 },
    { "d2l: recurrence         h · U'",         FORWARD,         64, 32, 96 },
    { "d2l: gradient of U     du' · h",         BACKWARD_WEIGHT, 96, 600, 32 },
    { "512, 16,000: logits     o · V'",         FORWARD,         250, 512, 16000 },
    { "their gradient    dlogits · V",          BACKWARD_INPUT,  250, 16000, 512 },
    { "that of V        dlogits' · o",          BACKWARD_WEIGHT, 16000, 250, 512 },
    { "512: recurrence         h · U', a step", FORWARD,         32, 512, 1536 },
    { "its gradient           du · U,  a step", BACKWARD_INPUT,  32, 1536, 512 },
    { "square                  x · W'",         FORWARD,         768, 768, 768 },
};

typedef struct {
    const Shape *s;
    real        *a, *b, *c, *packed[PRECISIONS];
    Operand      A, B;
} Work;

static Work work_of(const Shape *s)
{
    const size_t m = (size_t)s->m, k = (size_t)s->k, n = (size_t)s->n;
    Work w = { .s = s, .a = xaligned(m * k, sizeof(real)), .b = xaligned(k * n, sizeof(real)),
               .c = xaligned(m * n, sizeof(real)) };
    for (size_t i = 0; i < m * k; i++) w.a[i] = (real)(i % 7);
    for (size_t i = 0; i < k * n; i++) w.b[i] = (real)(i % 5);
    w.A = s->form == BACKWARD_WEIGHT ? (Operand){ w.a, 1, s->m } : (Operand){ w.a, s->k, 1 };
    w.B = s->form == FORWARD ? (Operand){ w.b, 1, s->k } : (Operand){ w.b, s->n, 1 };
    for (int how = PRECISION_FLOAT; how < PRECISIONS; how++) {
        if (!gemm_has(how)) continue;
        w.packed[how] = xaligned(gemm_packed_size(how, s->k, s->n), sizeof(real));
        gemm_pack(how, w.packed[how], w.B, s->k, s->n, (Portion){ 0, 1 });
    }
    return w;
}

static void work_free(Work *w)
{
    free(w->a);
    free(w->b);
    free(w->c);
    for (int i = 0; i < PRECISIONS; i++) free(w->packed[i]);
}

/* A way to multiply. */
typedef struct {
    const char *name;
    void      (*multiply)(const Work *w, Precision precision);
    Precision   precision;
} Way;

static Result sums(const Work *w)
{
    return (Result){ w->c, w->s->n, w->c, w->s->n };
}

static void by_blas(const Work *w, Precision precision)
{
    (void)precision;
    openblas_multiply(sums(w), w->A, w->B, w->s->m, w->s->k, w->s->n);
}

static void by_gemm(const Work *w, Precision precision)
{
    gemm(precision, sums(w), w->A, w->B, w->s->m, w->s->k, w->s->n);
}

static void by_packed(const Work *w, Precision precision)
{
    gemm_packed(precision, sums(w), w->A, w->packed[precision], w->s->m, w->s->k, w->s->n);
}

static const Way ways[] = {
    { "OpenBLAS", by_blas, PRECISION_FLOAT },
    { "gemm", by_gemm, PRECISION_FLOAT }, { "packed", by_packed, PRECISION_FLOAT },
    { "bf16", by_gemm, PRECISION_BF16 }, { "packed", by_packed, PRECISION_BF16 },
    { "int8", by_gemm, PRECISION_INT8 }, { "packed", by_packed, PRECISION_INT8 },
};
enum { WAYS = sizeof ways / sizeof *ways };

static double rate(const Way *way, const Work *w, int repeats)
{
    const double flops = 2.0 * w->s->m * w->s->k * w->s->n;
    const int times = 1 + (int)(repeats * 1e8 / flops);
    const double begun = clock_seconds();
    for (int i = 0; i < times; i++) way->multiply(w, way->precision);
    return flops * times / (clock_seconds() - begun) / 1e9;
}

int main(int argc, char **argv)
{
    const int repeats = argc > 1 ? atoi(argv[1]) : 10;
    printf("%-40s %5s %5s %5s", "GFLOP/s", "m", "k", "n");
    for (int way = 0; way < WAYS; way++) printf(" %8s", ways[way].name);
    putchar('\n');
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Work w = work_of(&shapes[i]);
        double best[WAYS] = { 0 };
        for (int round = 0; round < ROUNDS; round++)
            for (int way = 0; way < WAYS; way++)
                if (gemm_has(ways[way].precision))
                    best[way] = fmax(best[way], rate(&ways[way], &w, repeats));
        printf("%-40s %5d %5d %5d", w.s->name, w.s->m, w.s->k, w.s->n);
        for (int way = 0; way < WAYS; way++) printf(" %8.1f", best[way]);
        putchar('\n');
        work_free(&w);
    }
    return 0;
}
