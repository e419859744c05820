/* pair_sample.c - see pair_sample.h. */
#include "train/data/pair_sample.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 2 };            /* ints before the words of a record */

static size_t record_size(const Record *pair)
{
    return HEADER + (size_t)pair->source_count + (size_t)pair->target_count;
}

static size_t word_pairs(const Record *pair)
{
    return (size_t)pair->source_count * (size_t)pair->target_count;
}

static void append(PairSample *s, const Record *pair)
{
    Shard *all = &s->pairs;
    all->data = grow(all->data, &s->capacity, s->used + record_size(pair), sizeof *all->data);
    all->start = grow(all->start, &s->start_capacity, all->count + 1, sizeof *all->start);
    all->start[all->count++] = s->used;
    int *to = all->data + s->used;
    to[0] = pair->source_count;
    to[1] = pair->target_count;
    memcpy(to + HEADER, pair->source, (size_t)pair->source_count * sizeof *to);
    memcpy(to + HEADER + pair->source_count, pair->target,
           (size_t)pair->target_count * sizeof *to);
    s->used += record_size(pair);
    s->word_pairs += word_pairs(pair);
}

/* Keeps numbers 0, 2, 4 and so on. */
static void halve(PairSample *s)
{
    Shard *all = &s->pairs;
    size_t kept = 0, used = 0;
    s->word_pairs = 0;
    for (size_t i = 0; i < all->count; i += 2) {
        const Record pair = shard_record(all, i);
        const size_t size = record_size(&pair);
        memmove(all->data + used, all->data + all->start[i], size * sizeof *all->data);
        all->start[kept++] = used;
        used += size;
        s->word_pairs += word_pairs(&pair);
    }
    all->count = kept;
    s->used = used;
    s->step *= 2;
}

void pair_sample_add(PairSample *s, const Record *pair, size_t most)
{
    if (!s->step) s->step = 1;
    if (s->seen++ % s->step) return;
    append(s, pair);
    while (s->word_pairs > most && s->pairs.count > 1)
        halve(s);
}

void pair_sample_free(PairSample *s)
{
    free(s->pairs.data);
    free(s->pairs.start);
    *s = (PairSample){ 0 };
}
