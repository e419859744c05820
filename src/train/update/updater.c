/* updater.c - see updater.h. */
#include "train/update/updater.h"

#include "base/mem.h"
#include "linalg/vector.h"
#include "model/prepacked_weights.h"
#include "nn/adam.h"
#include "train/update/gradient.h"
#include "train/update/reduction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What each worker finds of its share. */
enum { PLAIN_LOSS, SMOOTHED_LOSS, FLOPS, FINDINGS };

/* From updater_begin to updater_step. */
typedef struct {
    GradientStep step;
    Update       sums;          /* of the batches so far */
    int          sentences;     /* of the batches so far */
} UpdateInProgress;

struct Updater {
    Architecture      net;
    Weights           w;
    GradientModel     model;        /* points to the two */
    Pool             *pool;
    Processes        *processes;
    Crew              crew;
    size_t            size;         /* of the weights, in reals, and of all blocks like them */
    real             *weights;
    PrepackedWeights *prepacked;    /* copies of w, written anew in each update; or NULL */
    GradientWorker   *worker;       /* (crew.own) */
    double           *found;        /* (crew.all, FINDINGS) of each worker's share */
    Reduction         reduction;
    real             *first, *second;       /* Adam's moments; never touched outside the own shard,
                                             * where they take only addresses */
    real             *average;      /* NULL: there is none */
    real             *kept;         /* by updater_keep */
    double            baseline;     /* usual cost of a word */
    UpdateInProgress  update;
};

int updater_blocks(const Hyperparameters *hyper)
{
    return 4 + (hyper->average > 0);
}

size_t updater_measure(const Architecture *net, BatchSize share, const Hyperparameters *hyper,
                       int workers)
{
    return gradient_measure(net, share, hyper, gradient_slice_bytes(workers));
}

static PrepackedPurpose purpose_of(const Hyperparameters *hyper)
{
    return hyper->sparse_gradient > 0 ? PREPACKED_TO_LEARN_SPARSELY : PREPACKED_TO_LEARN;
}

/* In float, whose copies are the largest. */
size_t updater_measure_shared(const ParameterTable *table, const Hyperparameters *hyper)
{
    return prepacked_weights_measure(table, PRECISION_FLOAT, purpose_of(hyper));
}

Updater *updater_new(const Architecture *net, const ParameterTable *table, real *weights,
                     const Hyperparameters *hyper, Pool *pool, BatchSize share, int bos,
                     Processes *processes)
{
    Updater *u = xcalloc(1, sizeof *u);
    u->net = architecture_for_training(net, (Precision)hyper->precision);
    u->w = weights_in(table, weights, (Precision)hyper->precision);
    u->pool = pool;
    u->processes = processes;
    u->crew = processes_crew(processes, pool);
    u->model = (GradientModel){ .net = &u->net, .w = &u->w, .hyper = hyper, .bos = bos,
                                .slice = gradient_slice_bytes(u->crew.all) };
    u->weights = weights;
    u->size = table->size;
    u->prepacked = prepacked_weights_new(table, &u->w, purpose_of(hyper));
    reduction_init(&u->reduction, u->size, pool, processes);
    sparse_update_init(&u->reduction.changes, table, net->n.Vs, net->n.Vt, bos,
                       hyper->weight_decay > 0);
    u->worker = xcalloc((size_t)u->crew.own, sizeof *u->worker);
    u->found = xcalloc((size_t)u->crew.all * FINDINGS, sizeof *u->found);
    for (int i = 0; i < u->crew.own; i++)
        gradient_init(&u->worker[i], &u->model, table, reduction_gradient(&u->reduction, i), share);
    const Interval shard = processes_shard(processes, u->size);
    u->first = xaligned_raw(u->size, sizeof(real));
    u->second = xaligned_raw(u->size, sizeof(real));
    memset(u->first + shard.from, 0, (shard.to - shard.from) * sizeof(real));
    memset(u->second + shard.from, 0, (shard.to - shard.from) * sizeof(real));
    u->kept = xaligned_raw(u->size, sizeof(real));
    updater_keep(u, weights);
    if (hyper->average > 0) {
        u->average = xaligned_raw(u->size, sizeof(real));
        memcpy(u->average, weights, u->size * sizeof(real));
    }
    return u;
}

