/* score.c - the scores of one system, as text and as JSON, and what makes a score doubtful. */
#include "cmd/eval/eval.h"

#include "base/mem.h"
#include "metrics/bleu.h"
#include "metrics/significance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What makes a score doubtful ---- */

void warn_tokenized(const ScoreOptions *options, const Text *output)
{
    enum { MANY = 100 };
    SCOPED(symbols_free) Symbols line = { 0 };
    size_t split = 0;
    if (options->force || !metric_set_has(&options->metrics, METRIC_BLEU)) return;
    for (size_t i = 0; i < output->count; i++) {
        line_read(&line, output->line[i]);
        line_strip_right(&line);
        const size_t last = line.count - 1;
        split += line.count >= 2 && line.at[last] == '.' && line.at[last - 1] == ' ';
    }
    if (split < MANY) return;
    warn("%zu lines end in ' .': score plain text, not words with blanks between them; "
         "--force if it is plain", split);
}

void warn_unspaced(const ScoreOptions *options, const Segments *segments)
{
    const BleuOptions *bleu = options->metrics.options[METRIC_BLEU];
    ScriptCount count = { 0 };
    if (!metric_set_has(&options->metrics, METRIC_BLEU)) return;
    if (bleu->tokenize == TOKENIZE_ZH || bleu->tokenize == TOKENIZE_CHAR) return;
    for (size_t i = 0; i < segments->count; i++)
        for (int k = 0; k < segments->references[i]; k++)
            script_count_add(&count, segments->reference[i][k]);
    if (script_count_lacks_blanks(&count))
        warn("the references are mostly in a script without blanks between words, and %s takes a "
             "whole run of it for a word; add --tokenize zh for Chinese, char for others",
             tokenize_names[bleu->tokenize]);
}

/* ---- JSON ---- */

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
void python_json_print(const cJSON *value)
{
    SCOPED(xfree_at) char *text = json_text(value, 1);
    for (char *c = text; *c; c++)
        if (*c == '\t') *c = ' ';
    puts(text);
}

/* Adds the number with the digits that text shows. */
static void add_rounded(cJSON *object, const char *key, double value, int width)
{
    char digits[64];
    snprintf(digits, sizeof digits, "%.*f", width, value);
    python_json_add_number(object, key, strtod(digits, NULL));
}

/* {"name": "BLEU", "score": 59.69, "signature": "nrefs:1|case:mixed|...", ...}: with an interval of
 * confidence, the details of the metric, and each item of the signature as a member. */
static cJSON *score_to_json(const ScoreOptions *options, int metric, const Hypotheses *hypotheses,
                            Pool *pool)
{
    const Metric *m = metrics[metric];
    const void *own = options->metrics.options[metric];
    const int width = options->width, samples = options->confidence ? options->confidence_n : 0;
    double sums[METRIC_MAX_WIDTH];
    SCOPED(statistics_free) Statistics statistics;
    SCOPED(buf_free) Buf text = { 0 }, signature = { 0 };
    cJSON *object = cJSON_CreateObject();
    statistics_init(&statistics, m, own, hypotheses, pool);
    statistics_sum(&statistics, sums);
    m->title(own, &text);
    cJSON_AddStringToObject(object, "name", text.text);
    add_rounded(object, "score", m->score(own, sums, 0), width);
    metric_signature(m, own, hypotheses_references(hypotheses),
                     (Resamples){ .bootstrap = samples, .seed = options->seed }, &signature);
    cJSON_AddStringToObject(object, "signature", signature.text);
    const Resampling resampling = { m, own, samples, options->seed, pool };
    const Interval interval = samples ? confidence_interval(&resampling, &statistics)
                                      : (Interval){ 0 };
    if (interval.mean > 0) {
        add_rounded(object, "confidence_mean", interval.mean, width);
        add_rounded(object, "confidence_var", interval.half, width);
        buf_clear(&text);
        buf_printf(&text, "μ = %.*f ± %.*f", width, interval.mean, width, interval.half);
        cJSON_AddStringToObject(object, "confidence", text.text);
    }
    if (m->verbose) {
        buf_clear(&text);
        m->verbose(own, sums, &text);
        cJSON_AddStringToObject(object, "verbose_score", text.text);
    }
    for (char *rest, *item = strtok_r(signature.text, "|", &rest); item;
         item = strtok_r(NULL, "|", &rest)) {
        char *value = strchr(item, ':');
        *value++ = '\0';
        cJSON_AddStringToObject(object, item, value);
    }
    return object;
}

static cJSON *all_to_json(const ScoreOptions *options, const Hypotheses *hypotheses, Pool *pool)
{
    cJSON *object = NULL;
    for (int i = 0; i < METRICS; i++) {
        if (!metric_set_has(&options->metrics, i)) continue;
        cJSON *one = score_to_json(options, i, hypotheses, pool);
        if (!object) object = one;
        else cJSON_AddItemToObject(object, metrics[i]->name, one);
    }
    return object;
}

cJSON *scores_to_json(const ScoreOptions *options, const TestSet *set)
{
    Pool *pool = pool_new(options->threads);
    const Hypotheses first = test_set_hypotheses(set, 0);
    warn_tokenized(options, set->systems);
    cJSON *object = all_to_json(options, &first, pool);
    pool_free(pool);
    return object;
}

/* ---- Text: "BLEU|nrefs:1|... = 59.69 (μ = 63.61 ± 32.03) 88.9/71.4/60.0/33.3 (...)" ---- */

static const char *text_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItem(object, key);
    return item ? item->valuestring : NULL;
}

void scores_print(const cJSON *scores, int width)
{
    const char *confidence = text_of(scores, "confidence");
    const char *verbose = text_of(scores, "verbose_score");
    printf("%s|%s = %.*f", text_of(scores, "name"), text_of(scores, "signature"), width,
           strtod(text_of(scores, "score"), NULL));
    if (confidence) printf(" (%s)", confidence);
    if (verbose) printf(" %s", verbose);
    putchar('\n');
    for (int i = 0; i < METRICS; i++) {
        const cJSON *further = cJSON_GetObjectItem(scores, metrics[i]->name);
        if (further) scores_print(further, width);
    }
}

void scores_print_sentences(const ScoreOptions *options, const TestSet *set)
{
    Pool *pool = pool_new(1);
    const Hypotheses all = test_set_hypotheses(set, 0);
    for (size_t i = 0; i < all.count; i++) {
        const Hypotheses one = { all.hypothesis + i, all.reference + i, all.references + i, 1 };
        cJSON *object = all_to_json(options, &one, pool);
        if (options->json) print_json(object, 0);
        else scores_print(object, options->width);
        cJSON_Delete(object);
    }
    pool_free(pool);
}
