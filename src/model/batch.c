/* batch.c - sentences, packed into batches; how many form one, and how long translations may be. */
#include "model/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

BatchSize batch_size(const Sentence *sentences, int count)
{
    BatchSize size = { .sentences = count };
    for (int i = 0; i < count; i++) {
        const Sentence *s = &sentences[i];
        size.source_tokens += s->source_length;
        size.target_tokens += s->target_length;
        if (s->source_length > size.source_steps) size.source_steps = s->source_length;
        if (s->target_length > size.target_steps) size.target_steps = s->target_length;
    }
    return size;
}

/* Whether x comes before y; no two are equal. */
static int comes_before(const Sentence *x, const Sentence *y)
{
    if (x->target_length != y->target_length) return x->target_length > y->target_length;
    if (x->source_length != y->source_length) return x->source_length > y->source_length;
    return x->number < y->number;
}

/* Shellsort (Shell 1959), with the gaps of Gonnet (1991). The C library's qsort may allocate memory,
 * and this runs in every training step. */
void batch_sort(Sentence *sentences, int count)
{
    for (int gap = count; gap > 1;) {
        gap = gap > 4 ? 5 * gap / 11 : 1;
        for (int i = gap; i < count; i++) {
            const Sentence moved = sentences[i];
            int at = i;
            for (; at >= gap && comes_before(&moved, &sentences[at - gap]); at -= gap)
                sentences[at] = sentences[at - gap];
            sentences[at] = moved;
        }
    }
}

/* ---- packing ---- */

/* The arrays of one side, in the arena: N tokens of B sentences. */
typedef struct {
    int      *rows, *start;             /* (steps), (steps + 1) */
    int      *length;                   /* (B) */
    int      *ids;                      /* (N) */
    uint64_t *token;                    /* (N) */
    int      *output;                   /* (N) of the target */
    int      *memory_row;               /* (N) of the source, as the next four */
    int      *first, *last, *order, *cursor;    /* (B) (B) (B) (steps) */
} Arrays;

static Arrays take_arrays(Arena *arena, BatchSize size, int is_source)
{
    const size_t B = (size_t)size.sentences;
    const size_t steps = (size_t)(is_source ? size.source_steps : size.target_steps);
    const size_t N = (size_t)(is_source ? size.source_tokens : size.target_tokens);
    Arrays a = { .rows = arena_ints(arena, steps), .start = arena_ints(arena, steps + 1),
                 .length = arena_ints(arena, B), .ids = arena_ints(arena, N),
                 .token = arena_take(arena, N, sizeof(uint64_t)) };
    if (is_source) {
        a.memory_row = arena_ints(arena, N);
        a.first = arena_ints(arena, B);
        a.last = arena_ints(arena, B);
        a.order = arena_ints(arena, B);
        a.cursor = arena_ints(arena, steps);
    } else {
        a.output = arena_ints(arena, N);
    }
    return a;
}

/* rows[t] = sentences longer than t. The first loop counts how many end at each step. */
static PackedSequence pack_steps(const Arrays *a, int count, int steps)
{
    memset(a->rows, 0, (size_t)steps * sizeof *a->rows);
    for (int i = 0; i < count; i++)
        a->rows[a->length[i] - 1]++;
    for (int t = steps - 2; t >= 0; t--)
        a->rows[t] += a->rows[t + 1];
    a->start[0] = 0;
    for (int t = 0; t < steps; t++)
        a->start[t + 1] = a->start[t] + a->rows[t];
    return (PackedSequence){ .steps = steps, .total = a->start[steps], .rows = a->rows,
                             .start = a->start };
}

static uint64_t token_name(const Sentence *s, int t)
{
    return (uint64_t)s->number << TOKEN_STEP_BITS | (uint64_t)t;
}

/* The tokens of the source that the encoder reads. */
static int read_length(const Sentence *s)
{
    return s->source_length - (s->without_end && s->source_length > 1);
}

void batch_build_source(SourceBatch *source, Arena *arena, const Sentence *sentences, int count)
{
    const BatchSize size = batch_size(sentences, count);
    const Arrays a = take_arrays(arena, size, 1);
    int steps = 0;
    for (int i = 0, at = 0; i < count; at += a.length[i++]) {
        a.first[i] = at;
        a.length[i] = read_length(&sentences[i]);
        if (a.length[i] > steps) steps = a.length[i];
    }
    const PackedSequence packed = pack_steps(&a, count, steps);
    /* order = the sentences by falling length, in a stable counting sort: sentences of length t
     * follow all longer ones */
    for (int t = 1; t < packed.steps; t++)
        a.cursor[t - 1] = packed.rows[t];
    a.cursor[packed.steps - 1] = 0;
    for (int i = 0; i < count; i++)
        a.order[a.cursor[a.length[i] - 1]++] = i;
    for (int r = 0; r < count; r++) {
        const int i = a.order[r];
        for (int t = 0; t < a.length[i]; t++) {
            const int row = packed.start[t] + r;
            a.ids[row] = sentences[i].source[t];
            a.token[row] = token_name(&sentences[i], t);
            a.memory_row[row] = a.first[i] + t;
            a.last[i] = row;
        }
    }
    *source = (SourceBatch){ packed, a.ids, a.token, a.memory_row, a.first, a.length, a.last };
}

