/* significance.c - the sums of resampled segments, and statistics of their scores. */
#include "metrics/significance.h"

#include "base/mem.h"
#include "base/random/pcg64.h"
#include "base/real.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Statistics are summed a few columns at a time, a cache line of them. A slice of columns of one
 * system is one task. Each task repeats the draws: that is cheaper than to store them. */
enum { FLOATS = 16, DOUBLES = 8 };

typedef struct Draws Draws;
struct Draws {
    const Resampling *resampling;
    const Statistics *systems;
    int               columns;          /* of a slice */
    void            (*sum)(const Draws *d, int system, int first);  /* a slice, by its column */
    int               slices;           /* of each system */
    int               tasks;            /* systems * slices */
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
    for (int task; (task = atomic_fetch_add(&d->next, 1)) < d->tasks;)
        d->sum(d, task / d->slices, task % d->slices * d->columns);
}

/* Computes d->sums, which the caller frees. */
static void draw(Draws *d, int systems)
{
    d->slices = (d->systems->width + d->columns - 1) / d->columns;
    d->tasks = systems * d->slices;
    d->sums = xcalloc((size_t)systems * (size_t)d->resampling->samples,
                      (size_t)d->systems->width * sizeof *d->sums);
    pool_run(d->resampling->pool, take_tasks, d);
}

/* ---- Bootstrap samples ----
 *
 * NumPy adds floats, one drawn segment after the other. Where statistics are whole numbers and the
 * sum is below 2^24, that is exact, and so is any other order. Then the draws of each segment are
 * counted, which needs one number for each segment in the cache, and several samples are summed in
 * one pass over the segments. */

enum { BATCH = 1024, TOGETHER = 8 };    /* segments drawn at a time, samples summed in one pass */
#define EXACT_IN_FLOAT 0x1p24f

typedef float Floats[FLOATS];

/* Columns first .. first + FLOATS - 1 of all segments, 0 beyond the last; *whole: whether all are
 * whole numbers. The caller frees them. */
static Floats *float_columns(const Statistics *s, int first, int *whole)
{
    Floats *columns = xaligned(s->segments, sizeof *columns);
    *whole = 1;
    for (size_t i = 0; i < s->segments; i++)
        for (int k = 0; k < FLOATS && first + k < s->width; k++) {
            double value = s->row[i * (size_t)s->width + (size_t)(first + k)];
            columns[i][k] = (float)value;
            *whole &= value == floor(value);
        }
    return columns;
}

/* Draws the next BATCH segments of a sample, or as many as it lacks after `done`; returns how
 * many. */
static size_t draw_batch(Pcg64 *rng, size_t segments, size_t done, uint32_t *drawn)
{
    size_t count = segments - done < BATCH ? segments - done : BATCH;
    pcg64_below(rng, (uint32_t)segments, drawn, count);
    return count;
}

/* NumPy's sum: in the order in which segments are drawn. */
static void sum_in_order(const Floats *columns, size_t segments, Pcg64 *rng, float *out)
{
    uint32_t drawn[BATCH];
    Floats sum = { 0 };
    for (size_t done = 0, count; done < segments; done += count) {
        count = draw_batch(rng, segments, done, drawn);
        for (size_t i = 0; i < count; i++)
            for (int k = 0; k < FLOATS; k++) sum[k] += columns[drawn[i]][k];
    }
    memcpy(out, sum, sizeof sum);
}

/* Sets times[segments]: how often each segment is in the sample. */
static void count_draws(size_t segments, Pcg64 *rng, float *times)
{
    uint32_t drawn[BATCH];
    memset(times, 0, segments * sizeof *times);
    for (size_t done = 0, count; done < segments; done += count) {
        count = draw_batch(rng, segments, done, drawn);
        for (size_t i = 0; i < count; i++) times[drawn[i]]++;
    }
}

/* times (TOGETHER, segments): of that many samples. */
static void sum_by_counts(const Floats *columns, size_t segments, const float *times, Floats *out)
{
    Floats sum[TOGETHER] = { 0 };
    for (size_t i = 0; i < segments; i++)
        for (int sample = 0; sample < TOGETHER; sample++)
            for (int k = 0; k < FLOATS; k++)
                sum[sample][k] += times[(size_t)sample * segments + i] * columns[i][k];
    memcpy(out, sum, sizeof sum);
}

static int is_exact(const float *sum)
{
    int exact = 1;
    for (int k = 0; k < FLOATS; k++) exact &= sum[k] < EXACT_IN_FLOAT;
    return exact;
}