void updater_free(Updater *u)
{
    if (!u) return;
    for (int i = 0; i < u->crew.own; i++)
        gradient_free(&u->worker[i]);
    free(u->worker);
    free(u->found);
    prepacked_weights_free(u->prepacked);
    reduction_free(&u->reduction);
    free(u->first);
    free(u->second);
    free(u->average);
    free(u->kept);
    free(u);
}

void updater_rest(Updater *u)
{
    for (int i = 0; i < u->crew.own; i++)
        arena_free(&u->worker[i].arena);
}

/* ---- what is saved and restored ---- */

void updater_gather(Updater *u)
{
    processes_gather_shards(u->processes, u->first, u->size);
    processes_gather_shards(u->processes, u->second, u->size);
}

UpdaterState updater_state(Updater *u)
{
    return (UpdaterState){ u->first, u->second, u->average ? u->average : u->weights, u->kept,
                           &u->baseline };
}

void updater_keep(Updater *u, const real *weights)
{
    memcpy(u->kept, weights, u->size * sizeof(real));
}

/* ---- the batches of an update ---- */

void updater_begin(Updater *u, long step, double passes)
{
    u->update = (UpdateInProgress){ .step = { .step = step, .passes = passes,
                                                .baseline = u->baseline } };
    sparse_update_begin(&u->reduction.changes, step);
}

static void prepack(void *context, int worker)
{
    Updater *u = context;
    prepacked_weights_write(u->prepacked, (Portion){ worker, u->crew.own });
}

static void add_gradient(void *context, int worker)
{
    Updater *u = context;
    gradient_add(&u->worker[worker], &u->model, &u->update.step);
}

/* Gives each worker every workers-th sentence: the sentences are sorted by length, so that all
 * shares are equally heavy. Those of a further batch get further numbers, for other dropout masks.
 * Returns the target tokens of the batch. */
static long share(Updater *u, const Sentence *sentences, int count)
{
    long tokens = 0;
    for (int i = 0; i < u->crew.own; i++)
        u->worker[i].count = 0;
    for (int i = 0; i < count; i++) {
        const int number = i % u->crew.all - u->crew.first;
        tokens += sentences[i].target_length;
        if (number < 0 || number >= u->crew.own) continue;
        GradientWorker *worker = &u->worker[number];
        Sentence *mine = &worker->sentences[worker->count++];
        *mine = sentences[i];
        mine->number += u->update.sentences;
    }
    u->update.sentences += count;
    return tokens;
}

/* Adds the losses of all workers of all processes, in the order of the workers. */
static void add_findings(Updater *u, Update *sums)
{
    const int count = u->crew.all * FINDINGS;
    for (int i = 0; i < count; i++)
        u->found[i] = 0;
    for (int i = 0; i < u->crew.own; i++) {
        const GradientWorker *worker = &u->worker[i];
        double *found = u->found + (u->crew.first + i) * FINDINGS;
        found[PLAIN_LOSS] = worker->loss.plain;
        found[SMOOTHED_LOSS] = worker->loss.smoothed;
        found[FLOPS] = worker->flops;
    }
    processes_sum(u->processes, u->found, count);
    for (const double *found = u->found; found < u->found + count; found += FINDINGS) {
        sums->loss.plain += found[PLAIN_LOSS];
        sums->loss.smoothed += found[SMOOTHED_LOSS];
        sums->flops += found[FLOPS];
    }
}

static int is_mean(const Updater *u)
{
    return u->model.hyper->normalize == NORMALIZE_TOKENS;
}

