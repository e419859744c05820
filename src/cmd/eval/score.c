/* score.c - the options of scores, their computation, and their output as text and as JSON. */
#include "cmd/eval/score.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/strings.h"
#include "metrics/bleu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ---- */

#define AT(member) .offset = offsetof(ScoreOptions, member)
const Field significance_fields[] = {
    { .group = "Significance", .name = "confidence", .kind = FIELD_FLAG, AT(confidence),
      .help = "a 95 % confidence interval, by bootstrap", .common = 1 },
    { .name = "confidence-n", .kind = FIELD_INT, AT(confidence_n), .low = 2, .high = 100000,
      .value = "N",
      .help = "samples of that bootstrap" },
    { .name = "paired-bs", .kind = FIELD_FLAG, AT(paired_bs),
      .help = "compare every --hyp with the first by a paired bootstrap; the default with several "
              "--hyp", .common = 1 },
    { .name = "paired-ar", .kind = FIELD_FLAG, AT(paired_ar),
      .help = "compare every --hyp with the first: paired approximate randomisation" },
    { .name = "trials", .letter = 'n', .kind = FIELD_INT, AT(trials), .low = 0, .high = 100000,
      .value = "N",
      .help =
          "samples or trials of the comparison; 0: 1000 of a bootstrap, 10000 of a randomisation" },
    { .name = "seed", .kind = FIELD_SEED, AT(seed), .value = "N",
      .help = "seed of the random samples and trials" },
    { .name = NULL }
};

void score_options_init(ScoreOptions *options)
{
    *options = (ScoreOptions){ .width = 2, .confidence_n = 1000, .seed = 12345 };
    metric_set_init(&options->metrics);
}

void score_options_free(ScoreOptions *options)
{
    metric_set_free(&options->metrics);
}

_Noreturn static void unknown_metric(const char *name, int length)
{
    char word[32];
    Buf known = { 0 };
    Suggestion nearest = { .word = word };
    snprintf(word, sizeof word, "%.*s", length, name);
    for (int i = 0; i < METRICS; i++) {
        buf_printf(&known, "%s%s", i ? ", " : "", metrics[i]->name);
        suggestion_offer(&nearest, metrics[i]->name);
    }
    if (nearest.best) buf_printf(&known, "; did you mean '%s'?", nearest.best);
    usage_error("eval", "--metrics: '%.*s' is not one of %s", length, name, known.text);
}

static void choose_metrics(MetricSet *set, const char *names)
{
    for (;; names++) {
        size_t length = strcspn(names, ",");
        int metric = metric_find(names, length);
        if (metric < 0) unknown_metric(names, (int)length);
        metric_set_add(set, metric);
        names += length;
        if (!*names) return;
    }
}

static void check_metric_options(const MetricSet *set, const Options *given)
{
    for (int i = 0; i < METRICS; i++) {
        const Metric *m = metrics[i];
        const char *useless = options_first_given(given, m->fields);
        if (useless && !metric_set_uses_options(set, i))
            usage_error("eval", "--%s changes nothing without %s in --metrics", useless, m->name);
    }
}

static void check_significance(ScoreOptions *o, int systems, const Options *given)
{
    if (systems > 1 && !o->paired_ar && !options_given(given, "paired-bs")) o->paired_bs = 1;
    if (o->paired_bs && o->paired_ar)
        usage_error("eval", "--paired-bs and --paired-ar: one of them at a time");
    int paired = o->paired_bs || o->paired_ar;
    if (paired && systems < 2)
        usage_error("eval", "--paired-%s compares two translations or more: give several --hyp",
                    o->paired_bs ? "bs" : "ar");
    if (o->confidence && systems > 1)
        usage_error("eval", "--confidence is for one translation; --paired-bs gives the "
                            "intervals of several");
    if (o->sentence_level && (o->confidence || systems > 1))
        usage_error("eval", "--sentence-level scores one translation, without statistical tests");
    if (!o->confidence && options_given(given, "confidence-n"))
        usage_error("eval", "--confidence-n changes nothing without --confidence");
    if (!paired && options_given(given, "trials"))
        usage_error("eval", "--trials changes nothing without --paired-bs or --paired-ar");
    if (!paired && !o->confidence && options_given(given, "seed"))
        usage_error("eval",
                    "--seed changes nothing without --confidence, --paired-bs or --paired-ar");
}

