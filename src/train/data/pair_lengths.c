/* pair_lengths.c - see pair_lengths.h. */
#include "train/data/pair_lengths.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of all pairs, how many may be beyond the spread. */
static const double beyond = 0.001;

/* Of all pairs, how many may be longer than what the network can read. */
static const double untaught = 0.01;

static void make_room(PairLengths *l, int side)
{
    if (side <= l->side) return;
    PairLengths larger = { xcalloc((size_t)side * (size_t)side, sizeof *l->pairs), side };
    for (int x = 0; x < l->side; x++)
        memcpy(larger.pairs + (size_t)x * (size_t)side, l->pairs + (size_t)x * (size_t)l->side,
               (size_t)l->side * sizeof *l->pairs);
    free(l->pairs);
    *l = larger;
}

void pair_lengths_add(PairLengths *l, int source, int target)
{
    const int longer = source > target ? source : target;
    if (longer > PAIR_LENGTHS_MOST) return;
    if (longer >= l->side) make_room(l, 2 * longer);
    l->pairs[(size_t)source * (size_t)l->side + (size_t)target]++;
}

void pair_lengths_sum(PairLengths *l, Processes *processes)
{
    double side = l->side;
    processes_max(processes, &side, 1);
    make_room(l, (int)side);
    processes_sum(processes, l->pairs, l->side * l->side);
}

void pair_lengths_free(PairLengths *l)
{
    free(l->pairs);
    *l = (PairLengths){ 0 };
}

/* Pairs of one length of each side, by how far their target is beyond the mean. */
typedef struct { double beyond, pairs; } Deviation;

static int farthest_first(const void *a, const void *b)
{
    const double x = ((const Deviation *)a)->beyond, y = ((const Deviation *)b)->beyond;
    return (x < y) - (x > y);
}

static double quantile(Deviation *list, size_t count, double pairs)
{
    size_t i = 0;
    qsort(list, count, sizeof *list, farthest_first);
    for (double left = beyond * pairs - list[0].pairs; left >= 0 && i + 1 < count; left -= list[i].pairs)
        i++;
    return fmax(list[i].beyond, 0);
}

static double spread_of(const PairLengths *l, double ratio, double pairs)
{
    const size_t cells = (size_t)l->side * (size_t)l->side, side = (size_t)l->side;
    Deviation *list = xmalloc(cells, sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < cells; i++) {
        const double x = (double)(i / side), y = (double)(i % side);
        if (l->pairs[i] > 0) list[count++] = (Deviation){ (y - ratio * x) / sqrt(x + 1), l->pairs[i] };
    }
    const double spread = quantile(list, count, pairs);
    free(list);
    return spread;
}

LengthLimit pair_lengths_limit(const PairLengths *l)
{
    const size_t side = (size_t)l->side;
    double pairs = 0, source = 0, target = 0;
    for (size_t i = 0; i < side * side; i++) {
        pairs += l->pairs[i];
        source += l->pairs[i] * (double)(i / side);
        target += l->pairs[i] * (double)(i % side);
    }
    if (!(source > 0)) return (LengthLimit){ 0, 0 };
    return (LengthLimit){ target / source, spread_of(l, target / source, pairs) };
}

int pair_lengths_longest(const PairLengths *l)
{
    const size_t side = (size_t)l->side;
    double pairs = 0, longer = 0;
    for (size_t i = 0; i < side * side; i++)
        pairs += l->pairs[i];
    for (size_t i = side * side; i-- > 0;) {
        longer += l->pairs[i];
        if (longer > untaught * pairs) return (int)(i / side);
    }
    return 0;
}
