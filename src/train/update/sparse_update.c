/* sparse_update.c - see sparse_update.h. */
#include "train/update/sparse_update.h"

#include "base/mem.h"

#include <stdlib.h>

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

/* ---- what a batch changes ---- */

static int decays(const SparseUpdate *s, const Parameter *p)
{
    return s->decays && p->columns > 0;
}

static void add_range(SparseUpdate *s, const Parameter *p, size_t at, size_t count)
{
    s->range[s->count++] = (Range){ at, count, decays(s, p) };
    s->values += count;
}

static void add_row(SparseUpdate *s, const Parameter *p, long *seen, int id)
{
    if (seen[id] == s->number) return;
    seen[id] = s->number;
    add_range(s, p, p->at + (size_t)id * (size_t)p->columns, (size_t)p->columns);
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

/* Lists a dense tensor, up to the next one. Neighbours that are treated alike become one range. */
static void add_dense(SparseUpdate *s, const Parameter *p, size_t end)
{
    Range *last = s->count ? &s->range[s->count - 1] : NULL;
    if (!last || last->at + last->count != p->at || last->decays != decays(s, p)) {
        add_range(s, p, p->at, end - p->at);
        return;
    }
    last->count += end - p->at;
    s->values += end - p->at;
}

void sparse_update_add(SparseUpdate *s, const Sentence *sentences, int count)
{
    const int is_first = !s->count;
    for (int i = 0; i < s->table->count; i++) {
        const Parameter *p = &s->table->row[i];
        size_t end = i + 1 < s->table->count ? s->table->row[i + 1].at : s->table->size;
        if (p->touches != TOUCHES_ALL) add_rows(s, p, sentences, count);
        else if (is_first) add_dense(s, p, end);
    }
}

/* ---- parts for workers ---- */

size_t portion_start(size_t values, Portion portion)
{
    return values * (size_t)portion.worker / (size_t)portion.workers;
}

size_t portion_end(size_t values, Portion portion)
{
    return portion_start(values, (Portion){ portion.worker + 1, portion.workers });
}

SparseUpdateWalk sparse_update_walk(const SparseUpdate *s, Portion portion)
{
    return (SparseUpdateWalk){ .update = s, .from = portion_start(s->values, portion),
                               .to = portion_end(s->values, portion), .high = s->table->size };
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

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

int sparse_update_next(SparseUpdateWalk *walk, Range *range)
{
    while (walk->next < walk->update->count && walk->at < walk->to) {
        const Range *s = &walk->update->range[walk->next++];
        const size_t begin = most(excess(walk->from, walk->at), excess(walk->low, s->at));
        const size_t end = least(s->count, least(walk->to - walk->at, excess(walk->high, s->at)));
        walk->at += s->count;
        if (begin >= end) continue;
        *range = (Range){ s->at + begin, end - begin, s->decays };
        return 1;
    }
    return 0;
}
