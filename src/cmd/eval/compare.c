/* compare.c - the scores of several systems side by side, as a table and as JSON. */
#include "cmd/eval/eval.h"

#include "base/mem.h"
#include "base/strings.h"
#include "metrics/significance.h"
#include "text/unicode.h"

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
    const TestSet      *set;
    const TextList     *names;      /* of the systems */
    int                 systems, columns, paired, trials;
    Column              column[METRICS];
} Results;

/* ---- Computing ---- */

static void add_column(Results *results, int metric, Pool *pool)
{
    const ScoreOptions *options = results->options;
    const Metric *m = metrics[metric];
    const void *own = options->metrics.options[metric];
    const int systems = results->systems, trials = results->trials;
    const Resampling r = { m, own, trials, options->seed, pool };
    const Resamples resamples = { .bootstrap = options->paired_bs ? trials : 0,
                                  .randomisation = options->paired_ar ? trials : 0,
                                  .seed = options->seed };
    Column *column = &results->column[results->columns++];
    SCOPED(xfree_at) Statistics *statistics = xmalloc((size_t)systems, sizeof *statistics);
    Hypotheses hypotheses;
    for (int i = 0; i < systems; i++) {
        hypotheses = test_set_hypotheses(results->set, i);
        statistics_init(&statistics[i], m, own, &hypotheses, pool);
    }
    m->title(own, &column->name);
    metric_signature(m, own, hypotheses_references(&hypotheses), resamples, &column->signature);
    column->system = xcalloc((size_t)systems, sizeof *column->system);
    if (options->paired_bs) paired_bootstrap(&r, statistics, systems, column->system);
    else if (options->paired_ar) paired_randomisation(&r, statistics, systems, column->system);
    else
        for (int i = 0; i < systems; i++)
            column->system[i].score = statistics_score(&statistics[i], m, own);
    for (int i = 0; i < systems; i++) statistics_free(&statistics[i]);
}