void updater_add(Updater *u, const Sentence *sentences, int count)
{
    Update *sums = &u->update.sums;
    const int is_first = !sums->tokens;
    const long tokens = share(u, sentences, count);
    if (is_first) {
        pool_run(u->pool, prepack, u);
        u->update.step.scale = 1.0 / (is_mean(u) ? (double)tokens : u->model.hyper->max_length);
    }
    sums->tokens += tokens;
    pool_run(u->pool, add_gradient, u);
    sparse_update_add(&u->reduction.changes, sentences, count);
    add_findings(u, sums);
}

/* ---- the step ---- */

/* What the workers step by. */
typedef struct {
    Updater    *updater;
    AdamOptions adam;
    long        t;                  /* Adam's step number, from 1 */
    double      scale;              /* factor of the gradient: normalization and clipping */
} Step;

/* Each worker changes the weights of its part of the sum, and sets that part of the sum to zero: in
 * pieces whose gradient is then still in the first cache. */
static void step_part(void *context, int worker)
{
    enum { PIECE = 4096 };
    const Step *step = context;
    const Updater *u = step->updater;
    SparseUpdateWalk walk = reduction_part(&u->reduction, worker);
    for (Range range; sparse_update_next(&walk, &range);) {
        const size_t end = range.at + range.count;
        AdamOptions adam = step->adam;
        if (!range.decays) adam.decay = 0;
        for (size_t at = range.at; at < end; at += PIECE) {
            const size_t count = end - at < PIECE ? end - at : PIECE;
            real *gradient = u->reduction.gradient + at;
            adam_step(u->weights + at, u->first + at, u->second + at, gradient, step->scale, &adam,
                      step->t, count);
            memset(gradient, 0, count * sizeof *gradient);
        }
    }
}

static void change_weights(Updater *u, double rate, double scale)
{
    const Hyperparameters *h = u->model.hyper;
    const Update *sums = &u->update.sums;
    Step step = { .updater = u, .t = u->update.step.step,
                  .adam = { .rate = rate, .beta1 = 0.9, .beta2 = h->beta2, .epsilon = 1e-8,
                            .decay = h->weight_decay },
                  .scale = scale * clip_scale(sums->norm, h->clip) };
    processes_keep_shard(u->processes, u->weights, u->size);
    pool_run(u->pool, step_part, &step);
    processes_share_shard(u->processes, u->weights, u->size);
}

typedef struct { Updater *updater; real share; } Approach;

static void approach_weights(void *context, int worker)
{
    const Approach *a = context;
    const Updater *u = a->updater;
    const Interval part = portion_of(u->size, (Portion){ worker, u->crew.own });
    vector_approach(u->average + part.from, a->share, u->weights + part.from, part.to - part.from);
}

/* Moves the average if it is due after this update, from 1. */
static void follow_weights(Updater *u, long update)
{
    enum { LONGEST = 32 };
    const double beta = u->model.hyper->average;
    if (!u->average) return;
    const long every = lround(fmax(1, fmin(LONGEST, 0.1 / (1 - beta)))), since = update - 1;
    if (since % every) return;
    const double n = (double)(since / every);
    const double b = fmin(pow(beta, (double)every), (1 + n) / (10 + n));
    pool_run(u->pool, approach_weights, &(Approach){ u, (real)(1 - b) });
}

Update updater_step(Updater *u, double rate)
{
    Update *sums = &u->update.sums;
    /* The tokens of the first batch have normalized the sum over all batches. */
    const double scale = is_mean(u) ? 1.0 / (double)sums->tokens / u->update.step.scale : 1;
    sums->norm = scale * sqrt(reduction_sum(&u->reduction));
    sums->skipped = !isfinite(sums->norm) || !isfinite(sums->loss.smoothed);
    if (sums->skipped) reduction_discard(&u->reduction);
    else {
        /* Xu et al. 2015, section 4.1: a moving average, which begins with the first update. */
        const double cost = sums->loss.smoothed / (double)sums->tokens;
        u->baseline = u->baseline > 0 ? 0.9 * u->baseline + 0.1 * cost : cost;
        change_weights(u, rate, scale);
    }
    follow_weights(u, u->update.step.step);
    return *sums;
}
