/* test_significance.c - intervals and p-values against frozen answers, by any number of workers. */
#include "metrics/significance.h"

#include "base/random/rng.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"
#include "score_cases.h"

/* The two systems of a frozen comparison, and the options of its metrics. */
typedef struct {
    const char **hypothesis[2];
    const char *const **reference;
    int         *references;
    Hypotheses   hypotheses[2];
} Case;

static void case_read(Case *c, const cJSON *one)
{
    size_t count = (size_t)cJSON_GetArraySize(cJSON_GetArrayItem(member(one, "hyps"), 0));
    int streams = cJSON_GetArraySize(member(one, "refs"));
    c->reference = xcalloc(count, sizeof *c->reference);
    c->references = xcalloc(count, sizeof *c->references);
    for (int system = 0; system < 2; system++) {
        const cJSON *line, *hypotheses = cJSON_GetArrayItem(member(one, "hyps"), system);
        const char **hypothesis = c->hypothesis[system] = xcalloc(count, sizeof *hypothesis);
        cJSON_ArrayForEach(line, hypotheses) *hypothesis++ = line->valuestring;
        c->hypotheses[system] = (Hypotheses){ c->hypothesis[system], c->reference, c->references,
                                          count };
    }
    for (size_t i = 0; i < count; i++) {
        const char **list = xcalloc((size_t)streams, sizeof *list);
        for (int r = 0; r < streams; r++)
            list[r] = cJSON_GetArrayItem(cJSON_GetArrayItem(member(one, "refs"), r),
                                         (int)i)->valuestring;
        c->reference[i] = list;
        c->references[i] = streams;
    }
}

static void case_free(Case *c)
{
    for (size_t i = 0; i < c->hypotheses[0].count; i++) free((void *)c->reference[i]);
    free(c->reference);
    free(c->references);
    free(c->hypothesis[0]);
    free(c->hypothesis[1]);
}

static void assert_interval(const Metric *metric, const char *key, const Case *c, const cJSON *one,
                            Pool *pool)
{
    union { char bytes[256]; double align; } options;
    Statistics statistics;
    assert_true(metric->options_size <= sizeof options);
    memcpy(&options, metric->defaults, metric->options_size);
    statistics_init(&statistics, metric, &options, &c->hypotheses[0], pool);
    const cJSON *expected = member(one, key);
    Interval found = confidence_interval(&(Resampling){ metric, &options, 1000, 12345, pool },
                                         &statistics);
    assert_near(found.mean, member(expected, "mean")->valuedouble, expected);
    assert_near(found.half, member(expected, "ci")->valuedouble, expected);

    Buf line = { 0 };
    double sums[METRIC_MAX_WIDTH];
    char *text = own_version(text_of(expected, "text"));
    statistics_sum(&statistics, sums);
    metric->title(&options, &line);
    buf_putc(&line, '|');
    metric_signature(metric, &options, c->references[0],
                     (Resamples){ .bootstrap = 1000, .seed = 12345 }, &line);
    buf_printf(&line, " = %.2f (μ = %.2f ± %.2f)", metric->score(&options, sums, 0), found.mean,
               found.half);
    assert_memory_equal(line.text, text, line.length);
    buf_free(&line);
    free(text);
    statistics_free(&statistics);
}

/* Both systems by one metric; the frozen mean and ci are null where there is no bootstrap. */
static void assert_comparison(const Metric *metric, const Case *c, const cJSON *expected,
                              int bootstrap, Pool *pool)
{
    union { char bytes[256]; double align; } options;
    Statistics statistics[2];
    Comparison found[2];
    memcpy(&options, metric->defaults, metric->options_size);
    for (int i = 0; i < 2; i++)
        statistics_init(&statistics[i], metric, &options, &c->hypotheses[i], pool);
    Resampling r = { metric, &options, bootstrap ? 1000 : 10000, 12345, pool };
    (bootstrap ? paired_bootstrap : paired_randomisation)(&r, statistics, 2, found);
    for (int i = 0; i < 2; i++) {
        const cJSON *system = cJSON_GetArrayItem(expected, i);
        assert_near(found[i].score, member(system, "score")->valuedouble, system);
        if (bootstrap)
            assert_near(found[i].interval.mean, member(system, "mean")->valuedouble, system);
        if (bootstrap)
            assert_near(found[i].interval.half, member(system, "ci")->valuedouble, system);
        if (i) assert_true(found[i].p == member(system, "p")->valuedouble);
        statistics_free(&statistics[i]);
    }
}

UNIT_TEST(intervals_and_comparisons_should_be_the_frozen_answers)
{
    Pool *pool = pool_new(2);
    cJSON *cases = cases_read("significance.json");
    const cJSON *one;
    cJSON_ArrayForEach(one, cases) {
        Case c;
        case_read(&c, one);
        assert_interval(&metric_bleu, "bleu_confidence", &c, one, pool);
        assert_interval(&metric_chrf, "chrf_confidence", &c, one, pool);
        assert_interval(&metric_ter, "ter_confidence", &c, one, pool);
        assert_comparison(&metric_bleu, &c, member(member(one, "paired_bs"), "BLEU"), 1, pool);
        assert_comparison(&metric_chrf, &c, member(member(one, "paired_bs"), "chrF2"), 1, pool);
        assert_comparison(&metric_bleu, &c, member(member(one, "paired_ar"), "BLEU"), 0, pool);
        assert_comparison(&metric_chrf, &c, member(member(one, "paired_ar"), "chrF2"), 0, pool);
        case_free(&c);
    }
    cJSON_Delete(cases);
    pool_free(pool);
}

