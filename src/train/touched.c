/* touched.c - see touched.h. */
#include "train/touched.h"

#include "base/mem.h"

#include <stdlib.h>

void touched_init(Touched *s, const ParameterTable *table, int source_words, int target_words, int begin, int decays)
{
    const size_t words = (size_t)source_words + (size_t)target_words;
    *s = (Touched){ .table = table, .source_words = source_words, .begin = begin, .decays = decays };
    s->seen = xcalloc(words, sizeof *s->seen);
    s->range = xcalloc(words + (size_t)table->count, sizeof *s->range);
}

void touched_free(Touched *s)
{
    free(s->seen);
    free(s->range);
    *s = (Touched){ 0 };
}

void touched_begin(Touched *s, long update)
{
    s->update = update;
    s->count = 0;
    s->changed = 0;
}

/* ---- what a batch changes ---- */

static int decays(const Touched *s, const Parameter *p)
{
    return s->decays && p->columns > 0;
}

static void add_range(Touched *s, const Parameter *p, size_t at, size_t count)
{
    s->range[s->count++] = (Range){ at, count, decays(s, p) };
    s->changed += count;
}

static void add_row(Touched *s, const Parameter *p, long *seen, int id)
{
    if (seen[id] == s->update) return;
    seen[id] = s->update;
    add_range(s, p, p->at + (size_t)id * (size_t)p->columns, (size_t)p->columns);
}

/* An embedding: the rows of the words that the network reads; of a target all but the last, and <bos>. */
static void add_rows(Touched *s, const Parameter *p, const Sentence *sentences, int count)
{
    const int is_source = p->touches == TOUCHES_SOURCE_ROWS;
    long *seen = s->seen + (is_source ? 0 : s->source_words);
    if (!is_source) add_row(s, p, seen, s->begin);
    for (int i = 0; i < count; i++) {
        const Sentence *one = &sentences[i];
        const int *id = is_source ? one->source : one->target;
        const int length = is_source ? one->source_length : one->target_length - 1;
        for (int t = 0; t < length; t++)
            add_row(s, p, seen, id[t]);
    }
}

/* Everything else, up to the next tensor. Neighbours that are treated alike become one range. */
static void add_dense(Touched *s, const Parameter *p, size_t end)
{
    Range *last = s->count ? &s->range[s->count - 1] : NULL;
    if (!last || last->at + last->count != p->at || last->decays != decays(s, p)) {
        add_range(s, p, p->at, end - p->at);
        return;
    }
    last->count += end - p->at;
    s->changed += end - p->at;
}

void touched_add(Touched *s, const Sentence *sentences, int count)
{
    const int is_first = !s->count;
    for (int i = 0; i < s->table->count; i++) {
        const Parameter *p = &s->table->row[i];
        size_t end = i + 1 < s->table->count ? s->table->row[i + 1].at : s->table->size;
        if (p->touches != TOUCHES_ALL) add_rows(s, p, sentences, count);
        else if (is_first) add_dense(s, p, end);
    }
}

/* ---- who does what of it ---- */

size_t portion_start(size_t values, Portion portion)
{
    return values * (size_t)portion.worker / (size_t)portion.workers;
}

size_t portion_end(size_t values, Portion portion)
{
    return portion_start(values, (Portion){ portion.worker + 1, portion.workers });
}

TouchedWalk touched_walk(const Touched *s, Portion portion)
{
    return (TouchedWalk){ .touched = s, .from = portion_start(s->changed, portion),
                          .to = portion_end(s->changed, portion) };
}

int touched_next(TouchedWalk *walk, Range *range)
{
    while (walk->next < walk->touched->count && walk->at < walk->to) {
        const Range *s = &walk->touched->range[walk->next++];
        const size_t begin = walk->from > walk->at ? walk->from - walk->at : 0;
        const size_t end = walk->to - walk->at < s->count ? walk->to - walk->at : s->count;
        walk->at += s->count;
        if (begin >= end) continue;
        *range = (Range){ s->at + begin, end - begin, s->decays };
        return 1;
    }
    return 0;
}
