/* reduction.c - see reduction.h. */
#include "train/update/reduction.h"

#include "base/mem.h"
#include "linalg/vector.h"

#include <stdlib.h>
#include <string.h>

/* ---- What an update changes ---- */

void sparse_update_init(SparseUpdate *s, const ParameterTable *table, int source_words,
                        int target_words, int bos, int decays)
{
    const size_t words = (size_t)source_words + (size_t)target_words;
    *s = (SparseUpdate){ .table = table, .source_words = source_words, .bos = bos,
                         .decays = decays };
    s->seen = xcalloc(words, sizeof *s->seen);
    s->range = xcalloc(words + (size_t)table->count, sizeof *s->range);
}

void sparse_update_free(SparseUpdate *s)
{
    free(s->seen);
    free(s->range);
    *s = (SparseUpdate){ 0 };
}

void sparse_update_begin(SparseUpdate *s, long number)
{
    s->number = number;
    s->count = 0;
    s->values = 0;
}

/* Neighbours that are treated alike become one range. */
static void add_range(SparseUpdate *s, const Parameter *p, size_t at, size_t count)
{
    const int decays = s->decays && p->columns > 0;
    Range *last = s->count ? &s->range[s->count - 1] : NULL;
    const int goes_on = p->touches == TOUCHES_ALL && last && last->at + last->count == at
                        && last->decays == decays;
    if (goes_on) last->count += count;
    else s->range[s->count++] = (Range){ at, count, decays };
    s->values += count;
}

static void add_row(SparseUpdate *s, const Parameter *p, long *seen, int id)
{
    const size_t columns = (size_t)p->columns;
    if (seen[id] == s->number) return;
    seen[id] = s->number;
    add_range(s, p, p->at + (size_t)id * columns, columns);
}

/* Lists the rows of the words that the network reads; of a target all but the last, and <bos>. */
static void add_rows(SparseUpdate *s, const Parameter *p, const Sentence *sentences, int count)
{
    const int is_source = p->touches == TOUCHES_SOURCE_ROWS;
    long *seen = s->seen + (is_source ? 0 : s->source_words);
    if (!is_source) add_row(s, p, seen, s->bos);
    for (int i = 0; i < count; i++) {
        const Sentence *one = &sentences[i];
        const int *id = is_source ? one->source : one->target;
        const int length = is_source ? one->source_length : one->target_length - 1;
        for (int t = 0; t < length; t++)
            add_row(s, p, seen, id[t]);
    }
}

void sparse_update_add(SparseUpdate *s, const Sentence *sentences, int count)
{
    const int is_first = !s->count;
    for (int i = 0; i < s->table->count; i++) {
        const Parameter *p = &s->table->row[i];
        const size_t end = i + 1 < s->table->count ? p[1].at : s->table->size;
        if (p->touches != TOUCHES_ALL) add_rows(s, p, sentences, count);
        else if (is_first) add_range(s, p, p->at, end - p->at);
    }
}

Interval portion_of(size_t values, Portion portion)
{
    const size_t worker = (size_t)portion.worker, workers = (size_t)portion.workers;
    return (Interval){ values * worker / workers, values * (worker + 1) / workers };
}

SparseUpdateWalk sparse_update_walk(const SparseUpdate *s, Portion portion)
{
    const Interval share = portion_of(s->values, portion);
    return (SparseUpdateWalk){ .update = s, .from = share.from, .to = share.to,
                               .high = s->table->size };
}

