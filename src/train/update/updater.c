/* updater.c - see updater.h. */
#include "train/update/updater.h"

#include "base/mem.h"
#include "base/random/rng.h"
#include "linalg/vector.h"
#include "model/prepacked_weights.h"
#include "nn/adam.h"
#include "train/update/reduction.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What each worker finds of its share. */
enum { PLAIN_LOSS, SMOOTHED_LOSS, FLOPS, FINDINGS };

/* From updater_begin to updater_step. */
typedef struct {
    long   step;                /* number of the update: selects the dropout masks */
    double passes;              /* over the training part, before the update */
    double scale;               /* factor of the gradient: 1 / what the loss is normalized by */
    Update sums;                /* of the batches so far */
    int    sentences;           /* of the batches so far */
    AdamOptions adam;
    double factor;              /* of the summed gradient: normalization and clipping */
} UpdateInProgress;

/* One worker's share of a batch: its loss, and its gradient. A share that would take more memory
 * than Updater.slice is computed slice by slice, and the gradient is the sum of theirs: that of the
 * whole, up to rounding. */
typedef struct {
    Weights   dw;               /* points into the worker's gradient (train/update/reduction.h) */
    Arena     arena;            /* may be freed between two gradients, to rest */
    Sentence *sentences;        /* the share */
    int       count;
    Loss      loss;             /* of the share, summed over its target tokens */
    double    flops;            /* of the matrix products */
} Worker;

struct Updater {
    Architecture          net;
    Weights               w;
    const Hyperparameters *hyper;
    const ParameterTable *table;
    int                   bos;          /* id of <bos> */
    size_t                slice;        /* the most bytes of activations of a worker */
    size_t                room;         /* what each reserves, for the largest share */
    Pool                 *pool;
    Processes            *processes;
    Crew                  crew;
    size_t                size;         /* of the weights, in reals, and of all blocks like them */
    real                 *weights;
    PrepackedWeights     *prepacked;    /* copies of w, written anew in each update; or NULL */
    Worker               *worker;       /* (crew.own) */
    double               *found;        /* (crew.all, FINDINGS) of each worker's share */
    Reduction             reduction;
    real                 *first, *second;   /* Adam's moments; never touched outside the own shard,
                                             * where they take only addresses */
    real                 *average;      /* NULL: there is none */
    real                 *kept;         /* by updater_keep */
    double                baseline;     /* usual cost of a word */
    UpdateInProgress      update;
};

/* ---- memory ---- */

enum { R_DROP_PASSES = 2 };

/* How often each sentence passes through the network: once where nothing is dropped. */
static int passes_of(const Hyperparameters *h)
{
    const double dropout = h->dropout + h->dropout_embedding + h->dropout_recurrent
                           + h->dropout_attention + h->word_dropout_source + h->word_dropout_target;
    return h->r_drop > 0 && dropout > 0 ? R_DROP_PASSES : 1;
}

static int times(int count, int passes)
{
    return count > INT_MAX / passes ? INT_MAX : count * passes;
}

static BatchSize repeated(BatchSize size, int passes)
{
    size.sentences = times(size.sentences, passes);
    size.source_tokens = times(size.source_tokens, passes);
    size.target_tokens = times(size.target_tokens, passes);
    return size;
}

int updater_blocks(const Hyperparameters *hyper)
{
    return 4 + (hyper->average > 0);
}

size_t updater_slice(int workers)
{
    return (size_t)3000000000 / (size_t)workers;
}