void score_settle(ScoreOptions *options, const char *names, int systems, const Options *given)
{
    Err e;
    const MetricUse use = { .sentence_level = options->sentence_level,
                            .randomised = options->paired_ar };
    choose_metrics(&options->metrics, names);
    check_metric_options(&options->metrics, given);
    if (metric_set_settle(&options->metrics, &use, &e)) usage_error("eval", "%s", e.text);
    check_significance(options, systems, given);
}

/* ---- Scores ---- */

/* One score of a system, with all that is printed of it. */
typedef struct {
    double   value;
    Interval interval;      /* mean 0: none was computed */
    Buf      name;          /* "BLEU" */
    Buf      signature;     /* "nrefs:1|case:mixed|..." */
    Buf      verbose;  /* "70.1/50.2/38.0/29.1 (BP = ...)"; text NULL: the metric has no details */
} ScoreReport;

static void report_init(ScoreReport *report, const ScoreOptions *options, int metric,
                        const Hypotheses *hypotheses, Pool *pool)
{
    const Metric *m = metrics[metric];
    const void *own = options->metrics.options[metric];
    const int samples = options->confidence ? options->confidence_n : 0;
    const Resamples resamples = { .bootstrap = samples, .seed = options->seed };
    const Resampling resampling = { m, own, samples, options->seed, pool };
    double sums[METRIC_MAX_WIDTH];
    Statistics statistics;
    statistics_init(&statistics, m, own, hypotheses, pool);
    statistics_sum(&statistics, sums);
    *report = (ScoreReport){ .value = m->score(own, sums, 0) };
    if (samples) report->interval = confidence_interval(&resampling, &statistics);
    m->title(own, &report->name);
    metric_signature(m, own, hypotheses_references(hypotheses), resamples, &report->signature);
    if (m->verbose) m->verbose(own, sums, &report->verbose);
    statistics_free(&statistics);
}

static void report_free(ScoreReport *report)
{
    buf_free(&report->name);
    buf_free(&report->signature);
    buf_free(&report->verbose);
}

static int ends_in_split_period(const char *text, Symbols *line)
{
    line_read(line, text);
    line_strip_right(line);
    return line->count >= 2 && line->at[line->count - 1] == '.' && line->at[line->count - 2] == ' ';
}

void score_warn(const ScoreOptions *options, const Hypotheses *hypotheses)
{
    enum { MANY = 100 };
    Symbols line = { 0 };
    size_t split = 0;
    if (options->force || !metric_set_has(&options->metrics, METRIC_BLEU)) return;
    for (size_t i = 0; i < hypotheses->count; i++)
        split += (size_t)ends_in_split_period(hypotheses->hypothesis[i], &line);
    symbols_free(&line);
    if (split < MANY) return;
    warn("%zu lines end in ' .': score plain text, not words with blanks between them; "
         "--force if it is plain", split);
}

void score_warn_references(const ScoreOptions *options, const Hypotheses *hypotheses)
{
    const BleuOptions *bleu = options->metrics.options[METRIC_BLEU];
    ScriptCount count = { 0 };
    if (!metric_set_has(&options->metrics, METRIC_BLEU)) return;
    if (bleu->tokenize == TOKENIZE_ZH || bleu->tokenize == TOKENIZE_CHAR) return;
    for (size_t i = 0; i < hypotheses->count; i++)
        for (int k = 0; k < hypotheses->references[i]; k++)
            if (hypotheses->reference[i][k]) script_count_add(&count, hypotheses->reference[i][k]);
    if (script_count_lacks_blanks(&count))
        warn("the references are mostly in a script without blanks between words, and %s takes a "
             "whole run of it for a word; add --tokenize zh for Chinese, char for others",
             tokenize_names[bleu->tokenize]);
}

/* ---- Printing ---- */

/* The fewest digits behind the point, at least one; tiny numbers get an exponent, as in Python. */
void python_json_add_number(cJSON *object, const char *key, double number)
{
    char text[512];                 /* the largest double has 309 digits before the point */
    int tiny = number != 0 && fabs(number) < 1e-4;
    for (int digits = !tiny; digits <= 24; digits++) {
        snprintf(text, sizeof text, tiny ? "%.*e" : "%.*f", digits, number);
        if (strtod(text, NULL) == number) break;
    }
    cJSON_AddRawToObject(object, key, text);
}

/* cJSON escapes the tabs inside strings: every other one is at the start of a line or after a
 * colon. */
