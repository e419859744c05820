/* compare.c - the scores of several systems side by side, as a table and as JSON. */
#include "base/mem.h"
#include "base/strings.h"
#include "cmd/eval/score.h"
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

static void add_column(Results *results, int metric, Pool *pool)
{
    const ScoreOptions *options = results->options;
    const Metric *m = metrics[metric];
    const void *own = options->metrics.options[metric];
    const int samples = trials(options), count = results->count;
    const Resampling r = { m, own, samples, options->seed, pool };
    const Resamples resamples = { .bootstrap = options->paired_bs ? samples : 0,
                                  .randomisation = options->paired_ar ? samples : 0,
                                  .seed = options->seed };
    Column *column = &results->column[results->columns++];
    m->title(own, &column->name);
    metric_signature(m, own, hypotheses_references(&results->systems[0].hypotheses), resamples,
                     &column->signature);
    column->system = xcalloc((size_t)count, sizeof *column->system);
    Statistics *statistics = xmalloc((size_t)count, sizeof *statistics);
    for (int i = 0; i < count; i++)
        statistics_init(&statistics[i], m, own, &results->systems[i].hypotheses, pool);
    (options->paired_bs ? paired_bootstrap : options->paired_ar ? paired_randomisation : only_score)
        (&r, statistics, count, column->system);
    for (int i = 0; i < count; i++) statistics_free(&statistics[i]);
    free(statistics);
}

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

static void name_system(const Results *results, int system, Buf *out)
{
    buf_printf(out, "%s%s", is_paired(results->options) && !system ? "Baseline: " : "",
               results->systems[system].name);
}

/* ---- JSON ---- */

/* NULL: a member without a value. */
static void add_number(cJSON *object, const char *key, const double *number)
{
    if (number) python_json_add_number(object, key, *number);
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
    add_number(result, "score", &c->score);
    add_number(result, "p_value", system ? &c->p : NULL);
    add_number(result, "p_value_with_equal", system ? &c->p_with_equal : NULL);
    add_number(result, "mean", options->paired_bs ? &c->interval.mean : NULL);
    add_number(result, "ci", options->paired_bs ? &c->interval.half : NULL);
}

cJSON *compare_to_json(const ScoreOptions *options, const System *systems, int count)
{
    Results results = results_of(options, systems, count);
    cJSON *all = cJSON_CreateObject(), *array = cJSON_AddArrayToObject(all, "systems");
    for (int system = 0; system < count; system++) {
        Buf name = { 0 };
        cJSON *object = cJSON_CreateObject();
        name_system(&results, system, &name);
        json_add_bytes(object, "system", name.text);
        for (int i = 0; i < results.columns; i++)
            add_comparison(object, &results, &results.column[i], system);
        if (system)
            cJSON_AddNumberToObject(object, "differing_segments",
                                    (double)differing(&results, system));
        cJSON_AddItemToArray(array, object);
        buf_free(&name);
    }
    results_free(&results);
    return all;
}

/* ---- A table in a frame, the "fancy_grid" of Python's tabulate ---- */

/* Cells of one line or two, row by row; the first row is the heading. */
typedef struct {
    char **line[2];             /* (cells) owned; "" where there is none */
    int    cells, columns;
    int   *width;               /* (columns) of text, in columns of the terminal */
} Grid;

/* left, fill, between, right: "╒═╤╕" */
static void print_rule(FILE *out, const Grid *grid, const char *const piece[4])
{
    for (int column = 0; column < grid->columns; column++) {
        fputs(piece[column ? 2 : 0], out);
        for (int i = 0; i < grid->width[column] + 2; i++) fputs(piece[1], out);
    }
    fprintf(out, "%s\n", piece[3]);
}

/* The first column is right-aligned, the others are centred. */
static void print_row(FILE *out, const Grid *grid, int first)
{
    int lines = 1;
    for (int column = 0; column < grid->columns; column++)
        if (*grid->line[1][first + column]) lines = 2;
    for (int i = 0; i < lines; i++) {
        for (int column = 0; column < grid->columns; column++) {
            const char *text = grid->line[i][first + column];
            const int blanks = grid->width[column] - unicode_columns(text);
            const int before = column ? blanks / 2 : blanks;
            fprintf(out, "│ %*s%s%*s ", before, "", text, blanks - before, "");
        }
        fputs("│\n", out);
    }
}

