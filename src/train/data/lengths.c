/* lengths.c - lengths of training pairs: what follows for the size of batches and for the length of
 * translations. */
#include "train/data/examples.h"

#include "base/mem.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sentences ---- */

/* Room for lengths below this number. */
static void reserve(Lengths *l, size_t lengths)
{
    const size_t before = l->capacity;
    l->count = grow(l->count, &l->capacity, lengths, sizeof *l->count);
    memset(l->count + before, 0, (l->capacity - before) * sizeof *l->count);
}

void lengths_add(Lengths *l, int length)
{
    if ((size_t)length >= l->capacity) reserve(l, (size_t)length + 1);
    l->count[length]++;
}

void lengths_sum(Lengths *l, Processes *processes)
{
    double most = (double)l->capacity;
    processes_max(processes, &most, 1);
    if (most > (double)l->capacity) reserve(l, (size_t)most);
    processes_sum(processes, l->count, (int)most);
}

Extent lengths_largest(const Lengths *l, int sentences)
{
    double tokens = 0, left = sentences;
    Extent e = { 0 };
    for (size_t i = l->capacity; i-- > 0 && left > 0;) {
        const double taken = fmin(l->count[i], left);
        if (taken > 0 && !e.longest) e.longest = (int)i;
        tokens += taken * (double)i;
        left -= taken;
    }
    e.tokens = (int)fmin(tokens, INT_MAX);
    return e;
}

void lengths_free(Lengths *l)
{
    free(l->count);
    *l = (Lengths){ 0 };
}

/* ---- Pairs ---- */

enum { SIDE = PAIR_LENGTHS_SIDE, CELLS = PAIR_LENGTHS_CELLS };

void pair_lengths_add(double *counts, int source, int target)
{
    if (source < SIDE && target < SIDE) counts[source * SIDE + target]++;
}

/* Pairs of one length of each side, by how far their target is beyond the mean. */
typedef struct { double beyond, pairs; } Deviation;

static int farthest_first(const void *a, const void *b)
{
    const double x = ((const Deviation *)a)->beyond, y = ((const Deviation *)b)->beyond;
    return (x < y) - (x > y);
}

/* Of all pairs a thousandth may be beyond the spread. */
static double spread_of(const double *counts, double ratio, double pairs)
{
    const double beyond = 0.001;
    SCOPED(xfree_at) Deviation *list = xmalloc(CELLS, sizeof *list);
    size_t count = 0, i = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        const double x = cell / SIDE, y = cell % SIDE, here = counts[cell];
        if (here > 0) list[count++] = (Deviation){ (y - ratio * x) / sqrt(x + 1), here };
    }
    qsort(list, count, sizeof *list, farthest_first);
    for (double left = beyond * pairs - list[0].pairs; left >= 0 && i + 1 < count;
         left -= list[i].pairs)
        i++;
    return fmax(list[i].beyond, 0);
}

/* Of all pairs a hundredth may be longer than what the network can read. */
LengthLimit pair_lengths_limit(const double *counts, int *longest)
{
    const double untaught = 0.01;
    double pairs = 0, source = 0, target = 0, longer = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        pairs += counts[cell];
        source += counts[cell] * (cell / SIDE);
        target += counts[cell] * (cell % SIDE);
    }
    *longest = 0;
    if (!(source > 0)) return (LengthLimit){ 0, 0, 0 };
    for (int cell = CELLS; cell-- > 0 && longer <= untaught * pairs;) {
        longer += counts[cell];
        *longest = cell / SIDE;
    }
    return (LengthLimit){ target / source, spread_of(counts, target / source, pairs), 0 };
}
