/* significance.c - the sums of resampled segments, and statistics of their scores. */
#include "metrics/significance.h"

#include "base/mem.h"
#include "base/random/rng.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The sums of one system are a task. Each task repeats the draws: that is cheaper than to store
 * them. Rows are padded with 0 to a multiple of LANES columns, so that loops have vectors. */
enum { LANES = 8 };

typedef struct Draws Draws;
struct Draws {
    const Resampling *resampling;
    const Statistics *systems;
    int               count;            /* of the systems */
    void            (*sum)(const Draws *d, int system);
    size_t            stride;           /* of a padded row */
    double           *sums;             /* (systems, samples, width) owned */
    atomic_int        next;             /* the first task that no worker has taken */
};

static double *sums_of(const Draws *d, int system, int sample)
{
    return d->sums + ((size_t)system * (size_t)d->resampling->samples + (size_t)sample)
        * (size_t)d->systems->width;
}

static void take_tasks(void *context, int worker)
{
    Draws *d = context;
    (void)worker;
    for (int system; (system = atomic_fetch_add(&d->next, 1)) < d->count;) d->sum(d, system);
}

/* Computes d->sums, which the caller frees. */
static void draw(Draws *d)
{
    d->stride = (size_t)(d->systems->width + LANES - 1) / LANES * LANES;
    d->sums = xcalloc((size_t)d->count * (size_t)d->resampling->samples,
                      (size_t)d->systems->width * sizeof *d->sums);
    pool_run(d->resampling->pool, take_tasks, d);
}

/* ---- Bootstrap samples ---- */

/* NumPy adds floats, one drawn segment after the other. */
static void sum_samples(const Draws *d, int system)
{
    enum { BATCH = 1024 };              /* segments drawn at a time */
    const Statistics *s = &d->systems[system];
    const size_t width = (size_t)s->width, stride = d->stride;
    SCOPED(xfree_at) float *rows = xcalloc(s->segments, stride * sizeof *rows);
    for (size_t i = 0; i < s->segments; i++)
        for (size_t k = 0; k < width; k++) rows[i * stride + k] = (float)s->row[i * width + k];
    Pcg64 rng;
    pcg64_seed(&rng, d->resampling->seed);
    for (int sample = 0; sample < d->resampling->samples; sample++) {
        float sum[METRIC_MAX_WIDTH] = { 0 };
        for (size_t done = 0, count; done < s->segments; done += count) {
            uint32_t drawn[BATCH];
            count = s->segments - done < BATCH ? s->segments - done : BATCH;
            pcg64_below(&rng, (uint32_t)s->segments, drawn, count);
            for (size_t i = 0; i < count; i++)
                for (size_t k = 0; k < stride; k += LANES)
                    for (size_t lane = k; lane < k + LANES; lane++)
                        sum[lane] += rows[drawn[i] * stride + lane];
        }
        for (size_t k = 0; k < width; k++) sums_of(d, system, sample)[k] = sum[k];
    }
}

