/* projection_cache.c - copies cached rows, multiplies the others and caches them. */
#include "linalg/linear.h"

#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 2048 };

struct ProjectionCache {
    size_t     n;
    int        room;                /* results that fit */
    real      *result;              /* (room, n) in the order in which they came */
    atomic_int kept;
    _Atomic(const real *) of[];     /* (ids) or NULL */
};

ProjectionCache *projection_cache_new(int ids, int n)
{
    if (!gemm_is_fastest()) return NULL;
    ProjectionCache *cache = xmalloc(1, sizeof *cache + (size_t)ids * sizeof *cache->of);
    cache->n = (size_t)n;
    cache->room = ids < KEPT ? ids : KEPT;
    cache->result = xaligned_raw((size_t)cache->room * cache->n, sizeof *cache->result);
    atomic_init(&cache->kept, 0);
    for (int i = 0; i < ids; i++)
        atomic_init(&cache->of[i], NULL);
    return cache;
}

void projection_cache_free(ProjectionCache *cache)
{
    if (!cache) return;
    xfree(cache->result);
    xfree(cache);
}

static const real *find(const ProjectionCache *cache, int id)
{
    return atomic_load_explicit(&cache->of[id], memory_order_acquire);
}

/* Another thread may cache the same row at this moment: then one of both copies is never read. */
static void put(ProjectionCache *cache, int id, const real *y)
{
    if (atomic_load(&cache->kept) >= cache->room || find(cache, id)) return;
    const int place = atomic_fetch_add(&cache->kept, 1);
    if (place >= cache->room) return;
    real *row = cache->result + (size_t)place * cache->n;
    memcpy(row, y, cache->n * sizeof *row);
    atomic_store_explicit(&cache->of[id], row, memory_order_release);
}

/* The rows of x whose results are not cached, one after another; returns how many. */
static int gather(const ProjectionCache *cache, ProjectionScratch scratch, const real *x,
                  const int *id, int m, int k)
{
    int count = 0;
    for (int i = 0; i < m; i++) {
        if (find(cache, id[i])) continue;
        memcpy(scratch.rows + (size_t)count * k, x + (size_t)i * k, (size_t)k * sizeof *x);
        scratch.missing[count++] = i;
    }
    return count;
}

/* The first `count` rows of y go where they belong, which is never before where they are: the
 * last one first. */
static void scatter(ProjectionCache *cache, real *y, const int *missing, const int *id, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        real *row = y + (size_t)missing[i] * cache->n;
        if (missing[i] != i) memcpy(row, y + (size_t)i * cache->n, cache->n * sizeof *row);
        put(cache, id[missing[i]], row);
    }
}

void projection_cache_forward(ProjectionCache *cache, real *y, const real *x, const int *id,
                              const Linear *w, const real *b, int m, ProjectionScratch scratch)
{
    const int k = w->columns, n = w->rows, *missing = scratch.missing;
    const int count = gather(cache, scratch, x, id, m, k);
    linear_forward(OVERWRITE, y, n, scratch.rows, k, w, b, count);
    scatter(cache, y, missing, id, count);
    for (int i = 0, next = 0; i < m; i++) {
        if (next < count && missing[next] == i) next++;
        else memcpy(y + (size_t)i * cache->n, find(cache, id[i]), cache->n * sizeof *y);
    }
}