static Results results_of(const ScoreOptions *o, const TestSet *set, const TextList *names)
{
    Results results = { .options = o, .set = set, .names = names, .systems = set->system_count,
                        .paired = o->paired_bs || o->paired_ar,
                        .trials = o->trials ? o->trials : o->paired_bs ? 1000 : 10000 };
    Pool *pool = pool_new(o->threads);
    for (int i = 0; i < set->system_count; i++) warn_tokenized(o, &set->systems[i]);
    for (int i = 0; i < METRICS; i++)
        if (metric_set_has(&o->metrics, i)) add_column(&results, i, pool);
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

/* The number of segments in which a system differs from the baseline. */
static size_t differing(const Results *results, int system)
{
    const Text *baseline = results->set->systems, *other = &results->set->systems[system];
    size_t count = 0;
    for (size_t i = 0; i < other->count; i++)
        count += strcmp(other->line[i], baseline->line[i]) != 0;
    return count;
}

/* Whether p is small even where equal differences count as larger. */
static int is_significant(const Comparison *c)
{
    return c->p_with_equal <= SIGNIFICANT;
}

static void add_system_name(const Results *results, int system, Buf *out)
{
    buf_printf(out, "%s%s", results->paired && !system ? "Baseline: " : "",
               results->names->text[system]);
}

/* ---- JSON ---- */

/* NULL: a member without a value. */
static void add_number(cJSON *object, const char *key, const double *number)
{
    if (number) python_json_add_number(object, key, *number);
    else cJSON_AddNullToObject(object, key);
}

/* Adds a score as a string with its digits, or with a significance test an object. */
static void add_score(cJSON *object, const Results *results, const Column *column, int system)
{
    const Comparison *c = &column->system[system];
    const Interval *interval = results->options->paired_bs ? &c->interval : NULL;
    if (!results->paired) {
        char digits[64];
        snprintf(digits, sizeof digits, "%.*f", results->options->width, c->score);
        cJSON_AddStringToObject(object, column->name.text, digits);
        return;
    }
    cJSON *result = cJSON_AddObjectToObject(object, column->name.text);
    add_number(result, "score", &c->score);
    add_number(result, "p_value", system ? &c->p : NULL);
    add_number(result, "p_value_with_equal", system ? &c->p_with_equal : NULL);
    add_number(result, "mean", interval ? &interval->mean : NULL);
    add_number(result, "ci", interval ? &interval->half : NULL);
}

cJSON *comparison_to_json(const ScoreOptions *options, const TestSet *set, const TextList *names)
{
    SCOPED(results_free) Results results = results_of(options, set, names);
    cJSON *all = cJSON_CreateObject(), *array = cJSON_AddArrayToObject(all, "systems");
    for (int system = 0; system < results.systems; system++) {
        SCOPED(buf_free) Buf name = { 0 };
        cJSON *object = cJSON_CreateObject();
        add_system_name(&results, system, &name);
        json_add_bytes(object, "system", name.text);
        for (int i = 0; i < results.columns; i++)
            add_score(object, &results, &results.column[i], system);
        if (system)
            cJSON_AddNumberToObject(object, "differing_segments",
                                    (double)differing(&results, system));
        cJSON_AddItemToArray(array, object);
    }
    return all;
}

/* ---- A table in a frame, the "fancy_grid" of Python's tabulate ---- */

/* Sets `out` to a line, 0 or 1, of a cell: row 0 is the heading, column 0 the names. */
static void cell_line(const Results *results, int row, int column, int line, Buf *out)
{
    const ScoreOptions *o = results->options;
    const Column *scores = column ? &results->column[column - 1] : NULL;
    const Comparison *c = column && row ? &scores->system[row - 1] : NULL;
    buf_clear(out);
    if (line) {
        if (c && row > 1 && results->paired)
            buf_printf(out, "(p = %.4f)%s", c->p, is_significant(c) ? "*" : "");
    } else if (!column) {
        if (row) add_system_name(results, row - 1, out);
        else buf_puts(out, "System");
    } else if (!row) {
        buf_printf(out, "%s%s", scores->name.text, o->paired_bs ? " (μ ± 95% CI)" : "");
    } else {
        buf_printf(out, "%.*f", o->width, c->score);
        if (o->paired_bs)
            buf_printf(out, " (%.*f ± %.*f)", o->width, c->interval.mean, o->width,
                       c->interval.half);
    }
    make_printable(out->text);
}

/* The first column is right-aligned, the others are centred; the heading has a blank on each side
 * at least. */
static void print_table(const Results *results)
{
    static const char *const top[] = { "╒", "═", "╤", "╕" },
        *const below_heading[] = { "╞", "═", "╪", "╡" },
        *const between[] = { "├", "─", "┼", "┤" }, *const bottom[] = { "╘", "═", "╧", "╛" };
    const int rows = results->systems + 1, columns = results->columns + 1;
    int width[METRICS + 1] = { 0 };     /* of text, in columns of the terminal */
    SCOPED(buf_free) Buf text = { 0 };
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            for (int line = 0; line < 2; line++) {
                cell_line(results, row, column, line, &text);
                const int wide = unicode_columns(text.text) + (row ? 0 : 2);
                if (wide > width[column]) width[column] = wide;
            }
    for (int row = 0; row <= rows; row++) {
        const char *const *rule = row == 0 ? top : row == 1 ? below_heading
                                  : row == rows ? bottom : between;
        for (int column = 0; column < columns; column++) {
            fputs(rule[column ? 2 : 0], stdout);
            for (int i = 0; i < width[column] + 2; i++) fputs(rule[1], stdout);
        }
        puts(rule[3]);
        for (int line = 0; row < rows && line < (results->paired && row > 1 ? 2 : 1); line++) {
            for (int column = 0; column < columns; column++) {
                cell_line(results, row, column, line, &text);
                const int blanks = width[column] - unicode_columns(text.text);
                const int before = column ? blanks / 2 : blanks;
                printf("│ %*s%s%*s ", before, "", text.text, blanks - before, "");
            }
            puts("│");
        }
    }
}

/* "new.fr differs from old.fr in 2 of 300 segments; p with equal differences: BLEU 0.5015": the
 * metrics with a small p that have no star. */
static void print_difference(const Results *results, int system)
{
    const char *baseline = results->names->text[0], *name = results->names->text[system];
    const size_t segments = results->set->segments.count, count = differing(results, system);
    const char *before = "; p with equal differences:";
    SCOPED(buf_free) Buf line = { 0 };
    if (count)
        buf_printf(&line, "%s differs from %s in %zu of %zu segment%s", name, baseline, count,
                   segments, plural((double)segments));
    else
        buf_printf(&line, "%s and %s are the same translation", name, baseline);
    for (int i = 0; results->paired && i < results->columns; i++) {
        const Comparison *c = &results->column[i].system[system];
        if (c->p > SIGNIFICANT || is_significant(c)) continue;
        buf_printf(&line, "%s %s %.4f", before, results->column[i].name.text, c->p_with_equal);
        before = ",";
    }
    printable_line(stdout, "%s", line.text);
}

void comparison_print(const ScoreOptions *options, const TestSet *set, const TextList *names)
{
    SCOPED(results_free) Results results = results_of(options, set, names);
    print_table(&results);
    putchar('\n');
    for (int system = 1; system < results.systems; system++) print_difference(&results, system);
    if (results.paired)
        printf("\nPaired %s with %d %s%s. p estimates how likely\n"
               "a larger difference from the baseline would be if both systems were equally\n"
               "good; * marks p of 0.05 or less, if it stays that low where an equal difference\n"
               "counts too.\n",
               options->paired_bs ? "bootstrap" : "approximate randomisation", results.trials,
               options->paired_bs ? "sample" : "trial", plural(results.trials));
    if (options->paired_bs)
        puts("μ is the mean of the samples, ± half the width of their middle 95 %.");
    puts("\n-----------------\nMetric signatures\n-----------------");
    for (int i = 0; i < results.columns; i++)
        printf(" - %-10s %s\n", results.column[i].name.text, results.column[i].signature.text);
}