/* Sums the next TOGETHER samples (at the end more than are wanted): by counts where that is exact,
 * else in order. */
static void sum_together(const Floats *columns, size_t segments, int whole, Pcg64 *rng,
                         float *times, Floats *sums)
{
    Pcg64 start[TOGETHER];
    for (int sample = 0; sample < TOGETHER; sample++) {
        start[sample] = *rng;
        if (whole) count_draws(segments, rng, times + (size_t)sample * segments);
        else sum_in_order(columns, segments, rng, sums[sample]);
    }
    if (!whole) return;
    sum_by_counts(columns, segments, times, sums);
    for (int sample = 0; sample < TOGETHER; sample++)
        if (!is_exact(sums[sample])) sum_in_order(columns, segments, &start[sample], sums[sample]);
}

static void sum_samples(const Draws *d, int system, int first)
{
    const Statistics *s = &d->systems[system];
    int whole;
    Floats *columns = float_columns(s, first, &whole), sums[TOGETHER];
    float *times = xmalloc(s->segments * TOGETHER, sizeof *times);
    Pcg64 rng;
    pcg64_seed(&rng, d->resampling->seed);
    for (int done = 0; done < d->resampling->samples; done += TOGETHER) {
        sum_together((const Floats *)columns, s->segments, whole, &rng, times, sums);
        for (int i = 0; i < TOGETHER && done + i < d->resampling->samples; i++)
            for (int k = 0; k < FLOATS && first + k < s->width; k++)
                sums_of(d, system, done + i)[first + k] = sums[i][k];
    }
    free(times);
    free(columns);
}

