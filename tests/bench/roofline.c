/* roofline.c - the matrix products of training or of a search and nothing else: what no faster loop
 * around them could exceed.
 *
 *   attn-roofline train [OPTION...] CORPUS
 *   attn-roofline translate [OPTION...] LINES
 *
 * prints "TOKENS GFLOPS" as its last line: target tokens and GFLOP a second, all workers.
 *
 * This is attn itself, linked so that it writes down each product of a worker's batch as it is made
 * (ld --wrap): its form, sizes and places. After each batch the list is made again, REPEATS times,
 * on the same memory and with the same lengths of sentences, and only that is timed. So the list is
 * always the network's own. What the run learns is spoiled by the repetitions; what is found is not.
 */
#include "base/error.h"
#include "base/mem.h"
#include "base/system/environment.h"
#include "linalg/matmul.h"
#include "model/network.h"
#include "search/search.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 4 };

/* b: the matrix, or packed. */
typedef struct {
    Precision   precision;
    Result      r;
    Operand     a, b;
    const real *packed;
    int         m, k, n;
} Product;

typedef struct {
    Product *item;
    size_t   count, capacity;
} Products;

/* What a thread has written down and measured. */
typedef struct {
    Products products;
    int      writing;
    double   made;                      /* flops of the products */
    double   tokens, flops, seconds;    /* of the repetitions */
} Replay;

enum { MOST_THREADS = 1024 };
static Replay replays[MOST_THREADS];
static atomic_int threads;
static _Thread_local Replay *mine;

static Replay *my_replay(void)
{
    if (!mine) {
        const int number = atomic_fetch_add(&threads, 1);
        if (number >= MOST_THREADS) die("roofline: more than %d threads", MOST_THREADS);
        mine = &replays[number];
    }
    return mine;
}

/* ---- all products of layers: with a matrix, with its copy ---- */

/* What the linker calls instead of a function, whose own name begins with __real_ then. */
__typeof__(matmul) __real_matmul, __wrap_matmul;
__typeof__(gemm_packed) __real_gemm_packed, __wrap_gemm_packed;

static void make(const Product *p)
{
    if (p->packed) __real_gemm_packed(p->precision, p->r, p->a, p->packed, p->m, p->k, p->n);
    else __real_matmul(p->precision, p->r, p->a, p->b, p->m, p->k, p->n);
}

static void write_down(Product product)
{
    Replay *r = my_replay();
    make(&product);
    if (!r->writing) return;
    Products *p = &r->products;
    p->item = grow(p->item, &p->capacity, p->count + 1, sizeof *p->item);
    p->item[p->count++] = product;
    r->made += 2.0 * product.m * product.k * product.n;
}

void __wrap_matmul(Precision precision, Result r, Operand a, Operand b, int m, int k, int n)
{
    write_down((Product){ .precision = precision, .r = r, .a = a, .b = b, .m = m, .k = k, .n = n });
}

void __wrap_gemm_packed(Precision precision, Result r, Operand a, const real *packed, int m, int k,
                        int n)
{
    write_down((Product){ .precision = precision, .r = r, .a = a, .packed = packed, .m = m, .k = k,
                          .n = n });
}

/* ---- a batch ---- */

static Replay *begin_list(void)
{
    Replay *r = my_replay();
    r->products.count = 0;
    r->made = 0;
    r->writing = 1;
    return r;
}

/* The list is one of a batch with so many target tokens. */
static void replay(Replay *r, double tokens)
{
    r->writing = 0;
    const double begun = clock_seconds();
    for (int i = 0; i < REPEATS; i++)
        for (size_t j = 0; j < r->products.count; j++)
            make(&r->products.item[j]);
    r->seconds += clock_seconds() - begun;
    r->tokens += REPEATS * tokens;
    r->flops += REPEATS * r->made;
}

__typeof__(network_gradient) __real_network_gradient, __wrap_network_gradient;

Loss __wrap_network_gradient(const Pass *batch, const Criterion *criterion, Arena *arena)
{
    const BatchSize size = pass_size(batch);
    Replay *r = begin_list();
    const Loss loss = __real_network_gradient(batch, criterion, arena);
    replay(r, size.target_tokens);
    return loss;
}

__typeof__(search_run) __real_search_run, __wrap_search_run;

Found __wrap_search_run(const Scorer *scorer, int scorers, const Sentence *sources, int count,
                        const SearchRules *rules, SearchMemory *memory)
{
    Replay *r = begin_list();
    const Found found = __real_search_run(scorer, scorers, sources, count, rules, memory);
    double tokens = 0;
    for (int i = 0; i < count; i++)
        if (found.count[i]) tokens += found.best[i * found.places].length;
    replay(r, tokens);
    return found;
}

__attribute__((destructor)) static void print_rates(void)
{
    double tokens = 0, flops = 0;
    for (int i = 0; i < atomic_load(&threads); i++) {
        const Replay *r = &replays[i];
        if (!r->seconds) continue;
        tokens += r->tokens / r->seconds;
        flops += r->flops / r->seconds;
    }
    if (tokens > 0) printf("%.0f %.1f\n", tokens, flops / 1e9);
}