SparseUpdateWalk sparse_update_walk_within(const SparseUpdate *s, size_t low, size_t high)
{
    return (SparseUpdateWalk){ .update = s, .to = s->values, .low = low, .high = high };
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How far b is above a, or 0. */
static size_t excess(size_t b, size_t a)
{
    return b > a ? b - a : 0;
}

int sparse_update_next(SparseUpdateWalk *walk, Range *range)
{
    while (walk->next < walk->update->count && walk->at < walk->to) {
        const Range *s = &walk->update->range[walk->next++];
        const size_t before = excess(walk->from, walk->at), below = excess(walk->low, s->at);
        const size_t begin = before > below ? before : below;
        const size_t end = least(s->count, least(walk->to - walk->at, excess(walk->high, s->at)));
        walk->at += s->count;
        if (begin >= end) continue;
        *range = (Range){ s->at + begin, end - begin, s->decays };
        return 1;
    }
    return 0;
}

/* ---- The gradients ---- */

void reduction_init(Reduction *r, size_t size, Pool *pool, Processes *processes)
{
    *r = (Reduction){ .pool = pool, .processes = processes, .size = size,
                      .crew = processes_crew(processes, pool) };
    const size_t all = size * (size_t)r->crew.own;
    r->gradient = xaligned_raw(all, sizeof *r->gradient);
    memset(r->gradient, 0, all * sizeof *r->gradient);
    r->square_sum = xcalloc((size_t)r->crew.all, sizeof *r->square_sum);
}

void reduction_free(Reduction *r)
{
    sparse_update_free(&r->changes);
    free(r->gradient);
    free(r->square_sum);
}

real *reduction_gradient(const Reduction *r, int worker)
{
    return r->gradient + (size_t)worker * r->size;
}

/* The workers of one process divide evenly what is changed. Several processes keep moments, which
 * stay where they are: each worker has the same places of its process's shard in every update. */
SparseUpdateWalk reduction_part(const Reduction *r, int worker)
{
    const Portion portion = { worker, r->crew.own };
    if (r->crew.own == r->crew.all) return sparse_update_walk(&r->changes, portion);
    const Interval shard = processes_shard(r->processes, r->size);
    const Interval places = portion_of(shard.to - shard.from, portion);
    return sparse_update_walk_within(&r->changes, shard.from + places.from,
                                     shard.from + places.to);
}

/* Adds the blocks of all workers of this process to that of the first; returns the sum of its
 * squares if there are several. They are larger than the caches, so each is passed over once. */
static double add_blocks(const Reduction *r, size_t at, size_t count)
{
    double square_sum = 0;
    for (int i = 1; i < r->crew.own; i++)
        square_sum = vector_absorb(r->gradient + at, reduction_gradient(r, i) + at, count);
    return square_sum;
}

/* The sum of one process: each worker adds up its part. */
static void sum_part(void *context, int worker)
{
    const Reduction *r = context;
    SparseUpdateWalk walk = reduction_part(r, worker);
    double square_sum = 0;
    for (Range range; sparse_update_next(&walk, &range);)
        square_sum += r->crew.own > 1 ? add_blocks(r, range.at, range.count)
                                      : vector_square_sum(r->gradient + range.at, range.count);
    r->square_sum[worker] = square_sum;
}

/* ---- The sum of several processes ---- */

/* The values at .. at + count - 1, and what the processes before have made of them. */
typedef struct { const Reduction *reduction; const real *before; size_t at, count; } Piece;

static void add_share(void *context, int worker)
{
    const Piece *piece = context;
    const Reduction *r = piece->reduction;
    const Interval share = portion_of(piece->count, (Portion){ worker, r->crew.own });
    const size_t at = piece->at + share.from, count = share.to - share.from;
    if (piece->before) vector_add(r->gradient + at, piece->before + share.from, count);
    add_blocks(r, at, count);
}

static void add_piece(void *context, const real *before, size_t at, size_t count)
{
    const Reduction *r = context;
    Piece piece = { r, before, at, count };
    pool_run(r->pool, add_share, &piece);
}

/* The parts of one process with as many workers, every own-th of them by each worker here. */
static void square_parts(void *context, int worker)
{
    const Reduction *r = context;
    for (int part = worker; part < r->crew.all; part += r->crew.own) {
        SparseUpdateWalk walk = sparse_update_walk(&r->changes, (Portion){ part, r->crew.all });
        r->square_sum[part] = 0;
        for (Range range; sparse_update_next(&walk, &range);)
            r->square_sum[part] += vector_square_sum(r->gradient + range.at, range.count);
    }
}

/* Makes everything zero but the process's shard. */
static void clear_foreign(void *context, int worker)
{
    const Reduction *r = context;
    const Portion portion = { worker, r->crew.own };
    const Interval shard = processes_shard(r->processes, r->size);
    const Interval low = portion_of(shard.from, portion);
    const Interval high = portion_of(r->size - shard.to, portion);
    memset(r->gradient + low.from, 0, (low.to - low.from) * sizeof *r->gradient);
    memset(r->gradient + shard.to + high.from, 0, (high.to - high.from) * sizeof *r->gradient);
}

double reduction_sum(Reduction *r)
{
    const int is_alone = r->crew.own == r->crew.all;
    double square_sum = 0;
    if (is_alone) pool_run(r->pool, sum_part, r);
    else {
        processes_add_up(r->processes, r->gradient, r->size, add_piece, r);
        if (processes_is_last(r->processes)) pool_run(r->pool, square_parts, r);
    }
    if (is_alone || processes_is_last(r->processes))
        for (int i = 0; i < r->crew.all; i++)
            square_sum += r->square_sum[i];
    processes_sum(r->processes, &square_sum, 1);
    if (!is_alone) pool_run(r->pool, clear_foreign, r);
    return square_sum;
}

static void discard_part(void *context, int worker)
{
    const Reduction *r = context;
    SparseUpdateWalk walk = reduction_part(r, worker);
    for (Range range; sparse_update_next(&walk, &range);)
        memset(r->gradient + range.at, 0, range.count * sizeof *r->gradient);
}

void reduction_discard(Reduction *r)
{
    pool_run(r->pool, discard_part, r);
}
