/* learner.c - data-parallel gradient, reduction, clipping, Adam, moving average. */
#include "train/learner.h"

#include "base/mem.h"
#include "base/rng.h"
#include "model/packing.h"
#include "nn/adam.h"
#include "nn/matrix.h"
#include "nn/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A stretch of the parameter block that this update changes; `decays` where weight decay is for it (matrices). */
typedef struct { size_t at, count; int decays; } Span;

typedef struct {
    real     *gradient;         /* one block; zero between updates */
    Weights   w, dw;            /* w with the panels that all share */
    Arena     arena;
    Sentence *sentences;        /* this worker's share */
    int       count;
    Loss      loss;             /* of its share of a batch */
    double    flops, square_sum;
} Worker;

struct Learner {
    Net                   net;
    const ParameterTable *table;
    real                 *weights;
    Weights               w;
    Arena                 packed;       /* panels of the weights, made anew in each update */
    real                 *moment1, *moment2;
    real                 *average;      /* NULL: none */
    real                 *collection;   /* blocks of the last validations, the n-th at n modulo average_last; or NULL */
    real                 *kept;         /* weights to go back to */
    int                   keep_next;
    long                  first_step;   /* Adam's t counts from here */
    const Recipe         *recipe;
    Pool                 *pool;
    Worker               *worker;
    int                   workers, begin;
    Span                 *span;         /* of this update: at most one a word and tensor */
    int                   spans;
    size_t                changed;      /* values in all spans */
    long                 *seen;         /* per embedding row, source rows first: the step that last listed it */
    Update                update;       /* so far */
    int                   sentences;    /* of this update, so far */
    /* what the phases of an update read */
    long                  step;
    double                baseline;
    double                rate, scale;  /* of the gradient: 1 / what it is normalized by, as the first batch has it */
    double                shrink;       /* what the sum is then multiplied by: for further batches, and clipping */
    double                approach;     /* of the average to the weights */
};

real *learner_averaged(Learner *l)
{
    return l->average ? l->average : l->weights;
}

void learner_keep(Learner *l, const real *weights)
{
    memcpy(l->kept, weights, l->table->size * sizeof(real));
}

int learner_blocks(const Recipe *recipe)
{
    return 4 + (recipe->average > 0) + recipe->average_last;
}

size_t learner_measure(const Net *net, BatchSize share)
{
    return batch_measure(share) + network_measure(net, share, 1);
}

size_t learner_measure_shared(const Net *net)
{
    Arena measure = { 0 };
    weights_packed_to_learn(&(Weights){ 0 }, net, &measure, (Portion){ 0, 1 });
    return measure.used;
}

Learner *learner_new(const Net *net, const ParameterTable *table, real *weights, const Recipe *recipe, Pool *pool,
                     BatchSize share, int begin)
{
    const size_t words = (size_t)net->n.Vs + (size_t)net->n.Vt;
    Learner *l = xcalloc(1, sizeof *l);
    l->net = *net;
    l->table = table;
    l->weights = weights;
    l->w = weights_at(table, weights);
    l->moment1 = xaligned(table->size, sizeof(real));
    l->moment2 = xaligned(table->size, sizeof(real));
    l->kept = xaligned(table->size, sizeof(real));
    learner_keep(l, weights);
    if (recipe->average > 0) {
        l->average = xaligned(table->size, sizeof(real));
        memcpy(l->average, weights, table->size * sizeof(real));
    }
    if (recipe->average_last) l->collection = xaligned((size_t)recipe->average_last * table->size, sizeof(real));
    l->recipe = recipe;
    l->pool = pool;
    l->workers = pool_workers(pool);
    l->begin = begin;
    l->worker = xcalloc((size_t)l->workers, sizeof *l->worker);
    for (int i = 0; i < l->workers; i++) {
        Worker *worker = &l->worker[i];
        worker->gradient = xaligned(table->size, sizeof(real));
        worker->dw = weights_at(table, worker->gradient);
        worker->sentences = xcalloc((size_t)share.sentences, sizeof *worker->sentences);
        arena_reserve(&worker->arena, learner_measure(net, share));
    }
    arena_reserve(&l->packed, learner_measure_shared(net));
    l->seen = xcalloc(words, sizeof *l->seen);
    l->span = xcalloc(words + (size_t)table->count, sizeof *l->span);
    return l;
}

