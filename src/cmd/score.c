/* score.c - the table of metrics, and the two forms of their answers. */
#include "cmd/score.h"

#include "base/buf.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* What every metric answers. */
typedef struct {
    double value;
    Buf    name;            /* "BLEU" */
    Buf    signature;       /* "nrefs:1|case:mixed|..." */
    Buf    verbose;         /* "70.1/50.2/38.0/29.1 (BP = ...)"; empty: there is nothing more to say */
} Score;

static void score_free(Score *score)
{
    buf_free(&score->name);
    buf_free(&score->signature);
    buf_free(&score->verbose);
}

/* ---- Metrics ---- */

/* How many references the segments have; 0 where that varies. */
static int reference_count(const Scored *scored)
{
    for (size_t i = 1; i < scored->count; i++)
        if (scored->references[i] != scored->references[0]) return 0;
    return scored->references[0];
}

static void score_bleu(const ScoreOptions *options, const Scored *scored, Score *score)
{
    BleuOptions bleu_options = options->bleu;
    bleu_options.effective_order = options->sentence_level;
    BleuStats stats = { 0 };
    for (size_t i = 0; i < scored->count; i++)
        bleu_add(&stats, &bleu_options, scored->hypothesis[i], scored->reference[i], scored->references[i]);
    Bleu bleu = bleu_score(&stats, &bleu_options);
    score->value = bleu.score;
    buf_puts(&score->name, "BLEU");
    bleu_signature(&bleu_options, reference_count(scored), &score->signature);
    bleu_verbose(&bleu, &score->verbose);
}

static void score_chrf(const ScoreOptions *options, const Scored *scored, Score *score)
{
    ChrfStats stats = { 0 };
    for (size_t i = 0; i < scored->count; i++)
        chrf_add(&stats, &options->chrf, scored->hypothesis[i], scored->reference[i], scored->references[i]);
    score->value = chrf_score(&stats, &options->chrf);
    chrf_name(&options->chrf, &score->name);
    chrf_signature(&options->chrf, reference_count(scored), &score->signature);
}

typedef struct {
    const char *name;
    void (*score)(const ScoreOptions *options, const Scored *scored, Score *score);
} Metric;

static const Metric metrics[] = {
    { "bleu", score_bleu },
    { "chrf", score_chrf },
};
enum { METRICS = sizeof metrics / sizeof *metrics };

static int find_metric(const char *name, size_t length)
{
    for (int i = 0; i < METRICS; i++)
        if (strlen(metrics[i].name) == length && !memcmp(metrics[i].name, name, length)) return i;
    return -1;
}

static int unknown_metric(const char *name, int length, Err *e)
{
    Buf known = { 0 };
    for (int i = 0; i < METRICS; i++) buf_printf(&known, "%s%s", i ? ", " : "", metrics[i].name);
    err(e, "--metrics: '%.*s' is not one of %s", length, name, known.text);
    buf_free(&known);
    return -1;
}

int score_choose(ScoreOptions *options, const char *names, Err *e)
{
    options->metrics = 0;
    for (;;) {
        size_t length = strcspn(names, ",");
        int found = find_metric(names, length);
        if (found < 0) return unknown_metric(names, (int)length, e);
        options->metrics |= 1u << found;
        if (!names[length]) return 0;
        names += length + 1;
    }
}

int score_wants(const ScoreOptions *options, const char *metric)
{
    return options->metrics >> find_metric(metric, strlen(metric)) & 1;
}

/* ---- Answers ---- */

static void print_text(FILE *out, const ScoreOptions *options, const Score *score)
{
    fprintf(out, "%s|%s = %.*f", score->name.text, score->signature.text, options->width, score->value);
    if (score->verbose.length) fprintf(out, " %s", score->verbose.text);
    fputc('\n', out);
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
    cJSON_AddItemToObject(object, "score", json_rounded(score->value, options->width));
    cJSON_AddStringToObject(object, "signature", score->signature.text);
    if (score->verbose.length) cJSON_AddStringToObject(object, "verbose_score", score->verbose.text);
    add_signature(object, score->signature.text);
    return object;
}

static void print_json(FILE *out, const cJSON *value, int indented)
{
    char *text = json_text(value, indented);
    fprintf(out, "%s\n", text);
    free(text);
}

/* ---- Printing ---- */

/* Scores the segments by all wanted metrics. Text is printed, JSON is added to the list. */
static void score_all(FILE *out, const ScoreOptions *options, const Scored *scored, cJSON *list)
{
    for (int i = 0; i < METRICS; i++) {
        if (!(options->metrics & 1u << i)) continue;
        Score score = { 0 };
        metrics[i].score(options, scored, &score);
        if (options->json) cJSON_AddItemToArray(list, score_to_json(options, &score));
        else print_text(out, options, &score);
        score_free(&score);
    }
}

/* One metric is an object, several are a list. */
static void print_corpus(FILE *out, const ScoreOptions *options, const Scored *scored)
{
    cJSON *list = cJSON_CreateArray();
    score_all(out, options, scored, list);
    if (options->json) print_json(out, cJSON_GetArraySize(list) == 1 ? list->child : list, 1);
    cJSON_Delete(list);
}

static void print_sentences(FILE *out, const ScoreOptions *options, const Scored *scored)
{
    for (size_t i = 0; i < scored->count; i++) {
        Scored one = { scored->hypothesis + i, scored->reference + i, scored->references + i, 1 };
        cJSON *list = cJSON_CreateArray();
        const cJSON *score;
        score_all(out, options, &one, list);
        cJSON_ArrayForEach(score, list) print_json(out, score, 0);
        cJSON_Delete(list);
    }
}

void score_print(FILE *out, const ScoreOptions *options, const Scored *scored)
{
    if (options->sentence_level) print_sentences(out, options, scored);
    else print_corpus(out, options, scored);
}

cJSON *scores_to_json(const ScoreOptions *options, const Scored *scored)
{
    cJSON *object = NULL;
    for (int i = 0; i < METRICS; i++) {
        if (!(options->metrics & 1u << i)) continue;
        Score score = { 0 };
        metrics[i].score(options, scored, &score);
        cJSON *one = score_to_json(options, &score);
        if (!object) object = one;
        else cJSON_AddItemToObject(object, metrics[i].name, one);
        score_free(&score);
    }
    return object;
}
