/* score.c - what can be asked of scores, and the two forms of their answers. */
#include "cmd/eval/score.h"

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/eval/python_json.h"
#include "cmd/options.h"
#include "metrics/symbols.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Options ---- */

#define AT(member) .offset = offsetof(ScoreOptions, member)
const Field significance_fields[] = {
    { .group = "Significance", .name = "confidence", .kind = FIELD_FLAG, AT(confidence),
      .help = "a 95 % confidence interval, by bootstrap" },
    { .name = "confidence-n", .kind = FIELD_INT, AT(confidence_n), .low = 2, .high = 100000, .value = "N",
      .help = "samples of that bootstrap" },
    { .name = "paired-bs", .kind = FIELD_FLAG, AT(paired_bs),
      .help = "compare every --hyp with the first by a paired bootstrap; what several --hyp get unless told otherwise" },
    { .name = "paired-ar", .kind = FIELD_FLAG, AT(paired_ar),
      .help = "compare every --hyp with the first: paired approximate randomisation" },
    { .name = "trials", .letter = 'n', .kind = FIELD_INT, AT(trials), .low = 0, .high = 100000, .value = "N",
      .help = "samples or trials of the comparison; 0: 1000 of a bootstrap, 10000 of a randomisation" },
    { .name = "seed", .kind = FIELD_SEED, AT(seed), .value = "N", .help = "of all that is drawn" },
    { .name = NULL }
};

ScoreOptions score_defaults(void)
{
    ScoreOptions options = { .width = 2, .confidence_n = 1000, .seed = 12345 };
    for (int i = 0; i < METRICS; i++) {
        options.options[i] = xcalloc(1, metrics[i]->options_size);
        metrics[i]->defaults(options.options[i]);
    }
    return options;
}

void score_options_free(ScoreOptions *options)
{
    for (int i = 0; i < METRICS; i++) free(options->options[i]);
}

static int find_metric(const char *name, size_t length)
{
    for (int i = 0; i < METRICS; i++)
        if (strlen(metrics[i]->name) == length && !strncasecmp(metrics[i]->name, name, length)) return i;
    return -1;
}

static int is_wanted(const ScoreOptions *options, int i)
{
    return options->metrics >> i & 1;
}

int score_wants(const ScoreOptions *options, const char *metric)
{
    return is_wanted(options, find_metric(metric, strlen(metric)));
}

const void *score_options(const ScoreOptions *options, const char *metric)
{
    return options->options[find_metric(metric, strlen(metric))];
}

_Noreturn static void unknown_metric(const char *name, int length)
{
    Buf known = { 0 };
    for (int i = 0; i < METRICS; i++) buf_printf(&known, "%s%s", i ? ", " : "", metrics[i]->name);
    usage_error("eval", "--metrics: '%.*s' is not one of %s", length, name, known.text);
}

static void choose_metrics(ScoreOptions *options, const char *names)
{
    for (;; names++) {
        size_t length = strcspn(names, ",");
        int found = find_metric(names, length);
        if (found < 0) unknown_metric(names, (int)length);
        options->metrics |= 1u << found;
        names += length;
        if (!*names) return;
    }
}

/* Whether the options of metric i change any score that is wanted: its own, or that of one like it. */
static int is_used(const ScoreOptions *options, int i)
{
    int used = is_wanted(options, i);
    for (int k = 0; k < METRICS; k++) used |= is_wanted(options, k) && metrics[k]->variant_of == metrics[i];
    return used;
}

static void settle_metric(ScoreOptions *options, int i, const Options *given)
{
    Err e;
    const Metric *m = metrics[i];
    const MetricUse use = { .sentence_level = options->sentence_level, .randomised = options->paired_ar };
    const char *useless = is_used(options, i) ? NULL : options_first_given(given, m->fields);
    if (useless) usage_error("eval", "--%s changes nothing without %s in --metrics", useless, m->name);
    if (!is_wanted(options, i)) return;
    if (m->variant_of) memcpy(options->options[i], score_options(options, m->variant_of->name), m->options_size);
    if (m->settle(options->options[i], &use, &e)) usage_error("eval", "%s", e.text);
}

static void check_significance(ScoreOptions *o, int systems, const Options *given)
{
    if (systems > 1 && !o->paired_ar && !options_given(given, "paired-bs")) o->paired_bs = 1;
    if (o->paired_bs && o->paired_ar) usage_error("eval", "--paired-bs and --paired-ar: one of them at a time");
    int paired = o->paired_bs || o->paired_ar;
    if (paired && systems < 2)
        usage_error("eval", "--paired-%s compares two translations or more: give several --hyp",
                    o->paired_bs ? "bs" : "ar");
    if (o->confidence && systems > 1)
        usage_error("eval", "--confidence is for one translation; --paired-bs gives the intervals of several");
    if (o->sentence_level && (o->confidence || systems > 1))
        usage_error("eval", "--sentence-level scores one translation, without statistical tests");
    if (!o->confidence && options_given(given, "confidence-n"))
        usage_error("eval", "--confidence-n changes nothing without --confidence");
    if (!paired && options_given(given, "trials"))
        usage_error("eval", "--trials changes nothing without --paired-bs or --paired-ar");
    if (!paired && !o->confidence && options_given(given, "seed"))
        usage_error("eval", "--seed changes nothing without --confidence, --paired-bs or --paired-ar");
}

void score_settle(ScoreOptions *options, const char *names, int systems, const Options *given)
{
    choose_metrics(options, names);
    for (int i = 0; i < METRICS; i++) settle_metric(options, i, given);
    check_significance(options, systems, given);
}

