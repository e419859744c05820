/* model_evaluation.c - translating in chunks, and scoring the references. */
#include "cmd/eval/model_evaluation.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/plural.h"
#include "cmd/progress.h"

#include <math.h>
#include <stdlib.h>

enum { CHUNK = 4096 };      /* sentences between two looks at the progress */
#define SECONDS_BETWEEN_LINES 10

/* ---- Translating ---- */

/* Tokens of the best translation of a line. */
static long count_tokens(const Translation *translation)
{
    long tokens = 0;
    for (size_t i = 0; i < translation->chunks; i++) tokens += chunk_hypothesis(&translation->chunk[i], 0)->length;
    return tokens;
}

static void note_void(ModelEvaluation *trial, const char *source)
{
    if (!trial->no_number) trial->no_number = source;
}

static void translate_chunk(ModelEvaluation *trial, Translator *translator, TestSet *set, size_t at, size_t count)
{
    Translation *translations = xcalloc(count, sizeof *translations);
    translator_run(translator, set->segments.source + at, count, translations);
    for (size_t i = 0; i < count; i++) {
        const LineHypothesis *best = translations[i].count ? translations[i].hypothesis : NULL;
        set->hypotheses.line[at + i] = xstrdup(best ? best->text : "");
        trial->tokens += count_tokens(&translations[i]);
        if (translation_is_void(&translations[i])) note_void(trial, set->segments.source[at + i]);
        translation_free(&translations[i]);
    }
    free(translations);
}

static void translate_all(ModelEvaluation *trial, Translator *translator, TestSet *set, int quiet)
{
    size_t count = set->segments.count;
    char done[COUNT_TEXT], all[COUNT_TEXT];
    Progress progress;
    progress_init(&progress, stderr, quiet, SECONDS_BETWEEN_LINES);
    for (size_t at = 0; at < count && !trial->no_number; at += CHUNK) {
        progress_update(&progress, (double)at / (double)count, "%s of %s sentence%s",
                        progress_count(done, (double)at), progress_count(all, (double)count), plural((double)count));
        translate_chunk(trial, translator, set, at, count - at < CHUNK ? count - at : CHUNK);
    }
    progress_end(&progress);
}

void model_evaluation_translate(ModelEvaluation *trial, const Models *models, TestSet *set, const SearchOptions *search, Pool *pool,
                     int quiet)
{
    SearchOptions options = *search;
    options.attention = 0;              /* nobody looks at them here */
    options.scoreless = 1;
    Translator *translator = translator_new_ensemble(models->model, models->count, &options, pool);
    double begin = clock_seconds();
    translate_all(trial, translator, set, quiet);
    trial->seconds = clock_seconds() - begin;
    trial->sentences = set->segments.count;
    translator_free(translator);
}

/* ---- References ---- */

static size_t count_pairs(const Segments *segments)
{
    size_t count = 0;
    for (size_t i = 0; i < segments->count; i++) count += (size_t)segments->references[i];
    return count;
}

/* Every source with each of its references; the text belongs to the segments, the arrays to the caller. */
static Corpus flatten(const Segments *segments)
{
    size_t count = count_pairs(segments);
    Corpus flat = { .source = xmalloc(count, sizeof *flat.source), .target = xmalloc(count, sizeof *flat.target) };
    for (size_t i = 0; i < segments->count; i++) {
        for (int r = 0; r < segments->references[i]; r++) {
            flat.source[flat.count] = segments->source[i];
            flat.target[flat.count++] = segments->reference[i][r];
        }
    }
    return flat;
}

/* Adds what the models say of the pairs up to one that can't be scored; returns how many these are. */
static size_t score_pairs(ModelEvaluation *trial, Translator *translator, const Corpus *pairs, size_t at, size_t count)
{
    Translation *scored = xcalloc(count, sizeof *scored);
    const size_t taken = translator_score(translator, pairs->source + at, pairs->target + at, count, scored);
    for (size_t i = 0; i < taken; i++) {
        const double loss = -scored[i].hypothesis[0].log_probability;
        const long tokens = count_tokens(&scored[i]);
        if (!isfinite(exp(loss / (double)tokens))) note_void(trial, pairs->source[at + i]);
        trial->loss += loss;
        trial->reference_tokens += tokens;
        translation_free(&scored[i]);
    }
    trial->pairs += (long)taken;
    free(scored);
    return taken;
}