size_t updater_measure(const Architecture *net, BatchSize share, const Hyperparameters *hyper,
                       size_t slice)
{
    const int passes = passes_of(hyper);
    const int source = share.source_steps, target = share.target_steps;
    const BatchSize longest = { 1, source, source, target, target };
    const size_t all = network_measure(net, repeated(share, passes), 1),
                 least = network_measure(net, repeated(longest, passes), 1),
                 most = slice > least ? slice : least;
    return all < most ? all : most;
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
                     const Hyperparameters *hyper, Pool *pool, BatchSize share,
                     size_t slice, int bos, Processes *processes)
{
    Updater *u = xcalloc(1, sizeof *u);
    u->net = architecture_for_training(net, (Precision)hyper->precision);
    u->w = weights_in(table, weights, (Precision)hyper->precision);
    u->pool = pool;
    u->processes = processes;
    u->crew = processes_crew(processes, pool);
    u->hyper = hyper;
    u->table = table;
    u->bos = bos;
    u->slice = slice;
    u->room = updater_measure(&u->net, share, hyper, slice);
    u->weights = weights;
    u->size = table->size;
    u->prepacked = prepacked_weights_new(table, &u->w, purpose_of(hyper));
    reduction_init(&u->reduction, u->size, pool, processes);
    sparse_update_init(&u->reduction.changes, table, net->n.Vs, net->n.Vt, bos,
                       hyper->weight_decay > 0);
    u->worker = xcalloc((size_t)u->crew.own, sizeof *u->worker);
    u->found = xcalloc((size_t)u->crew.all * FINDINGS, sizeof *u->found);
    for (int i = 0; i < u->crew.own; i++) {
        Worker *worker = &u->worker[i];
        worker->dw = weights_in(table, reduction_gradient(&u->reduction, i),
                                (Precision)hyper->precision);
        worker->sentences = xcalloc((size_t)share.sentences * (size_t)passes_of(hyper),
                                    sizeof *worker->sentences);
        arena_reserve(&worker->arena, u->room);
    }
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
    updater_rest(u);
    for (int i = 0; i < u->crew.own; i++)
        free(u->worker[i].sentences);
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

/* ---- the gradient of a share ---- */

/* The share that dropout has risen to (Morerio et al. 2017, "Curriculum Dropout"): it follows the
 * passes that are done, not the share of the run, because what is learned by heart depends on how
 * often it was seen. */
static double risen(const Hyperparameters *h, double passes)
{
    return passes < h->dropout_rise ? passes / h->dropout_rise : 1;
}

/* With REINFORCE, the share of sentences that are attended to by all weights, as in Xu et al.
 * (2015), section 4.1: BLEU 41.9 after 5,000 updates of the eng-fra corpus, 36.7 without. */
static const double soft_sentences = 0.5;

static Noise noise_of(const Updater *u)
{
    const Hyperparameters *h = u->hyper;
    const uint64_t step = (uint64_t)u->update.step, key = rng_key(h->seed, step, RNG_DROPOUT);
    const double rise = risen(h, u->update.passes);
    const int shared = h->dropout_mask == MASK_SENTENCE ? TOKEN_STEP_BITS : 0;
    return (Noise){
        .word = { { h->word_dropout_source, key, shared },
                  { h->word_dropout_target, key, shared } },
        .embedding = { h->dropout_embedding * rise, key, shared },
        .hidden = { h->dropout * rise, key, shared },
        .recurrent = { h->dropout_recurrent, key, shared },
        .attention = { h->dropout_attention, key, 0 },
        .draws = rng_key(h->seed, step, RNG_ATTENTION), .baseline = u->baseline,
        .choice = { soft_sentences, key, TOKEN_STEP_BITS },
        .threshold = h->sparse_gradient, .sampling = rng_key(h->seed, step, RNG_LOGITS),
    };
}

/* What the slices of a share have in common. */
typedef struct {
    Noise     noise;
    Criterion criterion;
    int       passes;
} Share;

/* The sentences of a slice as a batch, in an arena with room for it and for the activations. */
static void add_slice(const Updater *u, Worker *worker, const Share *share,
                      const Sentence *sentences, int count, size_t bytes)
{
    Batch batch;
    arena_reserve(&worker->arena, bytes > u->room ? bytes : u->room);
    batch_build(&batch, &worker->arena, sentences, count, u->bos);
    Pass pass = pass_of_batch(&u->net, &u->w, &batch);
    pass.gradients = &worker->dw;
    pass.noise = &share->noise;
    const Loss loss = network_gradient(&pass, &share->criterion, &worker->arena);
    worker->loss.plain += loss.plain / share->passes;
    worker->loss.smoothed += loss.smoothed / share->passes;
    worker->flops += network_flops(u->table, batch.size, u->hyper->sparse_gradient > 0);
}

/* The sentences as one slice, or each half for itself; passes of a sentence stay together. */
static void add_slices(const Updater *u, Worker *worker, const Share *share,
                       const Sentence *sentences, int count)
{
    const size_t bytes = network_measure(&u->net, batch_size(sentences, count), 1);
    if (bytes <= u->slice || count == share->passes) {
        add_slice(u, worker, share, sentences, count, bytes);
        return;
    }
    const int half = count / share->passes / 2 * share->passes;
    add_slices(u, worker, share, sentences, half);
    add_slices(u, worker, share, sentences + half, count - half);
}

static void add_gradient(void *context, int number)
{
    const Updater *u = context;
    Worker *worker = &u->worker[number];
    const int passes = passes_of(u->hyper);
    worker->loss = (Loss){ 0 };
    worker->flops = 0;
    if (!worker->count) return;
    /* Each sentence stands once for each pass, with numbers and so with masks of their own. */
    worker->count *= passes;
    for (int i = worker->count; i-- > 0 && passes > 1;) {
        worker->sentences[i] = worker->sentences[i / passes];
        worker->sentences[i].number = passes * worker->sentences[i].number + i % passes;
    }
    const Share share = {
        .noise = noise_of(u), .passes = passes,
        .criterion = { .smoothing = u->hyper->label_smoothing, .scale = u->update.scale / passes,
                       .r_drop = passes > 1 ? u->hyper->r_drop : 0 },
    };
    add_slices(u, worker, &share, worker->sentences, worker->count);
}

/* ---- the batches of an update ---- */

void updater_begin(Updater *u, long step, double passes)
{
    u->update = (UpdateInProgress){ .step = step, .passes = passes };
    sparse_update_begin(&u->reduction.changes, step);
}

static void prepack(void *context, int worker)
{
    Updater *u = context;
    prepacked_weights_write(u->prepacked, (Portion){ worker, u->crew.own });
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
        Worker *worker = &u->worker[number];
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
        const Worker *worker = &u->worker[i];
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
    return u->hyper->normalize == NORMALIZE_TOKENS;
}

void updater_add(Updater *u, const Sentence *sentences, int count)
{
    Update *sums = &u->update.sums;
    const int is_first = !sums->tokens;
    const long tokens = share(u, sentences, count);
    if (is_first) {
        pool_run(u->pool, prepack, u);
        u->update.scale = 1.0 / (is_mean(u) ? (double)tokens : u->hyper->max_length);
    }
    sums->tokens += tokens;
    pool_run(u->pool, add_gradient, u);
    sparse_update_add(&u->reduction.changes, sentences, count);
    add_findings(u, sums);
}

/* ---- the step ---- */

/* Each worker changes the weights of its part of the sum, and sets that part of the sum to zero: in
 * pieces whose gradient is then still in the first cache. */
static void step_part(void *context, int worker)
{
    enum { PIECE = 4096 };
    const Updater *u = context;
    const UpdateInProgress *update = &u->update;
    SparseUpdateWalk walk = reduction_part(&u->reduction, worker);
    for (Range range; sparse_update_next(&walk, &range);) {
        const size_t end = range.at + range.count;
        AdamOptions adam = update->adam;
        if (!range.decays) adam.decay = 0;
        for (size_t at = range.at; at < end; at += PIECE) {
            const size_t count = end - at < PIECE ? end - at : PIECE;
            real *gradient = u->reduction.gradient + at;
            adam_step(u->weights + at, u->first + at, u->second + at, gradient, update->factor,
                      &adam, update->step, count);
            memset(gradient, 0, count * sizeof *gradient);
        }
    }
}

static void change_weights(Updater *u, double rate, double scale)
{
    const Hyperparameters *h = u->hyper;
    u->update.adam = (AdamOptions){ .rate = rate, .beta1 = 0.9, .beta2 = h->beta2,
                                    .epsilon = 1e-8, .decay = h->weight_decay };
    u->update.factor = scale * clip_scale(u->update.sums.norm, h->clip);
    processes_keep_shard(u->processes, u->weights, u->size);
    pool_run(u->pool, step_part, u);
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
    const double beta = u->hyper->average;
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
    const double scale = is_mean(u) ? 1.0 / (double)sums->tokens / u->update.scale : 1;
    sums->norm = scale * sqrt(reduction_sum(&u->reduction));
    sums->skipped = !isfinite(sums->norm) || !isfinite(sums->loss.smoothed);
    if (sums->skipped) reduction_discard(&u->reduction);
    else {
        /* Xu et al. 2015, section 4.1: a moving average, which begins with the first update. */
        const double cost = sums->loss.smoothed / (double)sums->tokens;
        u->baseline = u->baseline > 0 ? 0.9 * u->baseline + 0.1 * cost : cost;
        change_weights(u, rate, scale);
    }
    follow_weights(u, u->update.step);
    return *sums;
}