void learner_free(Learner *l)
{
    if (!l) return;
    for (int i = 0; i < l->workers; i++) {
        free(l->worker[i].gradient);
        free(l->worker[i].sentences);
        arena_free(&l->worker[i].arena);
    }
    free(l->worker);
    arena_free(&l->packed);
    free(l->moment1);
    free(l->moment2);
    free(l->average);
    free(l->collection);
    free(l->kept);
    free(l->span);
    free(l->seen);
    free(l);
}

real *learner_first_moment(Learner *l)
{
    return l->moment1;
}

real *learner_second_moment(Learner *l)
{
    return l->moment2;
}

/* ---- the way back ---- */

void learner_keep_next(Learner *l)
{
    l->keep_next = 1;
}

void learner_go_back(Learner *l)
{
    const size_t bytes = l->table->size * sizeof(real);
    memcpy(l->weights, l->kept, bytes);
    if (l->average) memcpy(l->average, l->kept, bytes);
    memset(l->moment1, 0, bytes);
    memset(l->moment2, 0, bytes);
}

void learner_count_from(Learner *l, long step)
{
    l->first_step = step;
}

real *learner_kept(Learner *l)
{
    return l->kept;
}

/* ---- which parameters an update changes ---- */

static int decays(const Learner *l, const Parameter *p)
{
    return l->recipe->weight_decay > 0 && p->columns > 0;
}

static void add_span(Learner *l, const Parameter *p, size_t at, size_t count)
{
    l->span[l->spans++] = (Span){ at, count, decays(l, p) };
    l->changed += count;
}

static void add_row(Learner *l, const Parameter *p, long *seen, int id)
{
    if (seen[id] == l->step) return;
    seen[id] = l->step;
    add_span(l, p, p->at + (size_t)id * (size_t)p->columns, (size_t)p->columns);
}

/* An embedding: the rows of the words that the network reads; of a target all but the last, and <bos>. */
static void add_rows(Learner *l, const Parameter *p, const Sentence *sentences, int count)
{
    const int is_source = p->touches == TOUCHES_SOURCE_ROWS;
    long *seen = l->seen + (is_source ? 0 : l->net.n.Vs);
    if (!is_source) add_row(l, p, seen, l->begin);
    for (int i = 0; i < count; i++) {
        const Sentence *s = &sentences[i];
        const int *id = is_source ? s->source : s->target, length = is_source ? s->source_length : s->target_length - 1;
        for (int t = 0; t < length; t++)
            add_row(l, p, seen, id[t]);
    }
}

/* Everything else, up to the next tensor. Neighbours that are treated alike become one span. */
static void add_dense(Learner *l, const Parameter *p, size_t end)
{
    Span *last = l->spans ? &l->span[l->spans - 1] : NULL;
    if (!last || last->at + last->count != p->at || last->decays != decays(l, p)) {
        add_span(l, p, p->at, end - p->at);
        return;
    }
    last->count += end - p->at;
    l->changed += end - p->at;
}

/* A second batch adds only the rows that the first has not touched. */
static void find_spans(Learner *l, const Sentence *sentences, int count)
{
    const int is_first = !l->spans;
    for (int i = 0; i < l->table->count; i++) {
        const Parameter *p = &l->table->row[i];
        size_t end = i + 1 < l->table->count ? l->table->row[i + 1].at : l->table->size;
        if (p->touches != TOUCHES_ALL) add_rows(l, p, sentences, count);
        else if (is_first) add_dense(l, p, end);
    }
}

/* Where the share of this worker begins; that of the next is where it ends. */
static size_t share_start(const Learner *l, size_t values, int worker)
{
    return values * (size_t)worker / (size_t)l->workers;
}

/* Calls visit for this worker's share of the changed values: equal shares, in the order of the spans. */
static void each_span(Learner *l, int worker, void (*visit)(Learner *, Worker *, Span part))
{
    size_t from = share_start(l, l->changed, worker), to = share_start(l, l->changed, worker + 1), at = 0;
    for (int i = 0; i < l->spans && at < to; i++) {
        const Span *s = &l->span[i];
        size_t begin = from > at ? from - at : 0, end = to - at < s->count ? to - at : s->count;
        if (begin < end) visit(l, &l->worker[worker], (Span){ s->at + begin, end - begin, s->decays });
        at += s->count;
    }
}

