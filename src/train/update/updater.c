/* updater.c - see updater.h. */
#include "train/update/updater.h"

#include "base/mem.h"
#include "model/prepacked_weights.h"
#include "nn/adam.h"
#include "train/update/gradient.h"
#include "train/update/optimizer.h"
#include "train/update/reduction.h"
#include "train/update/weight_average.h"

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
    Architecture     net;
    Weights          w;
    GradientModel    model;         /* points to the two */
    Pool            *pool;
    Processes       *processes;
    Crew             crew, team;    /* all workers, and those that share blocks */
    real            *weights;
    size_t           size;          /* of the weights, in reals */
    PrepackedWeights *prepacked;    /* copies of w, written anew in each update; or NULL */
    real            *copies;        /* (copies_size) their memory */
    size_t           copies_size;
    GradientWorker  *worker;        /* (crew.own) */
    double          *found;         /* (crew.all, FINDINGS) of each worker's share */
    Reduction        reduction;
    SparseUpdate     changes;
    Optimizer        optimizer;
    WeightAverage    average;
    real            *kept;          /* weights to go back to */
    double           baseline;      /* usual cost of a word */
    long             first_step;    /* Adam's t counts from here */
    UpdateInProgress update;
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
    return gradient_is_sparse(hyper) ? PREPACKED_TO_LEARN_SPARSELY : PREPACKED_TO_LEARN;
}

/* In float, whose copies are the largest. */
size_t updater_measure_shared(const ParameterTable *table, const Hyperparameters *hyper)
{
    return prepacked_weights_measure(table, PRECISION_FLOAT, purpose_of(hyper));
}

static void init_workers(Updater *u, const ParameterTable *table, BatchSize share)
{
    reduction_init(&u->reduction, u->size, u->pool, u->processes);
    u->worker = xcalloc((size_t)u->crew.own, sizeof *u->worker);
    u->found = xcalloc((size_t)u->crew.all * FINDINGS, sizeof *u->found);
    for (int i = 0; i < u->crew.own; i++)
        gradient_init(&u->worker[i], &u->model, table, reduction_gradient(&u->reduction, i), share);
}

/* None where OpenBLAS multiplies. */
static void init_copies(Updater *u, const ParameterTable *table)
{
    const PrepackedPurpose purpose = purpose_of(u->model.hyper);
    u->copies_size = prepacked_weights_measure(table, u->w.precision, purpose) / sizeof(real);
    if (!u->copies_size) return;
    u->copies = processes_block(u->processes, u->copies_size);
    u->prepacked = prepacked_weights_in(u->copies, table, &u->w, purpose);
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
    u->team = processes_team(processes, pool);
    u->weights = weights;
    u->size = table->size;
    init_copies(u, table);
    init_workers(u, table, share);
    sparse_update_init(&u->changes, table, net->n.Vs, net->n.Vt, bos, hyper->weight_decay > 0);
    const AdamOptions adam = { .beta1 = 0.9, .beta2 = hyper->beta2, .epsilon = 1e-8,
                               .decay = hyper->weight_decay };
    optimizer_init(&u->optimizer, weights, u->size, processes, &adam);
    weight_average_init(&u->average, weights, u->size, hyper->average, processes);
    u->kept = processes_block(processes, u->size);
    updater_keep(u, weights);
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
    if (u->copies) processes_free_block(u->processes, u->copies, u->copies_size);
    reduction_free(&u->reduction);
    sparse_update_free(&u->changes);
    optimizer_free(&u->optimizer);
    weight_average_free(&u->average);
    processes_free_block(u->processes, u->kept, u->size);
    free(u);
}

void updater_rest(Updater *u)
{
    for (int i = 0; i < u->crew.own; i++)
        gradient_rest(&u->worker[i]);
}

/* ---- what is saved and restored ---- */

void updater_gather(Updater *u)
{
    processes_gather_shards(u->processes, u->optimizer.first, u->size);
    processes_gather_shards(u->processes, u->optimizer.second, u->size);
}

real *updater_first_moment(Updater *u)
{
    return u->optimizer.first;
}

real *updater_second_moment(Updater *u)
{
    return u->optimizer.second;
}

real *updater_averaged(Updater *u)
{
    return u->average.values ? u->average.values : u->weights;
}

real *updater_kept(Updater *u)
{
    return u->kept;
}