/* ---- Laws ---- */

enum { SEGMENTS = 1500, WIDTH = 10 };

/* Statistics of BLEU from a die: every precision is between 0 and 100. */
static void random_statistics(Statistics *s, uint64_t seed)
{
    uint64_t key = rng_key(seed, 0, RNG_SHUFFLE);
    *s = (Statistics){ .row = xcalloc(SEGMENTS * WIDTH, sizeof(double)), .segments = SEGMENTS,
                       .width = WIDTH };
    for (size_t i = 0; i < SEGMENTS; i++)
        for (size_t k = 0; k < WIDTH; k++)
            s->row[i * WIDTH + k] =
                (double)rng_below(key, i * WIDTH + k, k < 4 ? 5 : 9) + (k < 4 ? 0 : 8);
}

UNIT_TEST(workers_and_other_systems_should_not_change_an_answer)
{
    BleuOptions options = bleu_defaults();
    Statistics systems[3];
    Comparison two[2], three[3];
    Pool *alone = pool_new(1), *team = pool_new(3);
    for (int i = 0; i < 3; i++) random_statistics(&systems[i], (uint64_t)i);
    for (int bootstrap = 0; bootstrap < 2; bootstrap++) {
        void (*compare)(const Resampling *, const Statistics *, int, Comparison *) =
            bootstrap ? paired_bootstrap : paired_randomisation;
        compare(&(Resampling){ &metric_bleu, &options, 700, 3, alone }, systems, 2, two);
        compare(&(Resampling){ &metric_bleu, &options, 700, 3, team }, systems, 3, three);
        assert_true(two[1].p == three[1].p && two[1].score == three[1].score);
        if (bootstrap) assert_true(two[1].interval.mean == three[1].interval.mean);
    }
    for (int i = 0; i < 3; i++) statistics_free(&systems[i]);
    pool_free(alone);
    pool_free(team);
}

/* ---- A twin of the bootstrap, one drawn segment after the other ---- */

static double last_sum(const void *options, const double *sums, int single)
{
    (void)options;
    (void)single;
    return sums[WIDTH - 1];
}

static double naive_mean(const Statistics *s, int samples, uint64_t seed)
{
    Pcg64 rng;
    long double mean = 0;
    pcg64_seed(&rng, seed);
    for (int sample = 0; sample < samples; sample++) {
        float sum = 0;
        for (size_t i = 0; i < s->segments; i++) {
            uint32_t drawn;
            pcg64_below(&rng, (uint32_t)s->segments, &drawn, 1);
            sum += (float)s->row[drawn * (size_t)s->width + (size_t)s->width - 1];
        }
        mean += sum;
    }
    return (double)(mean / samples);
}

UNIT_TEST(sums_should_be_rounded_as_those_of_numpy)
{
    static const Metric last = { .score = last_sum };
    static const double factor[] = { 40001, 1.0 / 3 };      /* sums over 2^24; fractions */
    Pool *pool = pool_new(1);
    for (int i = 0; i < 2; i++) {
        Statistics s;
        random_statistics(&s, 5);
        for (size_t k = 0; k < SEGMENTS * WIDTH; k++) s.row[k] *= factor[i];
        const Interval found = confidence_interval(&(Resampling){ &last, NULL, 9, 9, pool }, &s);
        assert_true(found.mean == naive_mean(&s, 9, 9));
        statistics_free(&s);
    }
    pool_free(pool);
}

/* Rows of TER: edits, and mean lengths of three references. The systems differ in one segment:
 * whichever of them has it, the difference is the same. */
UNIT_TEST(equal_differences_should_be_equal_where_lengths_are_fractions)
{
    enum { TRIALS = 200 };
    Statistics systems[2];
    Comparison out[2];
    Pool *pool = pool_new(1);
    for (int i = 0; i < 2; i++) {
        random_statistics(&systems[i], 2);
        systems[i].width = 2;
        for (size_t k = 1; k < 2 * SEGMENTS; k += 2) systems[i].row[k] /= 3;
    }
    systems[1].row[20] += 1;
    paired_randomisation(&(Resampling){ &metric_ter, NULL, TRIALS, 1, pool }, systems, 2, out);
    assert_true(out[1].score > out[0].score);
    assert_true(out[1].p == 1.0 / (TRIALS + 1) && out[1].p_with_equal == 1);
    for (int i = 0; i < 2; i++) statistics_free(&systems[i]);
    pool_free(pool);
}

UNIT_TEST(a_system_against_itself_should_have_the_lowest_p_and_p_with_equal_1)
{
    BleuOptions options = bleu_defaults();
    Statistics systems[2];
    Comparison out[2];
    Pool *pool = pool_new(1);
    random_statistics(&systems[0], 1);
    random_statistics(&systems[1], 1);
    paired_randomisation(&(Resampling){ &metric_bleu, &options, 99, 1, pool }, systems, 2, out);
    assert_true(out[1].p == 0.01);              /* no difference is over 0, */
    assert_true(out[1].p_with_equal == 1);      /* all of them are 0 */
    paired_bootstrap(&(Resampling){ &metric_bleu, &options, 99, 1, pool }, systems, 2, out);
    assert_true(out[1].p == 0.01 && out[1].p_with_equal == 1);
    for (int i = 0; i < 2; i++) statistics_free(&systems[i]);
    pool_free(pool);
}

int main(void) { return run_unit_tests(); }
