/* compare.c - the scores of all systems, as a table and as JSON. */
#include "cmd/eval/compare.h"

#include "base/mem.h"
#include "base/printable.h"
#include "cmd/eval/python_json.h"
#include "cmd/eval/grid_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIGNIFICANT 0.05

/* The scores of all systems by one metric. */
typedef struct {
    Buf         name, signature;
    Comparison *system;             /* (systems) owned */
} Column;

typedef struct {
    const ScoreOptions *options;
    const System       *systems;
    int                 count;
    Column              column[METRICS];
    int                 columns;
} Results;

static int is_paired(const ScoreOptions *options)
{
    return options->paired_bs || options->paired_ar;
}

static int trials(const ScoreOptions *options)
{
    return options->trials ? options->trials : options->paired_bs ? 1000 : 10000;
}

/* ---- Computing ---- */

/* The number of segments in which a system differs from the baseline. */
static size_t differing(const Results *results, int system)
{
    const Hypotheses *baseline = &results->systems[0].hypotheses;
    const Hypotheses *other = &results->systems[system].hypotheses;
    size_t count = 0;
    for (size_t i = 0; i < other->count; i++)
        count += strcmp(other->hypothesis[i], baseline->hypothesis[i]) != 0;
    return count;
}

/* Whether p is small even where equal differences count as larger. */
static int is_significant(const Comparison *c)
{
    return c->p_with_equal <= SIGNIFICANT;
}

static void only_score(const Resampling *r, const Statistics *statistics, int count,
                       Comparison *out)
{
    double sums[METRIC_MAX_WIDTH];
    for (int i = 0; i < count; i++) {
        statistics_sum(&statistics[i], sums);
        out[i].score = r->metric->score(r->options, sums, 0);
    }
}

static void compare_systems(const Results *results, const Resampling *r, Comparison *out)
{
    const ScoreOptions *options = results->options;
    Statistics *statistics = xmalloc((size_t)results->count, sizeof *statistics);
    for (int i = 0; i < results->count; i++)
        statistics_init(&statistics[i], r->metric, r->options, &results->systems[i].hypotheses,
                        r->pool);
    (options->paired_bs ? paired_bootstrap : options->paired_ar ? paired_randomisation : only_score)
        (r, statistics, results->count, out);
    for (int i = 0; i < results->count; i++) statistics_free(&statistics[i]);
    free(statistics);
}

static void add_column(Results *results, int metric, Pool *pool)
{
    const ScoreOptions *options = results->options;
    const void *own = options->metrics.options[metric];
    const int references = hypotheses_references(&results->systems[0].hypotheses);
    Column *column = &results->column[results->columns++];
    Resampling r = { metrics[metric], own, trials(options), options->seed, pool };
    Resamples resamples = { .bootstrap = options->paired_bs ? r.samples : 0,
                    .randomisation = options->paired_ar ? r.samples : 0, .seed = r.seed };
    metrics[metric]->title(own, &column->name);
    metric_signature(metrics[metric], own, references, resamples, &column->signature);
    column->system = xcalloc((size_t)results->count, sizeof *column->system);
    compare_systems(results, &r, column->system);
}

/* ---- JSON ---- */

static void add_p(cJSON *object, const char *key, int system, double p)
{
    if (system) python_json_add_number(object, key, p);
    else cJSON_AddNullToObject(object, key);
}

/* Adds a score as a string with its digits, or with a significance test an object. */
static void add_comparison(cJSON *object, const Results *results, const Column *column, int system)
{
    const Comparison *c = &column->system[system];
    const ScoreOptions *options = results->options;
    if (!is_paired(options)) {
        char digits[64];
        snprintf(digits, sizeof digits, "%.*f", options->width, c->score);
        cJSON_AddStringToObject(object, column->name.text, digits);
        return;
    }
    cJSON *result = cJSON_AddObjectToObject(object, column->name.text);
    python_json_add_number(result, "score", c->score);
    add_p(result, "p_value", system, c->p);
    add_p(result, "p_value_with_equal", system, c->p_with_equal);
    if (options->paired_bs) {
        python_json_add_number(result, "mean", c->interval.mean);
        python_json_add_number(result, "ci", c->interval.half);
    } else {
        cJSON_AddNullToObject(result, "mean");
        cJSON_AddNullToObject(result, "ci");
    }
}

static void name_system(const Results *results, int system, Buf *out)
{
    buf_printf(out, "%s%s", is_paired(results->options) && !system ? "Baseline: " : "",
               results->systems[system].name);
}

static cJSON *results_to_json(const Results *results)
{
    cJSON *array = cJSON_CreateArray();
    for (int system = 0; system < results->count; system++) {
        Buf name = { 0 };
        cJSON *object = cJSON_CreateObject();
        name_system(results, system, &name);
        json_add_bytes(object, "system", name.text);
        for (int i = 0; i < results->columns; i++)
            add_comparison(object, results, &results->column[i], system);
        if (system)
            cJSON_AddNumberToObject(object, "differing_segments",
                                    (double)differing(results, system));
        cJSON_AddItemToArray(array, object);
        buf_free(&name);
    }
    return array;
}

/* ---- A table ---- */