/* ---- the phases of an update ---- */

/* The worker's batch, in an arena that has room for it and for the activations. */
static Batch build_batch(const Learner *l, Worker *worker)
{
    BatchSize size = batch_size(worker->sentences, worker->count);
    Batch batch;
    arena_reserve(&worker->arena, learner_measure(&l->net, size));
    batch_build(&batch, &worker->arena, worker->sentences, worker->count, l->begin);
    return batch;
}

static Noise noise_of(const Learner *l)
{
    const Recipe *r = l->recipe;
    const uint64_t key = rng_key(r->seed, (uint64_t)l->step, RNG_DROPOUT);
    const int shared = r->dropout_mask == MASK_SENTENCE ? TOKEN_STEP_BITS : 0;
    return (Noise){
        .word = { { r->word_dropout_source, key, shared }, { r->word_dropout_target, key, shared } },
        .embedding = { r->dropout_embedding, key, shared }, .hidden = { r->dropout, key, shared },
        .recurrent = { r->dropout_recurrent, key, shared }, .attention = { r->dropout_attention, key, 0 },
        .draws = rng_key(r->seed, (uint64_t)l->step, RNG_ATTENTION), .baseline = l->baseline,
    };
}

/* All lay out the same panels in the same block. */
static void pack(void *context, int number)
{
    Learner *l = context;
    Arena arena = l->packed;
    matrix_round((Precision)l->recipe->precision);
    l->worker[number].w = weights_packed_to_learn(&l->w, &l->net, &arena, (Portion){ number, l->workers });
    matrix_round(PRECISION_FLOAT);
}

static void compute_gradient(void *context, int number)
{
    Learner *l = context;
    Worker *worker = &l->worker[number];
    worker->loss = (Loss){ 0 };
    worker->flops = 0;
    if (!worker->count) return;
    Batch batch = build_batch(l, worker);
    Noise noise = noise_of(l);
    matrix_round((Precision)l->recipe->precision);
    worker->loss = network_gradient(&l->net, &worker->w, &worker->dw, &batch, &noise, l->recipe->label_smoothing,
                                    l->scale, &worker->arena);
    matrix_round(PRECISION_FLOAT);
    worker->flops = network_flops(&l->net, batch.size);
}

/* The sum of all workers' gradients goes to worker 0's block; the others are zero again. */
static void reduce_span(Learner *l, Worker *worker, Span s)
{
    real *sum = l->worker[0].gradient + s.at;
    for (int i = 1; i < l->workers; i++) {
        real *other = l->worker[i].gradient + s.at;
        vector_add(sum, other, s.count);
        memset(other, 0, s.count * sizeof *other);
    }
    worker->square_sum += vector_square_sum(sum, s.count);
}

static void reduce(void *context, int number)
{
    Learner *l = context;
    l->worker[number].square_sum = 0;
    each_span(l, number, reduce_span);
}

static void step_span(Learner *l, Worker *worker, Span s)
{
    (void)worker;
    const AdamOptions adam = { .rate = l->rate, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8,
                               .decay = s.decays ? l->recipe->weight_decay : 0 };
    const long t = l->step - l->first_step;
    real *gradient = l->worker[0].gradient + s.at;
    adam_step(l->weights + s.at, l->moment1 + s.at, l->moment2 + s.at, gradient, l->shrink, &adam, t, s.count);
    memset(gradient, 0, s.count * sizeof *gradient);
}

static void forget_span(Learner *l, Worker *worker, Span s)
{
    (void)worker;
    memset(l->worker[0].gradient + s.at, 0, s.count * sizeof(real));
}

static void step(void *context, int number)
{
    each_span(context, number, step_span);
}

static void forget(void *context, int number)
{
    each_span(context, number, forget_span);
}

/* Every workers-th sentence: with the sentences sorted by length, all shares are equally heavy. Those of a further
 * batch are numbered on, for other dropout masks. */
static long share(Learner *l, const Sentence *sentences, int count)
{
    long tokens = 0;
    for (int i = 0; i < l->workers; i++)
        l->worker[i].count = 0;
    for (int i = 0; i < count; i++) {
        Worker *worker = &l->worker[i % l->workers];
        Sentence *mine = &worker->sentences[worker->count++];
        *mine = sentences[i];
        mine->number += l->sentences;
        tokens += mine->target_length;
    }
    l->sentences += count;
    return tokens;
}