static void score_references(ModelEvaluation *trial, Translator *translator, const Segments *segments)
{
    Corpus pairs = flatten(segments);
    for (size_t at = 0, taken, count; at < pairs.count; at += taken + (taken < count)) {
        count = pairs.count - at < CHUNK ? pairs.count - at : CHUNK;
        taken = score_pairs(trial, translator, &pairs, at, count);
    }
    const long left_out = (long)pairs.count - trial->pairs;
    if (left_out)
        warn("the loss is without %ld pair%s of more than %d tokens on a side", left_out, plural((double)left_out),
             SCORE_TOKENS);
    if (trial->reference_tokens) trial->loss /= (double)trial->reference_tokens;
    corpus_free(&pairs);
}

void model_evaluation_references(ModelEvaluation *trial, const Models *models, const TestSet *set, const SearchOptions *search, Pool *pool)
{
    SearchOptions options = *search;    /* with their precision and hard attention */
    options.beam = options.nbest = 1;
    options.attention = 0;
    Translator *translator = translator_new_ensemble(models->model, models->count, &options, pool);
    score_references(trial, translator, &set->segments);
    translator_free(translator);
}

int model_evaluation_check(const ModelEvaluation *trial, const Models *models, Err *e)
{
    if (!trial->no_number) return 0;
    Buf where = { 0 };
    buf_printf(&where, "'%.200s'", trial->no_number);
    models_overflow(models, where.text, e);
    buf_free(&where);
    return -1;
}

/* ---- Telling ---- */

static double per_second(const ModelEvaluation *trial, double count)
{
    return count / (trial->seconds + 1e-9);
}

void model_evaluation_print_speed(FILE *out, const ModelEvaluation *trial)
{
    char count[COUNT_TEXT], sentences[COUNT_TEXT], tokens[COUNT_TEXT];
    fprintf(out, "%s sentence%s in %.2f s, %s sentences/s, %s target tokens/s\n",
            progress_count(count, (double)trial->sentences), plural((double)trial->sentences), trial->seconds,
            progress_count(sentences, per_second(trial, (double)trial->sentences)),
            progress_count(tokens, per_second(trial, (double)trial->tokens)));
}

void model_evaluation_print_loss(FILE *out, const ModelEvaluation *trial)
{
    if (!trial->pairs) return;
    fprintf(out, "loss = %.4f (nats a token; %ld token%s in %ld reference%s)\n", trial->loss,
            trial->reference_tokens, plural((double)trial->reference_tokens), trial->pairs,
            plural((double)trial->pairs));
    fprintf(out, "perplexity = %.2f\n", exp(trial->loss));
}

void model_evaluation_to_json(const ModelEvaluation *trial, cJSON *object)
{
    if (trial->pairs) {
        cJSON_AddItemToObject(object, "loss", json_rounded(trial->loss, 6));
        cJSON_AddItemToObject(object, "perplexity", json_significant(exp(trial->loss), 6));
    }
    cJSON_AddNumberToObject(object, "reference_tokens", (double)trial->reference_tokens);
    cJSON_AddNumberToObject(object, "references", (double)trial->pairs);
    cJSON_AddNumberToObject(object, "sentences", (double)trial->sentences);
    cJSON_AddNumberToObject(object, "target_tokens", (double)trial->tokens);
    cJSON_AddItemToObject(object, "seconds", json_rounded(trial->seconds, 6));
    cJSON_AddItemToObject(object, "sentences_per_second",
                          json_significant(per_second(trial, (double)trial->sentences), 6));
    cJSON_AddItemToObject(object, "target_tokens_per_second",
                          json_significant(per_second(trial, (double)trial->tokens), 6));
}