static void describe(const Results *results, const Column *column, int system, Buf *out)
{
    const Comparison *c = &column->system[system];
    int width = results->options->width;
    buf_printf(out, "%.*f", width, c->score);
    if (results->options->paired_bs)
        buf_printf(out, " (%.*f ± %.*f)", width, c->interval.mean, width, c->interval.half);
    if (system && is_paired(results->options))
        buf_printf(out, "\n(p = %.4f)%s", c->p, is_significant(c) ? "*" : "");
}

static void print_table(FILE *out, const Results *results)
{
    int columns = results->columns + 1, rows = results->count + 1;
    Buf *cell = xcalloc((size_t)(rows * columns), sizeof *cell);
    char **text = xmalloc((size_t)(rows * columns), sizeof *text);
    buf_puts(&cell[0], "System");
    for (int i = 0; i < results->columns; i++)
        buf_printf(&cell[i + 1], "%s%s", results->column[i].name.text,
                   results->options->paired_bs ? " (μ ± 95% CI)" : "");
    for (int system = 0; system < results->count; system++) {
        Buf *row = cell + (system + 1) * columns;
        name_system(results, system, &row[0]);
        make_printable(row[0].text);
        for (int i = 0; i < results->columns; i++)
            describe(results, &results->column[i], system, &row[i + 1]);
    }
    for (int i = 0; i < rows * columns; i++) text[i] = cell[i].text;
    grid_table_print(out, text, rows, columns);
    for (int i = 0; i < rows * columns; i++) buf_free(&cell[i]);
    free(text);
    free(cell);
}

static void explain(FILE *out, const Results *results)
{
    const ScoreOptions *options = results->options;
    if (!is_paired(options)) return;
    fprintf(out, "\nPaired %s with %d %s%s. p estimates how likely\n"
            "a larger difference from the baseline would be if both systems were equally\n"
            "good; * marks p of 0.05 or less, if it stays that low where an equal difference\n"
            "counts too.\n",
            options->paired_bs ? "bootstrap" : "approximate randomisation", trials(options),
            options->paired_bs ? "sample" : "trial", trials(options) == 1 ? "" : "s");
    if (options->paired_bs)
        fputs("μ is the mean of the samples, ± half the width of their middle 95 %.\n", out);
}

/* Appends the metrics with a small p that have no star. */
static void explain_missing_stars(Buf *out, const Results *results, int system)
{
    const char *before = "; p with equal differences:";
    for (int i = 0; i < results->columns; i++) {
        const Comparison *c = &results->column[i].system[system];
        if (c->p > SIGNIFICANT || is_significant(c)) continue;
        buf_printf(out, "%s %s %.4f", before, results->column[i].name.text, c->p_with_equal);
        before = ",";
    }
}

/* "new.fr differs from old.fr in 2 of 300 segments" */
static void describe_difference(Buf *out, const Results *results, int system)
{
    const char *baseline = results->systems[0].name, *name = results->systems[system].name;
    const size_t segments = results->systems[0].hypotheses.count;
    const size_t count = differing(results, system);
    if (count)
        buf_printf(out, "%s differs from %s in %zu of %zu segment%s", name, baseline, count,
                   segments, segments == 1 ? "" : "s");
    else
        buf_printf(out, "%s and %s are the same translation", name, baseline);
}

/* "new.fr differs from old.fr in 2 of 300 segments; p with equal differences: BLEU 0.5015" */
static void print_differences(FILE *out, const Results *results)
{
    Buf line = { 0 };
    for (int system = 1; system < results->count; system++) {
        buf_clear(&line);
        describe_difference(&line, results, system);
        if (is_paired(results->options)) explain_missing_stars(&line, results, system);
        printable_line(out, "%s", line.text);
    }
    buf_free(&line);
}

static void print_signatures(FILE *out, const Results *results)
{
    fputs("-----------------\nMetric signatures\n-----------------\n", out);
    for (int i = 0; i < results->columns; i++)
        fprintf(out, " - %-10s %s\n", results->column[i].name.text,
                results->column[i].signature.text);
}

/* ---- Both ---- */

static Results results_of(const ScoreOptions *options, const System *systems, int count)
{
    Results results = { .options = options, .systems = systems, .count = count };
    Pool *pool = pool_new(options->threads);
    for (int i = 0; i < count; i++) score_warn(options, &systems[i].hypotheses);
    for (int i = 0; i < METRICS; i++)
        if (metric_set_has(&options->metrics, i)) add_column(&results, i, pool);
    pool_free(pool);
    return results;
}

static void results_free(Results *results)
{
    for (int i = 0; i < results->columns; i++) {
        buf_free(&results->column[i].name);
        buf_free(&results->column[i].signature);
        free(results->column[i].system);
    }
}

void compare_print(FILE *out, const ScoreOptions *options, const System *systems, int count)
{
    Results results = results_of(options, systems, count);
    print_table(out, &results);
    fputc('\n', out);
    print_differences(out, &results);
    explain(out, &results);
    fputc('\n', out);
    print_signatures(out, &results);
    results_free(&results);
}

cJSON *compare_to_json(const ScoreOptions *options, const System *systems, int count)
{
    Results results = results_of(options, systems, count);
    cJSON *array = results_to_json(&results);
    results_free(&results);
    return array;
}
