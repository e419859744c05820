/* updater.c - gradients of the workers, their sum, clipping, optimizer, moving average. */
#include "train/updater.h"

#include "base/mem.h"
#include "model/prepacked_weights.h"
#include "nn/adam.h"
#include "train/gradient.h"
#include "train/optimizer.h"
#include "train/reduction.h"
#include "train/weight_average.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Updater {
    Architecture            net;
    const Hyperparameters  *hyper;
    Pool          *pool;
    real          *weights;
    size_t         size;            /* of a block like them, in reals */
    Weights        w;
    PrepackedWeights *prepacked;    /* copies of w, written anew in each update; or NULL */
    GradientWorker *worker;         /* one a thread of the pool */
    int            workers;
    Reduction      reduction;
    Optimizer      optimizer;
    WeightAverage  average;
    real          *kept;            /* weights to go back to */
    int            keep_next;
    long           first_step;      /* Adam's t counts from here */
    /* the update at hand */
    GradientTask   task;
    SparseUpdate   changes;
    Update         update;          /* so far */
    int            sentences;       /* so far */
};

int updater_blocks(const Hyperparameters *hyper)
{
    return 4 + (hyper->average > 0);
}

size_t updater_measure(const Architecture *net, BatchSize share)
{
    return gradient_measure(net, share);
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

Updater *updater_new(const Architecture *net, const ParameterTable *table, real *weights, const Hyperparameters *hyper, Pool *pool,
                     BatchSize share, int begin)
{
    Updater *u = xcalloc(1, sizeof *u);
    u->net = net_to_learn(net, (Precision)hyper->precision);
    u->hyper = hyper;
    u->pool = pool;
    u->weights = weights;
    u->size = table->size;
    u->w = weights_in(table, weights, (Precision)hyper->precision);
    u->prepacked = prepacked_weights_new(table, &u->w, purpose_of(hyper));
    u->task = (GradientTask){ .net = &u->net, .w = &u->w, .hyper = hyper, .begin = begin };
    u->workers = pool_workers(pool);
    u->worker = xcalloc((size_t)u->workers, sizeof *u->worker);
    reduction_init(&u->reduction, u->workers);
    for (int i = 0; i < u->workers; i++) {
        gradient_init(&u->worker[i], &u->task, table, share);
        u->reduction.gradient[i] = u->worker[i].gradient;
    }
    sparse_update_init(&u->changes, table, net->n.Vs, net->n.Vt, begin, hyper->weight_decay > 0);
    optimizer_init(&u->optimizer, weights, u->size, hyper->weight_decay);
    weight_average_init(&u->average, weights, u->size, hyper->average);
    u->kept = xaligned(u->size, sizeof(real));
    updater_keep(u, weights);
    return u;
}

void updater_free(Updater *u)
{
    if (!u) return;
    for (int i = 0; i < u->workers; i++)
        gradient_free(&u->worker[i]);
    free(u->worker);
    prepacked_weights_free(u->prepacked);
    reduction_free(&u->reduction);
    sparse_update_free(&u->changes);
    optimizer_free(&u->optimizer);
    weight_average_free(&u->average);
    free(u->kept);
    free(u);
}

/* ---- what is saved and restored ---- */

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

double *updater_baseline(Updater *u)
{
    return &u->task.baseline;
}

/* ---- the way back ---- */

void updater_keep(Updater *u, const real *weights)
{
    memcpy(u->kept, weights, u->size * sizeof(real));
}

void updater_keep_next(Updater *u)
{
    u->keep_next = 1;
}

void updater_go_back(Updater *u)
{
    const size_t bytes = u->size * sizeof(real);
    memcpy(u->weights, u->kept, bytes);
    if (u->average.values) memcpy(u->average.values, u->kept, bytes);
    optimizer_reset(&u->optimizer);
}

void updater_count_from(Updater *u, long step)
{
    u->first_step = step;
}

real *updater_kept(Updater *u)
{
    return u->kept;
}

/* ---- the batches of an update ---- */

void updater_begin(Updater *u, long step)
{
    u->task.step = step;
    u->update = (Update){ 0 };
    u->sentences = 0;
    sparse_update_begin(&u->changes, step);
}

static void prepack(void *context, int number)
{
    Updater *u = context;
    prepacked_weights_write(u->prepacked, (Portion){ number, u->workers });
}

static void add_gradient(void *context, int number)
{
    Updater *u = context;
    gradient_add(&u->worker[number], &u->task);
}

/* Every workers-th sentence: with the sentences sorted by length, all shares are equally heavy. Those of a further
 * batch are numbered on, for other dropout masks. */
static long share(Updater *u, const Sentence *sentences, int count)
{
    long tokens = 0;
    for (int i = 0; i < u->workers; i++)
        u->worker[i].count = 0;
    for (int i = 0; i < count; i++) {
        GradientWorker *worker = &u->worker[i % u->workers];
        Sentence *mine = &worker->sentences[worker->count++];
        *mine = sentences[i];
        mine->number += u->sentences;
        tokens += mine->target_length;
    }
    u->sentences += count;
    return tokens;
}

void updater_add(Updater *u, const Sentence *sentences, int count)
{
    Update *update = &u->update;
    const int is_mean = u->hyper->normalize == NORMALIZE_TOKENS, is_first = !update->tokens;
    const long tokens = share(u, sentences, count);
    if (is_first) {
        pool_run(u->pool, prepack, u);
        u->task.scale = 1.0 / (is_mean ? (double)tokens : u->hyper->max_length);
    }
    update->tokens += tokens;
    pool_run(u->pool, add_gradient, u);
    sparse_update_add(&u->changes, sentences, count);
    for (int i = 0; i < u->workers; i++) {
        update->loss.plain += u->worker[i].loss.plain;
        update->loss.smoothed += u->worker[i].loss.smoothed;
        update->flops += u->worker[i].flops;
    }
}

/* ---- the step ---- */

/* What makes the sum over all batches their mean: it was normalized by the tokens of the first. */
static double correction(const Updater *u)
{
    return u->hyper->normalize == NORMALIZE_TOKENS ? 1.0 / (double)u->update.tokens / u->task.scale : 1;
}

/* Xu et al. 2015, section 4.1: a moving average, which the first batch begins. */
static void move_baseline(Updater *u, double cost)
{
    double *baseline = &u->task.baseline;
    *baseline = *baseline > 0 ? 0.9 * *baseline + 0.1 * cost : cost;
}

static void change_weights(Updater *u, double rate, double scale)
{
    const Update *update = &u->update;
    const OptimizerStep step = { .t = u->task.step - u->first_step, .rate = rate,
                                 .scale = scale * clip_scale(update->norm, u->hyper->clip) };
    move_baseline(u, update->loss.smoothed / (double)update->tokens);
    optimizer_step(&u->optimizer, u->reduction.gradient[0], &u->changes, &step, u->pool);
}

Update updater_step(Updater *u, double rate)
{
    Update *update = &u->update;
    const double scale = correction(u);
    update->norm = scale * sqrt(reduction_sum(&u->reduction, &u->changes, u->pool));
    update->skipped = !isfinite(update->norm) || !isfinite(update->loss.smoothed);
    if (u->keep_next && !update->skipped) updater_keep(u, updater_averaged(u));
    u->keep_next = 0;
    if (update->skipped) reduction_discard(&u->reduction, &u->changes, u->pool);
    else change_weights(u, rate, scale);
    weight_average_sample(&u->average, u->task.step - u->first_step, u->pool);
    return *update;
}
