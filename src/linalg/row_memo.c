/* row_memo.c - looking up, multiplying what is missing, remembering it. */
#include "linalg/row_memo.h"

#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 2048 };

struct RowMemo {
    size_t     n;
    int        room;                /* results that fit */
    real      *result;              /* (room, n) in the order in which they came */
    atomic_int kept;
    _Atomic(const real *) of[];     /* (names) or NULL */
};

RowMemo *row_memo_new(int names, int n)
{
    if (!gemm_is_fastest()) return NULL;
    RowMemo *memo = xmalloc(1, sizeof *memo + (size_t)names * sizeof *memo->of);
    memo->n = (size_t)n;
    memo->room = names < KEPT ? names : KEPT;
    memo->result = xaligned_raw((size_t)memo->room * memo->n, sizeof *memo->result);
    atomic_init(&memo->kept, 0);
    for (int i = 0; i < names; i++)
        atomic_init(&memo->of[i], NULL);
    return memo;
}

void row_memo_free(RowMemo *memo)
{
    if (!memo) return;
    free(memo->result);
    free(memo);
}

static const real *find(const RowMemo *memo, int name)
{
    return atomic_load_explicit(&memo->of[name], memory_order_acquire);
}

/* Another thread may remember the same row at this moment: then one of both copies is never read. */
static void remember(RowMemo *memo, int name, const real *y)
{
    if (atomic_load(&memo->kept) >= memo->room || find(memo, name)) return;
    const int place = atomic_fetch_add(&memo->kept, 1);
    if (place >= memo->room) return;
    real *row = memo->result + (size_t)place * memo->n;
    memcpy(row, y, memo->n * sizeof *row);
    atomic_store_explicit(&memo->of[name], row, memory_order_release);
}

/* The rows of x whose results are not remembered, one after another; returns how many. */
static int gather(const RowMemo *memo, RowMemoScratch scratch, const real *x, const int *name, int m, int k)
{
    int count = 0;
    for (int i = 0; i < m; i++) {
        if (find(memo, name[i])) continue;
        memcpy(scratch.rows + (size_t)count * k, x + (size_t)i * k, (size_t)k * sizeof *x);
        scratch.missing[count++] = i;
    }
    return count;
}

/* The first `count` rows of y go where they belong, which is never before where they stand: the last one first. */
static void scatter(RowMemo *memo, real *y, const int *missing, const int *name, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        real *row = y + (size_t)missing[i] * memo->n;
        if (missing[i] != i) memcpy(row, y + (size_t)i * memo->n, memo->n * sizeof *row);
        remember(memo, name[missing[i]], row);
    }
}

void row_memo_forward(RowMemo *memo, real *y, const real *x, const int *name, const Linear *w, const real *b, int m,
                      RowMemoScratch scratch)
{
    const int k = w->columns, n = w->rows, *missing = scratch.missing;
    const int count = gather(memo, scratch, x, name, m, k);
    linear_forward(OVERWRITE, y, n, scratch.rows, k, w, b, count);
    scatter(memo, y, missing, name, count);
    for (int i = 0, next = 0; i < m; i++) {
        if (next < count && missing[next] == i) next++;
        else memcpy(y + (size_t)i * memo->n, find(memo, name[i]), memo->n * sizeof *y);
    }
}