/* The heading has a blank on each side at least. */
static void print_grid(FILE *out, Grid *grid)
{
    static const char *const top[] = { "╒", "═", "╤", "╕" },
        *const below_heading[] = { "╞", "═", "╪", "╡" },
        *const between[] = { "├", "─", "┼", "┤" }, *const bottom[] = { "╘", "═", "╧", "╛" };
    grid->width = xcalloc((size_t)grid->columns, sizeof *grid->width);
    for (int i = 0; i < grid->cells; i++)
        for (int k = 0; k < 2; k++) {
            int *widest = &grid->width[i % grid->columns];
            const int width = unicode_columns(grid->line[k][i]) + (i < grid->columns ? 2 : 0);
            if (width > *widest) *widest = width;
        }
    print_rule(out, grid, top);
    for (int first = 0; first < grid->cells; first += grid->columns) {
        const int is_last = first + grid->columns == grid->cells;
        print_row(out, grid, first);
        print_rule(out, grid, is_last ? bottom : first ? between : below_heading);
    }
    free(grid->width);
}

/* Appends a cell; its lines are empty afterwards. */
static void add_cell(Grid *grid, Buf line[2])
{
    for (int k = 0; k < 2; k++) {
        make_printable(line[k].text);
        grid->line[k][grid->cells] = xstrdup(line[k].text);
        buf_clear(&line[k]);
    }
    grid->cells++;
}

static void print_table(FILE *out, const Results *results)
{
    const ScoreOptions *options = results->options;
    const int width = options->width;
    Grid grid = { .columns = results->columns + 1 };
    Buf cell[2] = { { 0 }, { 0 } };
    for (int k = 0; k < 2; k++) {
        grid.line[k] = xcalloc((size_t)(grid.columns * (results->count + 1)), sizeof(char *));
        buf_clear(&cell[k]);
    }
    buf_puts(cell, "System");
    add_cell(&grid, cell);
    for (int i = 0; i < results->columns; i++) {
        buf_printf(cell, "%s%s", results->column[i].name.text,
                   options->paired_bs ? " (μ ± 95% CI)" : "");
        add_cell(&grid, cell);
    }
    for (int system = 0; system < results->count; system++) {
        name_system(results, system, cell);
        add_cell(&grid, cell);
        for (int i = 0; i < results->columns; i++) {
            const Comparison *c = &results->column[i].system[system];
            buf_printf(cell, "%.*f", width, c->score);
            if (options->paired_bs)
                buf_printf(cell, " (%.*f ± %.*f)", width, c->interval.mean, width,
                           c->interval.half);
            if (system && is_paired(options))
                buf_printf(&cell[1], "(p = %.4f)%s", c->p, is_significant(c) ? "*" : "");
            add_cell(&grid, cell);
        }
    }
    print_grid(out, &grid);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < grid.cells; i++) free(grid.line[k][i]);
        free(grid.line[k]);
        buf_free(&cell[k]);
    }
}

/* "new.fr differs from old.fr in 2 of 300 segments; p with equal differences: BLEU 0.5015": the
 * metrics with a small p that have no star. */
static void print_difference(FILE *out, const Results *results, int system)
{
    const char *baseline = results->systems[0].name, *name = results->systems[system].name;
    const size_t segments = results->systems[0].hypotheses.count;
    const size_t count = differing(results, system);
    const char *before = "; p with equal differences:";
    Buf line = { 0 };
    if (count)
        buf_printf(&line, "%s differs from %s in %zu of %zu segment%s", name, baseline, count,
                   segments, segments == 1 ? "" : "s");
    else
        buf_printf(&line, "%s and %s are the same translation", name, baseline);
    for (int i = 0; is_paired(results->options) && i < results->columns; i++) {
        const Comparison *c = &results->column[i].system[system];
        if (c->p > SIGNIFICANT || is_significant(c)) continue;
        buf_printf(&line, "%s %s %.4f", before, results->column[i].name.text, c->p_with_equal);
        before = ",";
    }
    printable_line(out, "%s", line.text);
    buf_free(&line);
}

void compare_print(FILE *out, const ScoreOptions *options, const System *systems, int count)
{
    Results results = results_of(options, systems, count);
    const int samples = trials(options);
    print_table(out, &results);
    fputc('\n', out);
    for (int system = 1; system < count; system++) print_difference(out, &results, system);
    if (is_paired(options))
        fprintf(out, "\nPaired %s with %d %s%s. p estimates how likely\n"
                "a larger difference from the baseline would be if both systems were equally\n"
                "good; * marks p of 0.05 or less, if it stays that low where an equal difference\n"
                "counts too.\n",
                options->paired_bs ? "bootstrap" : "approximate randomisation", samples,
                options->paired_bs ? "sample" : "trial", samples == 1 ? "" : "s");
    if (options->paired_bs)
        fputs("μ is the mean of the samples, ± half the width of their middle 95 %.\n", out);
    fputs("\n-----------------\nMetric signatures\n-----------------\n", out);
    for (int i = 0; i < results.columns; i++)
        fprintf(out, " - %-10s %s\n", results.column[i].name.text,
                results.column[i].signature.text);
    results_free(&results);
}
