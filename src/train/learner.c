/* learner.c - data-parallel gradient, reduction, clipping, Adam, moving average. */
#include "train/learner.h"

#include "base/mem.h"
#include "base/rng.h"
#include "linalg/vector.h"
#include "model/prepacked_weights.h"
#include "nn/adam.h"
#include "train/touched.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    real     *gradient;         /* one block; zero between updates */
    Weights   dw;
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
    PrepackedWeights     *prepacked;    /* copies of w, written anew in each update; or NULL */
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
    Touched               touched;      /* what this update changes */
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

static int is_sparse(const Recipe *recipe)
{
    return recipe->sparse_gradient > 0;
}

static PrepackedPurpose purpose_of(const Recipe *recipe)
{
    return is_sparse(recipe) ? PREPACKED_TO_LEARN_SPARSELY : PREPACKED_TO_LEARN;
}

size_t learner_measure_shared(const ParameterTable *table, const Recipe *recipe)
{
    return prepacked_weights_measure(table, (Precision)recipe->precision, purpose_of(recipe));
}

Learner *learner_new(const Net *net, const ParameterTable *table, real *weights, const Recipe *recipe, Pool *pool,
                     BatchSize share, int begin)
{
    Learner *l = xcalloc(1, sizeof *l);
    l->net = net_to_learn(net, (Precision)recipe->precision);
    l->table = table;
    l->weights = weights;
    l->w = weights_in(table, weights, (Precision)recipe->precision);
    l->prepacked = prepacked_weights_new(table, &l->w, purpose_of(recipe));
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
        worker->dw = weights_in(table, worker->gradient, (Precision)recipe->precision);
        worker->sentences = xcalloc((size_t)share.sentences, sizeof *worker->sentences);
        arena_reserve(&worker->arena, learner_measure(net, share));
    }
    touched_init(&l->touched, table, net->n.Vs, net->n.Vt, begin, recipe->weight_decay > 0);
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
    prepacked_weights_free(l->prepacked);
    free(l->moment1);
    free(l->moment2);
    free(l->average);
    free(l->collection);
    free(l->kept);
    touched_free(&l->touched);
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
        .threshold = r->sparse_gradient, .sampling = rng_key(r->seed, (uint64_t)l->step, RNG_LOGITS),
    };
}

static Portion portion_of(const Learner *l, int worker)
{
    return (Portion){ worker, l->workers };
}

static void prepack(void *context, int number)
{
    Learner *l = context;
    prepacked_weights_write(l->prepacked, portion_of(l, number));
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
    worker->loss = network_gradient(&l->net, &l->w, &worker->dw, &batch, &noise, l->recipe->label_smoothing,
                                    l->scale, &worker->arena);
    worker->flops = network_flops(&l->net, batch.size, is_sparse(l->recipe));
}

/* The sum of all workers' gradients goes to worker 0's block; the others are zero again. Returns the sum of squares. */
static double reduce_range(Learner *l, Range range)
{
    real *sum = l->worker[0].gradient + range.at;
    for (int i = 1; i < l->workers; i++) {
        real *other = l->worker[i].gradient + range.at;
        vector_add(sum, other, range.count);
        memset(other, 0, range.count * sizeof *other);
    }
    return vector_square_sum(sum, range.count);
}

static void reduce(void *context, int number)
{
    Learner *l = context;
    Worker *worker = &l->worker[number];
    Range range;
    worker->square_sum = 0;
    for (TouchedWalk walk = touched_walk(&l->touched, portion_of(l, number)); touched_next(&walk, &range);)
        worker->square_sum += reduce_range(l, range);
}

static void step_range(Learner *l, Range range)
{
    const AdamOptions adam = { .rate = l->rate, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8,
                               .decay = range.decays ? l->recipe->weight_decay : 0 };
    const long t = l->step - l->first_step;
    real *gradient = l->worker[0].gradient + range.at;
    adam_step(l->weights + range.at, l->moment1 + range.at, l->moment2 + range.at, gradient, l->shrink, &adam, t,
              range.count);
    memset(gradient, 0, range.count * sizeof *gradient);
}

static void step(void *context, int number)
{
    Learner *l = context;
    Range range;
    for (TouchedWalk walk = touched_walk(&l->touched, portion_of(l, number)); touched_next(&walk, &range);)
        step_range(l, range);
}

static void forget(void *context, int number)
{
    Learner *l = context;
    Range range;
    for (TouchedWalk walk = touched_walk(&l->touched, portion_of(l, number)); touched_next(&walk, &range);)
        memset(l->worker[0].gradient + range.at, 0, range.count * sizeof(real));
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
    const size_t from = portion_start(l->table->size, portion_of(l, number));
    const size_t to = portion_end(l->table->size, portion_of(l, number));
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
    l->sentences = 0;
    touched_begin(&l->touched, step_number);
}

void learner_add(Learner *l, const Sentence *sentences, int count)
{
    Update *u = &l->update;
    const int is_mean = l->recipe->normalize == NORMALIZE_TOKENS;
    const long tokens = share(l, sentences, count);
    if (!u->tokens) pool_run(l->pool, prepack, l);
    if (!u->tokens) l->scale = 1.0 / (is_mean ? (double)tokens : l->recipe->max_length);
    u->tokens += tokens;
    pool_run(l->pool, compute_gradient, l);
    touched_add(&l->touched, sentences, count);
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