double *updater_baseline(Updater *u)
{
    return &u->baseline;
}

/* ---- numbers that fail ---- */

void updater_keep(Updater *u, const real *weights)
{
    if (processes_fills(u->processes)) memcpy(u->kept, weights, u->size * sizeof(real));
    processes_meet(u->processes);
}

void updater_go_back(Updater *u)
{
    const size_t bytes = u->size * sizeof(real);
    const int fills = processes_fills(u->processes);
    if (fills) memcpy(u->weights, u->kept, bytes);
    if (fills && u->average.values) memcpy(u->average.values, u->kept, bytes);
    optimizer_reset(&u->optimizer);
    processes_meet(u->processes);
}

void updater_count_from(Updater *u, long step)
{
    u->first_step = step;
}

/* ---- the batches of an update ---- */

void updater_begin(Updater *u, long step, double passes)
{
    u->update = (UpdateInProgress){ .step = { .step = step, .passes = passes,
                                                .baseline = u->baseline } };
    sparse_update_begin(&u->changes, step);
}

static void prepack(void *context, int worker)
{
    Updater *u = context;
    prepacked_weights_write(u->prepacked, (Portion){ u->team.first + worker, u->team.all });
}

static void add_gradient(void *context, int worker)
{
    Updater *u = context;
    gradient_add(&u->worker[worker], &u->model, &u->update.step);
}

/* Gives a worker of this process a sentence. Those of a further batch get further numbers, for
 * other dropout masks. */
static void give(Updater *u, int number, const Sentence *sentence)
{
    GradientWorker *worker = &u->worker[number];
    Sentence *mine = &worker->sentences[worker->count++];
    *mine = *sentence;
    mine->number += u->update.sentences;
}

/* Gives each worker every workers-th sentence: the sentences are sorted by length, so that all
 * shares are equally heavy. Returns the target tokens of the batch. */
static long share(Updater *u, const Sentence *sentences, int count)
{
    long tokens = 0;
    for (int i = 0; i < u->crew.own; i++)
        u->worker[i].count = 0;
    for (int i = 0; i < count; i++) {
        const int number = i % u->crew.all - u->crew.first;
        if (number >= 0 && number < u->crew.own) give(u, number, &sentences[i]);
        tokens += sentences[i].target_length;
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
        processes_meet(u->processes);
        u->update.step.scale = 1.0 / (is_mean(u) ? (double)tokens : u->model.hyper->max_length);
    }
    sums->tokens += tokens;
    pool_run(u->pool, add_gradient, u);
    sparse_update_add(&u->changes, sentences, count);
    add_findings(u, sums);
}

/* ---- the step ---- */

/* The factor that makes the sum over all batches their mean: the tokens of the first batch have
 * normalized it. */
static double correction(const Updater *u)
{
    return is_mean(u) ? 1.0 / (double)u->update.sums.tokens / u->update.step.scale : 1;
}

/* Xu et al. 2015, section 4.1: a moving average, which begins with the first update. */
static double next_baseline(double baseline, double cost)
{
    return baseline > 0 ? 0.9 * baseline + 0.1 * cost : cost;
}

static void change_weights(Updater *u, double rate, double scale)
{
    const Update *sums = &u->update.sums;
    const OptimizerStep step = { .t = u->update.step.step - u->first_step, .rate = rate,
                                 .scale = scale * clip_scale(sums->norm, u->model.hyper->clip) };
    u->baseline = next_baseline(u->baseline, sums->loss.smoothed / (double)sums->tokens);
    processes_keep_shard(u->processes, u->weights, u->size);
    optimizer_step(&u->optimizer, &u->reduction, &u->changes, &step);
    processes_share_shard(u->processes, u->weights, u->size);
}

Update updater_step(Updater *u, double rate, int keeps_weights)
{
    Update *sums = &u->update.sums;
    const double scale = correction(u);
    sums->norm = scale * sqrt(reduction_sum(&u->reduction, &u->changes));
    sums->skipped = !isfinite(sums->norm) || !isfinite(sums->loss.smoothed);
    if (keeps_weights && !sums->skipped) updater_keep(u, updater_averaged(u));
    if (sums->skipped) reduction_discard(&u->reduction, &u->changes);
    else change_weights(u, rate, scale);
    weight_average_sample(&u->average, u->update.step.step - u->first_step, u->pool);
    return *sums;
}