void python_json_print(FILE *out, const cJSON *value)
{
    char *text = json_text(value, 1);
    for (char *c = text; *c; c++)
        if (*c == '\t') *c = ' ';
    fprintf(out, "%s\n", text);
    free(text);
}

static void print_text(FILE *out, const ScoreOptions *options, const ScoreReport *report)
{
    int width = options->width;
    fprintf(out, "%s|%s = %.*f", report->name.text, report->signature.text, width, report->value);
    if (report->interval.mean > 0)
        fprintf(out, " (μ = %.*f ± %.*f)", width, report->interval.mean, width,
                report->interval.half);
    if (report->verbose.text) fprintf(out, " %s", report->verbose.text);
    fputc('\n', out);
}

/* Adds the number with the digits that print_text prints. */
static void add_rounded(cJSON *object, const char *key, double value, int width)
{
    char digits[64];
    snprintf(digits, sizeof digits, "%.*f", width, value);
    python_json_add_number(object, key, strtod(digits, NULL));
}

static void add_interval(cJSON *object, const Interval *interval, int width)
{
    char text[128];
    add_rounded(object, "confidence_mean", interval->mean, width);
    add_rounded(object, "confidence_var", interval->half, width);
    snprintf(text, sizeof text, "μ = %.*f ± %.*f", width, interval->mean, width, interval->half);
    cJSON_AddStringToObject(object, "confidence", text);
}

/* Adds every item "key:value" of the signature as a member. */
static void add_signature(cJSON *object, const char *signature)
{
    char *items = xstrdup(signature), *rest;
    for (char *item = strtok_r(items, "|", &rest); item; item = strtok_r(NULL, "|", &rest)) {
        char *value = strchr(item, ':');
        *value++ = '\0';
        cJSON_AddStringToObject(object, item, value);
    }
    free(items);
}

static cJSON *report_to_json(const ScoreOptions *options, const ScoreReport *report)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", report->name.text);
    add_rounded(object, "score", report->value, options->width);
    cJSON_AddStringToObject(object, "signature", report->signature.text);
    if (report->interval.mean > 0) add_interval(object, &report->interval, options->width);
    if (report->verbose.text)
        cJSON_AddStringToObject(object, "verbose_score", report->verbose.text);
    add_signature(object, report->signature.text);
    return object;
}

static void print_scores(FILE *out, const ScoreOptions *options, const Hypotheses *hypotheses,
                         Pool *pool)
{
    for (int i = 0; i < METRICS; i++) {
        if (!metric_set_has(&options->metrics, i)) continue;
        ScoreReport report;
        report_init(&report, options, i, hypotheses, pool);
        print_text(out, options, &report);
        report_free(&report);
    }
}

static cJSON *all_to_json(const ScoreOptions *options, const Hypotheses *hypotheses, Pool *pool)
{
    cJSON *object = NULL;
    for (int i = 0; i < METRICS; i++) {
        if (!metric_set_has(&options->metrics, i)) continue;
        ScoreReport report;
        report_init(&report, options, i, hypotheses, pool);
        cJSON *one = report_to_json(options, &report);
        if (!object) object = one;
        else cJSON_AddItemToObject(object, metrics[i]->name, one);
        report_free(&report);
    }
    return object;
}

void score_print(FILE *out, const ScoreOptions *options, const Hypotheses *hypotheses)
{
    Pool *pool = pool_new(options->threads);
    score_warn(options, hypotheses);
    print_scores(out, options, hypotheses, pool);
    pool_free(pool);
}

void score_print_sentences(FILE *out, const ScoreOptions *options, const Hypotheses *hypotheses)
{
    Pool *pool = pool_new(1);
    for (size_t i = 0; i < hypotheses->count; i++) {
        Hypotheses one = { hypotheses->hypothesis + i, hypotheses->reference + i,
                           hypotheses->references + i, 1 };
        if (!options->json) {
            print_scores(out, options, &one, pool);
            continue;
        }
        cJSON *object = all_to_json(options, &one, pool);
        char *text = json_text(object, 0);
        fprintf(out, "%s\n", text);
        free(text);
        cJSON_Delete(object);
    }
    pool_free(pool);
}

cJSON *scores_to_json(const ScoreOptions *options, const Hypotheses *hypotheses)
{
    Pool *pool = pool_new(options->threads);
    score_warn(options, hypotheses);
    cJSON *object = all_to_json(options, hypotheses, pool);
    pool_free(pool);
    return object;
}