/* ---- Scores ---- */

/* What a metric answers. */
typedef struct {
    double   value;
    Interval interval;      /* mean 0: there is none */
    Buf      name;          /* "BLEU" */
    Buf      signature;     /* "nrefs:1|case:mixed|..." */
    Buf      verbose;       /* "70.1/50.2/38.0/29.1 (BP = ...)"; NULL text: there is nothing more to say */
} Score;

int score_references(const Hypotheses *scored)
{
    for (size_t i = 1; i < scored->count; i++)
        if (scored->references[i] != scored->references[0]) return 0;
    return scored->references[0];
}

static void compute(const ScoreOptions *options, int metric, const Hypotheses *scored, Pool *pool, Score *score)
{
    const Metric *m = metrics[metric];
    const void *own = options->options[metric];
    Resamples drawn = { .bootstrap = options->confidence ? options->confidence_n : 0, .seed = options->seed };
    double sums[METRIC_MAX_WIDTH];
    Statistics statistics;
    statistics_init(&statistics, m, own, scored, pool);
    statistics_sum(&statistics, sums);
    *score = (Score){ .value = m->score(own, sums, 0) };
    if (options->confidence)
        score->interval = confidence_interval(&(Resampling){ m, own, drawn.bootstrap, drawn.seed, pool }, &statistics);
    m->title(own, &score->name);
    metric_signature(m, own, score_references(scored), drawn, &score->signature);
    if (m->verbose) m->verbose(own, sums, &score->verbose);
    statistics_free(&statistics);
}

static void score_free(Score *score)
{
    buf_free(&score->name);
    buf_free(&score->signature);
    buf_free(&score->verbose);
}

static int ends_in_cut_period(const char *text, Symbols *line)
{
    line_read(line, text);
    line_strip_right(line);
    return line->count >= 2 && line->at[line->count - 1] == '.' && line->at[line->count - 2] == ' ';
}

void score_warn(const ScoreOptions *options, const Hypotheses *scored)
{
    enum { MANY = 100 };
    Symbols line = { 0 };
    size_t cut = 0;
    if (options->force || !score_wants(options, "bleu")) return;
    for (size_t i = 0; i < scored->count; i++) cut += (size_t)ends_in_cut_period(scored->hypothesis[i], &line);
    symbols_free(&line);
    if (cut < MANY) return;
    warn("%zu lines end in ' .': score plain text, not words with blanks between them; --force if it is plain", cut);
}

/* ---- Printing ---- */

static void print_text(FILE *out, const ScoreOptions *options, const Score *score)
{
    int width = options->width;
    fprintf(out, "%s|%s = %.*f", score->name.text, score->signature.text, width, score->value);
    if (score->interval.mean > 0)
        fprintf(out, " (μ = %.*f ± %.*f)", width, score->interval.mean, width, score->interval.half);
    if (score->verbose.text) fprintf(out, " %s", score->verbose.text);
    fputc('\n', out);
}

/* The number that is printed, not the one behind it: both forms show the same digits. */
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

/* Every item "key:value" of the signature becomes a member. */
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

static cJSON *score_to_json(const ScoreOptions *options, const Score *score)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", score->name.text);
    add_rounded(object, "score", score->value, options->width);
    cJSON_AddStringToObject(object, "signature", score->signature.text);
    if (score->interval.mean > 0) add_interval(object, &score->interval, options->width);
    if (score->verbose.text) cJSON_AddStringToObject(object, "verbose_score", score->verbose.text);
    add_signature(object, score->signature.text);
    return object;
}

static void print_scores(FILE *out, const ScoreOptions *options, const Hypotheses *scored, Pool *pool)
{
    for (int i = 0; i < METRICS; i++) {
        if (!is_wanted(options, i)) continue;
        Score score;
        compute(options, i, scored, pool, &score);
        print_text(out, options, &score);
        score_free(&score);
    }
}

static cJSON *all_to_json(const ScoreOptions *options, const Hypotheses *scored, Pool *pool)
{
    cJSON *object = NULL;
    for (int i = 0; i < METRICS; i++) {
        if (!is_wanted(options, i)) continue;
        Score score;
        compute(options, i, scored, pool, &score);
        cJSON *one = score_to_json(options, &score);
        if (!object) object = one;
        else cJSON_AddItemToObject(object, metrics[i]->name, one);
        score_free(&score);
    }
    return object;
}

static void print_object(FILE *out, const ScoreOptions *options, const Hypotheses *scored, Pool *pool)
{
    cJSON *object = all_to_json(options, scored, pool);
    char *text = json_text(object, 0);
    fprintf(out, "%s\n", text);
    free(text);
    cJSON_Delete(object);
}

void score_print(FILE *out, const ScoreOptions *options, const Hypotheses *scored)
{
    Pool *pool = pool_new(options->threads);
    score_warn(options, scored);
    print_scores(out, options, scored, pool);
    pool_free(pool);
}

void score_print_sentences(FILE *out, const ScoreOptions *options, const Hypotheses *scored)
{
    Pool *pool = pool_new(1);
    for (size_t i = 0; i < scored->count; i++) {
        Hypotheses one = { scored->hypothesis + i, scored->reference + i, scored->references + i, 1 };
        (options->json ? print_object : print_scores)(out, options, &one, pool);
    }
    pool_free(pool);
}

cJSON *scores_to_json(const ScoreOptions *options, const Hypotheses *scored)
{
    Pool *pool = pool_new(options->threads);
    score_warn(options, scored);
    cJSON *object = all_to_json(options, scored, pool);
    pool_free(pool);
    return object;
}
