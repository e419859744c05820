/* trial.c - translating in chunks, and the references as pairs of ids. */
#include "cmd/trial.h"

#include "base/clock.h"
#include "base/mem.h"
#include "cmd/progress.h"
#include "model/prepacked_weights.h"

#include <math.h>
#include <stdlib.h>

enum {
    CHUNK = 4096,                       /* sentences between two looks at the progress */
    LONGEST_REFERENCE = SCORE_TOKENS    /* tokens a side: a file of documents must not ask for all memory */
};
#define SECONDS_BETWEEN_LINES 10

/* ---- Translating ---- */

/* Tokens of the best translation of a line. */
static long count_tokens(const Translation *translation)
{
    long tokens = 0;
    for (size_t i = 0; i < translation->stretches; i++) tokens += stretch_found(&translation->stretch[i], 0)->length;
    return tokens;
}

static void translate_chunk(Trial *trial, Translator *translator, TestSet *set, size_t at, size_t count)
{
    Translation *translations = xcalloc(count, sizeof *translations);
    translator_run(translator, set->segments.source + at, count, translations);
    for (size_t i = 0; i < count; i++) {
        const Hypothesis *best = translations[i].count ? translations[i].hypothesis : NULL;
        set->hypotheses.line[at + i] = xstrdup(best ? best->text : "");
        trial->tokens += count_tokens(&translations[i]);
        translation_free(&translations[i]);
    }
    free(translations);
}

static void translate_all(Trial *trial, Translator *translator, TestSet *set, int quiet)
{
    size_t count = set->segments.count;
    char done[COUNT_TEXT], all[COUNT_TEXT];
    Progress progress;
    progress_start(&progress, stderr, quiet, SECONDS_BETWEEN_LINES);
    for (size_t at = 0; at < count; at += CHUNK) {
        progress_update(&progress, (double)at / (double)count, "%s of %s sentences",
                        progress_count(done, (double)at), progress_count(all, (double)count));
        translate_chunk(trial, translator, set, at, count - at < CHUNK ? count - at : CHUNK);
    }
    progress_end(&progress);
}

void trial_translate(Trial *trial, const Models *models, TestSet *set, const SearchOptions *search, Pool *pool,
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

/* What was cut lost its <eos>. */
static long count_cut(const Pairs *pairs)
{
    long cut = 0;
    for (size_t i = 1; i <= pairs->count; i++)
        cut += pairs->source[pairs->source_at[i] - 1] != ID_END || pairs->target[pairs->target_at[i] - 1] != ID_END;
    return cut;
}

static void encode(const Model *model, const Segments *segments, Pairs *pairs)
{
    Corpus flat = flatten(segments);
    pairs_encode(pairs, &flat, model->source, model->target, LONGEST_REFERENCE);
    corpus_free(&flat);
    long cut = count_cut(pairs);
    if (cut)
        warn("for the loss %ld pair%s cut to %d tokens on a side", cut, cut == 1 ? " was" : "s were",
             LONGEST_REFERENCE);
}

/* Adds what the models say together of pairs that can be scored; returns how many that are from the first. */
static size_t score_pairs(Trial *trial, Translator *translator, const Corpus *pairs, size_t at, size_t count)
{
    Translation *scored = xcalloc(count, sizeof *scored);
    const size_t taken = translator_score(translator, pairs->source + at, pairs->target + at, count, scored);
    for (size_t i = 0; i < taken; i++) {
        trial->references.loss -= scored[i].hypothesis[0].log_probability;
        trial->references.tokens += count_tokens(&scored[i]);
        translation_free(&scored[i]);
    }
    trial->pairs += (long)taken;
    free(scored);
    return taken;
}

static void references_together(Trial *trial, Translator *translator, const Segments *segments)
{
    Corpus pairs = flatten(segments);
    for (size_t at = 0, taken, count; at < pairs.count; at += taken + (taken < count)) {
        count = pairs.count - at < CHUNK ? pairs.count - at : CHUNK;
        taken = score_pairs(trial, translator, &pairs, at, count);
    }
    const long left_out = (long)pairs.count - trial->pairs;
    if (left_out)
        warn("the loss is without %ld pair%s of more than %d tokens on a side", left_out, left_out == 1 ? "" : "s",
             LONGEST_REFERENCE);
    if (trial->references.tokens) trial->references.loss /= (double)trial->references.tokens;
    corpus_free(&pairs);
}

static void references_of_one(Trial *trial, const Model *model, const Segments *segments, const SearchOptions *search,
                              Pool *pool)
{
    Pairs pairs;
    encode(model, segments, &pairs);
    trial->pairs = (long)pairs.count;
    Net net = model_net(model);
    Weights weights = weights_in(model->table, model->weights, (Precision)search->precision);
    PrepackedWeights *prepacked = prepacked_weights_new(model->table, &weights, PREPACKED_TO_USE);
    trial->references = evaluation_run(&net, &weights, &pairs, search->batch, ID_BEGIN, pool, NULL);
    prepacked_weights_free(prepacked);
    pairs_free(&pairs);
}

void trial_references(Trial *trial, const Models *models, const TestSet *set, const SearchOptions *search, Pool *pool)
{
    if (models->count == 1) {
        references_of_one(trial, &models->model[0], &set->segments, search, pool);
        return;
    }
    SearchOptions options = search_defaults();
    options.batch = search->batch;
    options.precision = search->precision;
    options.attention = 0;
    Translator *translator = translator_new_ensemble(models->model, models->count, &options, pool);
    references_together(trial, translator, &set->segments);
    translator_free(translator);
}

/* ---- Telling ---- */

static double per_second(const Trial *trial, double count)
{
    return count / (trial->seconds + 1e-9);
}

void trial_print_speed(FILE *out, const Trial *trial)
{
    char count[COUNT_TEXT], sentences[COUNT_TEXT], tokens[COUNT_TEXT];
    fprintf(out, "%s sentence%s in %.2f s, %s sentences/s, %s target tokens/s\n",
            progress_count(count, (double)trial->sentences), trial->sentences == 1 ? "" : "s", trial->seconds,
            progress_count(sentences, per_second(trial, (double)trial->sentences)),
            progress_count(tokens, per_second(trial, (double)trial->tokens)));
}

void trial_print_loss(FILE *out, const Trial *trial)
{
    if (!trial->pairs) return;
    fprintf(out, "loss = %.4f (nats a token; %ld tokens in %ld reference%s)\n", trial->references.loss,
            trial->references.tokens, trial->pairs, trial->pairs == 1 ? "" : "s");
    fprintf(out, "perplexity = %.2f\n", exp(trial->references.loss));
}

void trial_to_json(const Trial *trial, cJSON *object)
{
    cJSON_AddNumberToObject(object, "loss", trial->references.loss);
    cJSON_AddNumberToObject(object, "perplexity", exp(trial->references.loss));
    cJSON_AddNumberToObject(object, "reference_tokens", (double)trial->references.tokens);
    cJSON_AddNumberToObject(object, "references", (double)trial->pairs);
    cJSON_AddNumberToObject(object, "sentences", (double)trial->sentences);
    cJSON_AddNumberToObject(object, "target_tokens", (double)trial->tokens);
    cJSON_AddNumberToObject(object, "seconds", trial->seconds);
    cJSON_AddNumberToObject(object, "sentences_per_second", per_second(trial, (double)trial->sentences));
    cJSON_AddNumberToObject(object, "target_tokens_per_second", per_second(trial, (double)trial->tokens));
}