/* Xu et al. 2015, section 4.1: a moving average, which the first batch begins. */
static void move_baseline(Learner *l, double cost)
{
    l->baseline = l->baseline > 0 ? 0.9 * l->baseline + 0.1 * cost : cost;
}

double *learner_baseline(Learner *l)
{
    return &l->baseline;
}

/* ---- the moving average ---- */

static void approach(void *context, int number)
{
    Learner *l = context;
    const size_t from = share_start(l, l->table->size, number), to = share_start(l, l->table->size, number + 1);
    vector_approach(l->average + from, (real)l->approach, l->weights + from, to - from);
}

static void sample_average(Learner *l)
{
    enum { LONGEST = 32 };
    const double beta = l->recipe->average;
    const long every = lround(fmax(1, fmin(LONGEST, 0.1 / (1 - beta)))), since = l->step - l->first_step - 1;
    if (since % every) return;
    const double n = (double)(since / every);
    l->approach = 1 - fmin(pow(beta, (double)every), (1 + n) / (10 + n));
    pool_run(l->pool, approach, l);
}

/* ---- the mean of the last validations ---- */

void learner_collect(Learner *l, long number)
{
    const size_t size = l->table->size;
    if (!l->collection) return;
    memcpy(l->collection + (size_t)(number % l->recipe->average_last) * size, learner_averaged(l), size * sizeof(real));
}

real *learner_collection(Learner *l)
{
    return l->collection;
}

/* One after the other: the mean of the first k + 1 lies 1 / (k + 1) of the way from that of the first k to the next. */
real *learner_mean(Learner *l, long number)
{
    real *mean = l->worker[0].gradient;
    const long count = number < l->recipe->average_last ? number : l->recipe->average_last;
    for (long k = 0; k < count; k++)
        vector_approach(mean, 1 / (real)(k + 1), l->collection + (size_t)k * l->table->size, l->table->size);
    return mean;
}

/* ---- the whole update ---- */

void learner_begin(Learner *l, long step_number)
{
    l->step = step_number;
    l->update = (Update){ 0 };
    l->sentences = l->spans = 0;
    l->changed = 0;
}

void learner_add(Learner *l, const Sentence *sentences, int count)
{
    Update *u = &l->update;
    const int is_mean = l->recipe->normalize == NORMALIZE_TOKENS;
    const long tokens = share(l, sentences, count);
    if (!u->tokens) pool_run(l->pool, pack, l);
    if (!u->tokens) l->scale = 1.0 / (is_mean ? (double)tokens : l->recipe->max_length);
    u->tokens += tokens;
    pool_run(l->pool, compute_gradient, l);
    find_spans(l, sentences, count);
    for (int i = 0; i < l->workers; i++) {
        u->loss.plain += l->worker[i].loss.plain;
        u->loss.smoothed += l->worker[i].loss.smoothed;
        u->flops += l->worker[i].flops;
    }
}

/* Sums the gradient and finds its norm; returns what makes it the mean over all batches. */
static double reduce_all(Learner *l)
{
    const double scale = 1.0 / (double)l->update.tokens;
    const double correction = l->recipe->normalize == NORMALIZE_TOKENS ? scale / l->scale : 1;
    double square_sum = 0;
    pool_run(l->pool, reduce, l);
    for (int i = 0; i < l->workers; i++)
        square_sum += l->worker[i].square_sum;
    l->update.norm = correction * sqrt(square_sum);
    return correction;
}

Update learner_step(Learner *l, double rate)
{
    Update *u = &l->update;
    const double correction = reduce_all(l);
    u->skipped = !isfinite(u->norm) || !isfinite(u->loss.smoothed);
    if (l->keep_next && !u->skipped) learner_keep(l, learner_averaged(l));
    l->keep_next = 0;
    if (!u->skipped) move_baseline(l, u->loss.smoothed / (double)u->tokens);
    l->rate = rate;
    l->shrink = u->skipped ? 0 : correction * clip_scale(u->norm, l->recipe->clip);
    pool_run(l->pool, u->skipped ? forget : step, l);
    if (l->average) sample_average(l);
    return *u;
}