/* The scores of all samples, (systems, samples); the caller frees them. */
static double *bootstrap(const Resampling *r, const Statistics *systems, int count)
{
    Draws d = { .resampling = r, .systems = systems, .count = count, .sum = sum_samples };
    double *scores = xmalloc((size_t)count * (size_t)r->samples, sizeof *scores);
    draw(&d);
    for (int system = 0; system < count; system++)
        for (int sample = 0; sample < r->samples; sample++)
            scores[(size_t)system * (size_t)r->samples + (size_t)sample] =
                r->metric->score(r->options, sums_of(&d, system, sample), 1);
    xfree(d.sums);
    return scores;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Half the width of the middle 95 % of sorted scores: 1/40 is left out at each end. */
static double half_interval(const double *sorted, int count)
{
    int outside = count / 40;
    return 0.5 * (sorted[count - outside - 1] - sorted[outside]);
}

/* Python's statistics.mean, which rounds the exact mean: long double nearly always gives the same
 * double. */
static double exact_mean(const double *values, int count)
{
    long double sum = 0;
    for (int i = 0; i < count; i++) sum += values[i];
    return (double)(sum / count);
}

Interval confidence_interval(const Resampling *r, const Statistics *system)
{
    SCOPED(xfree_at) double *scores = bootstrap(r, system, 1);
    qsort(scores, (size_t)r->samples, sizeof *scores, ascending);
    return (Interval){ exact_mean(scores, r->samples), half_interval(scores, r->samples) };
}

/* ---- Paired tests ---- */

/* numpy.sum with its rounding: a pairwise sum, with eight partial sums for short arrays. */
static double numpy_sum(const double *values, int count)
{
    if (count > 128) {
        int half = count / 2 - count / 2 % 8;
        return numpy_sum(values, half) + numpy_sum(values + half, count - half);
    }
    double part[8] = { 0 }, rest = 0;
    int i = 0;
    for (; i + 8 <= count; i += 8)
        for (int k = 0; k < 8; k++) part[k] += values[i + k];
    if (count >= 8)
        rest = ((part[0] + part[1]) + (part[2] + part[3]))
            + ((part[4] + part[5]) + (part[6] + part[7]));
    for (; i < count; i++) rest += values[i];
    return rest;
}

/* p = (1 + how many differences are above the limit) / (1 + count); p_with_equal counts equal ones
 * too. */
static void set_p(const double *differences, int count, double limit, Comparison *out)
{
    int over = 0, equal = 0;
    for (int i = 0; i < count; i++) {
        over += differences[i] > limit;
        equal += differences[i] == limit;
    }
    out->p = (double)(over + 1) / (count + 1);
    out->p_with_equal = (double)(over + equal + 1) / (count + 1);
}

/* difference: of the scores; baseline[count], scores[count]: the samples of the two systems. */
static void bootstrap_p(const double *baseline, const double *scores, int count, double difference,
                        Comparison *out)
{
    SCOPED(xfree_at) double *differences = xmalloc((size_t)count, sizeof *differences);
    for (int i = 0; i < count; i++) differences[i] = fabs(scores[i] - baseline[i]);
    double mean = numpy_sum(differences, count) / count;
    for (int i = 0; i < count; i++) differences[i] -= mean;
    set_p(differences, count, difference, out);
}

void paired_bootstrap(const Resampling *r, const Statistics *systems, int count, Comparison *out)
{
    SCOPED(xfree_at) double *scores = bootstrap(r, systems, count);
    for (int system = 0; system < count; system++) {
        double *own = scores + (size_t)system * (size_t)r->samples;
        out[system].score = statistics_score(&systems[system], r->metric, r->options);
        if (system)
            bootstrap_p(scores, own, r->samples, fabs(out[0].score - out[system].score),
                        &out[system]);
    }
    /* The samples are sorted only now, because pairs have equal indices. */
    for (int system = 0; system < count; system++) {
        double *own = scores + (size_t)system * (size_t)r->samples;
        qsort(own, (size_t)r->samples, sizeof *own, ascending);
        out[system].interval = (Interval){ numpy_sum(own, r->samples) / r->samples,
                                           half_interval(own, r->samples) };
    }
}

/* ---- Approximate randomisation ----
 *
 * With D the sum of B - A over the segments whose coin is 1, one system gets A + D, the other B -
 * D. For segments with equal statistics B - A is 0, so that an equal difference stays equal to the
 * last bit even where statistics are fractions, as TER's mean lengths of several references are.
 * sacreBLEU sums the fractions of A and of B in an order that depends on the threads of its BLAS,
 * and may count an equal difference as larger. */

/* Sets the sums of a system to those of baseline - system over the swapped segments; the baseline's
 * are not needed. The coins are those of rng.integers(2, dtype=bool): 64 in each random number, the
 * lowest bit first. */
static void swap_segments(const Draws *d, int system)
{
    const Statistics *s = &d->systems[system];
    const size_t width = (size_t)s->width, stride = d->stride;
    if (!system) return;
    SCOPED(xfree_at) double *difference = xcalloc(s->segments, stride * sizeof *difference);
    for (size_t i = 0; i < s->segments; i++)
        for (size_t k = 0; k < width; k++)
            difference[i * stride + k] = d->systems->row[i * width + k] - s->row[i * width + k];
    Pcg64 rng;
    pcg64_seed(&rng, d->resampling->seed);
    uint64_t coins = 0;
    for (size_t trial = 0, tossed = 0; trial < (size_t)d->resampling->samples; trial++) {
        double sum[METRIC_MAX_WIDTH] = { 0 };
        for (size_t i = 0; i < s->segments; i++, tossed++, coins >>= 1) {
            if (tossed % 64 == 0) coins = pcg64_next(&rng);
            const double coin = (double)(coins & 1);
            for (size_t k = 0; k < stride; k += LANES)
                for (size_t lane = k; lane < k + LANES; lane++)
                    sum[lane] += coin * difference[i * stride + lane];
        }
        memcpy(sums_of(d, system, (int)trial), sum, width * sizeof *sum);
    }
}

/* The differences of the two scores after each swap of segments. */
static void randomisation_p(const Draws *d, int system, double difference, Comparison *out)
{
    const Resampling *r = d->resampling;
    double baseline[METRIC_MAX_WIDTH], own[METRIC_MAX_WIDTH];
    SCOPED(xfree_at) double *differences = xmalloc((size_t)r->samples, sizeof *differences);
    statistics_sum(&d->systems[0], baseline);
    statistics_sum(&d->systems[system], own);
    for (int t = 0; t < r->samples; t++) {
        const double *swapped = sums_of(d, system, t);
        double a[METRIC_MAX_WIDTH], b[METRIC_MAX_WIDTH];
        for (int k = 0; k < d->systems->width; k++) {
            a[k] = own[k] + swapped[k];
            b[k] = baseline[k] - swapped[k];
        }
        differences[t] = fabs(r->metric->score(r->options, a, 0)
                              - r->metric->score(r->options, b, 0));
    }
    set_p(differences, r->samples, difference, out);
}

void paired_randomisation(const Resampling *r, const Statistics *systems, int count,
                          Comparison *out)
{
    Draws d = { .resampling = r, .systems = systems, .count = count, .sum = swap_segments };
    draw(&d);
    for (int system = 0; system < count; system++) {
        out[system].score = statistics_score(&systems[system], r->metric, r->options);
        if (system)
            randomisation_p(&d, system, fabs(out[0].score - out[system].score), &out[system]);
    }
    xfree(d.sums);
}