/* The scores of all samples, (systems, samples); the caller frees them. */
static double *bootstrap(const Resampling *r, const Statistics *systems, int count)
{
    Draws d = { .resampling = r, .systems = systems, .columns = FLOATS, .sum = sum_samples };
    double *scores = xmalloc((size_t)count * (size_t)r->samples, sizeof *scores);
    draw(&d, count);
    for (int system = 0; system < count; system++)
        for (int sample = 0; sample < r->samples; sample++)
            scores[(size_t)system * (size_t)r->samples + (size_t)sample] =
                r->metric->score(r->options, sums_of(&d, system, sample), 1);
    free(d.sums);
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
    double *scores = bootstrap(r, system, 1);
    qsort(scores, (size_t)r->samples, sizeof *scores, ascending);
    Interval interval = { exact_mean(scores, r->samples), half_interval(scores, r->samples) };
    free(scores);
    return interval;
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

static double total_score(const Resampling *r, const Statistics *system)
{
    double sums[METRIC_MAX_WIDTH];
    statistics_sum(system, sums);
    return r->metric->score(r->options, sums, 0);
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
    double *differences = xmalloc((size_t)count, sizeof *differences);
    for (int i = 0; i < count; i++) differences[i] = fabs(scores[i] - baseline[i]);
    double mean = numpy_sum(differences, count) / count;
    for (int i = 0; i < count; i++) differences[i] -= mean;
    set_p(differences, count, difference, out);
    free(differences);
}

void paired_bootstrap(const Resampling *r, const Statistics *systems, int count, Comparison *out)
{
    double *scores = bootstrap(r, systems, count);
    for (int system = 0; system < count; system++) {
        double *own = scores + (size_t)system * (size_t)r->samples;
        out[system].score = total_score(r, &systems[system]);
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
    free(scores);
}

/* ---- Approximate randomisation ----
 *
 * With D the sum of B - A over the segments whose coin is 1, one system gets A + D, the other B -
 * D. The coins of a trial are taken eight at a time: a table has the 256 sums of eight segments
 * (the method of the Four Russians), and is used by many trials before the next eight segments.
 *
 * For segments with equal statistics B - A is 0, so that an equal difference stays equal to the
 * last bit even where statistics are fractions, as TER's mean lengths of several references are.
 * sacreBLEU sums the fractions of A and of B in an order that depends on the threads of its BLAS,
 * and may count an equal difference as larger. */

enum { TRIALS = 512, COINS = 8 };

typedef double Columns[DOUBLES];

/* The coins of rng.integers(2, dtype=bool): 64 in each random number, the lowest bit first. */
typedef struct {
    Pcg64    rng;
    uint64_t bits;
    int      left;              /* coins in `bits` that are not used yet */
} Coins;

static unsigned take_coins(Coins *coins, int count)
{
    unsigned taken = 0;
    for (int have = 0; have < count;) {
        if (!coins->left) {
            coins->bits = pcg64_next(&coins->rng);
            coins->left = 64;
        }
        int now = count - have < coins->left ? count - have : coins->left;
        taken |= (unsigned)(coins->bits & ((1u << now) - 1)) << have;
        coins->bits >>= now;
        coins->left -= now;
        have += now;
    }
    return taken;
}

/* Sets table[c] to the sum of those of the next eight differences whose bit in c is 1. */
static void fill_table(const Columns *difference, size_t count, Columns *table)
{
    memset(table, 0, sizeof *table);
    for (size_t i = 0; i < COINS; i++)
        for (size_t c = 0; c < (size_t)1 << i; c++)
            for (int k = 0; k < DOUBLES; k++)
                table[c | (size_t)1 << i][k] = table[c][k] + (i < count ? difference[i][k] : 0);
}

/* (segments) b - a in the columns first .. first + DOUBLES - 1, 0 beyond the last; the caller frees
 * them. */
static Columns *difference_columns(const Statistics *a, const Statistics *b, int first)
{
    Columns *columns = xaligned(a->segments, sizeof *columns);
    for (size_t i = 0; i < a->segments; i++)
        for (int k = 0; k < DOUBLES && first + k < a->width; k++) {
            size_t at = i * (size_t)a->width + (size_t)(first + k);
            columns[i][k] = b->row[at] - a->row[at];
        }
    return columns;
}

/* Tosses the coins of `trials` trials: tossed[(groups of eight segments), TRIALS]. */
static void toss(Coins *coins, size_t segments, int trials, unsigned char *tossed)
{
    for (int t = 0; t < trials; t++)
        for (size_t i = 0; i < segments; i += COINS) {
            int count = segments - i < COINS ? (int)(segments - i) : COINS;
            tossed[i / COINS * TRIALS + (size_t)t] = (unsigned char)take_coins(coins, count);
        }
}

static void sum_trials(const Columns *difference, size_t segments, int trials,
                       const unsigned char *tossed, Columns *sums)
{
    Columns table[1 << COINS];
    for (size_t i = 0; i < segments; i += COINS) {
        const unsigned char *coins = tossed + i / COINS * TRIALS;
        fill_table(difference + i, segments - i, table);
        for (int t = 0; t < trials; t++)
            for (int k = 0; k < DOUBLES; k++) sums[t][k] += table[coins[t]][k];
    }
}

/* Sets the sums of a system to those of baseline - system over the swapped segments; the baseline's
 * are not needed. */
static void swap_segments(const Draws *d, int system, int first)
{
    const Statistics *s = &d->systems[system];
    if (!system) return;
    Columns *difference = difference_columns(s, &d->systems[0], first);
    unsigned char *tossed = xmalloc((s->segments + COINS - 1) / COINS, TRIALS);
    Coins coins = { .left = 0 };
    pcg64_seed(&coins.rng, d->resampling->seed);
    for (int done = 0; done < d->resampling->samples; done += TRIALS) {
        Columns sums[TRIALS] = { 0 };
        int trials = min_int(d->resampling->samples - done, TRIALS);
        toss(&coins, s->segments, trials, tossed);
        sum_trials((const Columns *)difference, s->segments, trials, tossed, sums);
        for (int t = 0; t < trials; t++)
            for (int k = 0; k < DOUBLES && first + k < s->width; k++)
                sums_of(d, system, done + t)[first + k] = sums[t][k];
    }
    free(tossed);
    free(difference);
}

/* The differences of the two scores after each swap of segments. */
static void randomisation_p(const Draws *d, int system, double difference, Comparison *out)
{
    const Resampling *r = d->resampling;
    double baseline[METRIC_MAX_WIDTH], own[METRIC_MAX_WIDTH];
    double *differences = xmalloc((size_t)r->samples, sizeof *differences);
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
    free(differences);
}

void paired_randomisation(const Resampling *r, const Statistics *systems, int count,
                          Comparison *out)
{
    Draws d = { .resampling = r, .systems = systems, .columns = DOUBLES, .sum = swap_segments };
    draw(&d, count);
    for (int system = 0; system < count; system++) {
        out[system].score = total_score(r, &systems[system]);
        if (system)
            randomisation_p(&d, system, fabs(out[0].score - out[system].score), &out[system]);
    }
    free(d.sums);
}
