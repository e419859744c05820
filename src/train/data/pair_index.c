/* pair_index.c - see pair_index.h. */
#include "train/data/pair_index.h"

#include "base/mem.h"

#include <stdlib.h>

/* What a process tells of a pair. */
enum { NUMBER, SOURCE, TARGET, FACTS };

void pair_index_free(PairIndex *x)
{
    free(x->pair);
    ids_free(&x->own);
    *x = (PairIndex){ 0 };
}

/* The facts of the pairs that this process holds. */
static void describe_own(PairIndex *x, const Examples *examples, int number, const Shard *shard)
{
    x->own.count = 0;
    ids_reserve(&x->own, FACTS * shard->count);
    store_numbers(examples->store, number, x->own.id);
    /* From the last one on: the numbers stand side by side at the beginning. */
    for (size_t i = shard->count; i-- > 0;) {
        const Record pair = shard_record(shard, i);
        int *facts = x->own.id + FACTS * i;
        facts[NUMBER] = x->own.id[i];
        examples_lengths(examples, &pair, &facts[SOURCE], &facts[TARGET]);
    }
    x->own.count = FACTS * shard->count;
}

/* The facts of one holder that are not yet in the index. */
typedef struct { const int *next, *end; int place; } Holder;

/* The holder whose next pair comes first in the corpus, or -1. */
static int first_of(const Holder *holder, int holders)
{
    int first = -1;
    for (int i = 0; i < holders; i++)
        if (holder[i].next < holder[i].end
            && (first < 0 || holder[i].next[NUMBER] < holder[first].next[NUMBER]))
            first = i;
    return first;
}

static void merge(PairIndex *x, Holder *holder, int holders)
{
    for (int i; (i = first_of(holder, holders)) >= 0; holder[i].next += FACTS)
        x->pair[x->count++] = (IndexedPair){ holder[i].next[SOURCE], holder[i].next[TARGET], i,
                                             holder[i].place++ };
}

/* Fills the index with the facts of all holders. */
static void fill(PairIndex *x, Processes *processes)
{
    const int holders = processes_count(processes);
    Holder *holder = xcalloc((size_t)holders, sizeof *holder);
    size_t *count = xcalloc((size_t)holders, sizeof *count), all = 0;
    const int *facts = processes_gather(processes, x->own.id, x->own.count, count);
    for (int i = 0; i < holders; i++) {
        holder[i] = (Holder){ facts + all, facts + all + count[i], 0 };
        all += count[i];
    }
    x->count = 0;
    x->pair = grow(x->pair, &x->capacity, all / FACTS, sizeof *x->pair);
    merge(x, holder, holders);
    free(holder);
    free(count);
}

const Shard *pair_index_read(PairIndex *x, const Examples *examples, int shard, Err *e)
{
    Processes *processes = examples->options.processes;
    const Shard *loaded = store_load(examples->store, shard, e);
    if (processes_agree(processes, loaded ? 0 : -1, e)) return NULL;
    describe_own(x, examples, shard, loaded);
    fill(x, processes);
    return loaded;
}