static void build_target(TargetBatch *target, Arena *arena, const Sentence *sentences, int count,
                         int bos)
{
    const BatchSize size = batch_size(sentences, count);
    const Arrays a = take_arrays(arena, size, 0);
    for (int i = 0; i < count; i++)
        a.length[i] = sentences[i].target_length;
    const PackedSequence packed = pack_steps(&a, count, size.target_steps);
    for (int i = 0; i < count; i++)
        for (int t = 0; t < a.length[i]; t++) {
            const int row = packed.start[t] + i;
            a.ids[row] = t ? sentences[i].target[t - 1] : bos;
            a.output[row] = sentences[i].target[t];
            a.token[row] = token_name(&sentences[i], t);
        }
    *target = (TargetBatch){ packed, a.ids, a.output, a.token };
}

void batch_build(Batch *batch, Arena *arena, const Sentence *sentences, int count, int bos)
{
    batch->size = batch_size(sentences, count);
    batch_build_source(&batch->source, arena, sentences, count);
    build_target(&batch->target, arena, sentences, count, bos);
}

size_t batch_measure(BatchSize size)
{
    Arena measure = { 0 };
    take_arrays(&measure, size, 1);
    take_arrays(&measure, size, 0);
    return measure.used;
}

/* ---- many batches ---- */

/* How many sentences, from the first, form one batch; at least one. This limits the memory that long
 * lines can take. */
static int batch_take(const Sentence *sentences, int count, int most)
{
    enum { MEAN_TOKENS = 100 };         /* a sentence of such a batch, both sides together */
    const long limit = (long)most * MEAN_TOKENS;
    long tokens = 0;
    int taken = 0;
    for (; taken < count && taken < most; taken++) {
        tokens += sentences[taken].source_length + sentences[taken].target_length;
        if (taken && tokens > limit) break;
    }
    return taken;
}

void batch_slices_init(BatchSlices *s, const Sentence *sentences, int count, int most)
{
    *s = (BatchSlices){ .slice = xmalloc((size_t)count, sizeof *s->slice) };
    for (int at = 0; at < count; at += s->slice[s->count++].count)
        s->slice[s->count] = (BatchSlice){ at, batch_take(sentences + at, count - at, most) };
}

void batch_slices_free(BatchSlices *s)
{
    xfree(s->slice);
    *s = (BatchSlices){ 0 };
}

typedef struct {
    const BatchSlices *slices;
    const atomic_int  *stop;
    BatchSliceWork    *work;
    void              *context;
    atomic_int         next;        /* first slice that no worker has taken */
} Run;

static void take_slices(void *context, int worker)
{
    Run *run = context;
    for (;;) {
        if (run->stop && atomic_load(run->stop)) return;
        const int i = atomic_fetch_add(&run->next, 1);
        if (i >= run->slices->count) return;
        run->work(run->context, worker, i);
    }
}

void batch_slices_run(const BatchSlices *s, Pool *pool, const atomic_int *stop,
                      BatchSliceWork *work, void *context)
{
    Run run = { .slices = s, .stop = stop, .work = work, .context = context };
    pool_run(pool, take_slices, &run);
}

/* ---- lengths ---- */

int length_limit_most(LengthLimit limit, int source)
{
    if (limit.factor > 0) return (int)ceil(limit.factor * source);
    if (!(limit.ratio > 0)) return 2 * source + 10;
    return (int)(limit.ratio * source + 1.5 * limit.spread * sqrt(source + 1.0)) + 5;
}

LengthLimit length_limit_wider(LengthLimit one, LengthLimit other)
{
    if (one.factor > 0 && other.factor > 0)
        return (LengthLimit){ .factor = fmax(one.factor, other.factor) };
    if (!(one.ratio > 0) || !(other.ratio > 0)) return (LengthLimit){ 0, 0, 0 };
    return (LengthLimit){ fmax(one.ratio, other.ratio), fmax(one.spread, other.spread), 0 };
}
