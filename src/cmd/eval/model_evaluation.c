/* model_evaluation.c - translates the sources in batches, and computes the loss of the
 * references. */
#include "cmd/eval/model_evaluation.h"

#include "base/files/replace.h"
#include "base/mem.h"
#include "base/plural.h"
#include "base/system/clock.h"
#include "cmd/cmd.h"
#include "cmd/progress.h"

#include <math.h>
#include <stdlib.h>

enum { BATCH = 4096 };      /* sentences between two updates of the progress line */
#define SECONDS_BETWEEN_LINES 10

/* ---- Translating ---- */

/* The number of tokens in the best translation of a line. */
static long count_tokens(const Translation *translation)
{
    long tokens = 0;
    for (size_t i = 0; i < translation->chunks; i++)
        tokens += chunk_hypothesis(&translation->chunk[i], 0)->length;
    return tokens;
}

static long count_unknown(const Translation *translation)
{
    long unknown = 0;
    for (size_t i = 0; i < translation->chunks; i++) {
        const Hypothesis *h = chunk_hypothesis(&translation->chunk[i], 0);
        for (int t = 0; t < h->length; t++) unknown += h->ids[t] == ID_UNK;
    }
    return unknown;
}

static void note_overflow(ModelEvaluation *evaluation, const char *source)
{
    if (!evaluation->overflow) evaluation->overflow = source;
}

static void translate_batch(ModelEvaluation *evaluation, Translator *translator, TestSet *set,
                            size_t at, size_t count)
{
    Translations all = translator_run(translator, set->segments.source + at, count);
    for (size_t i = 0; i < count; i++) {
        const Translation *t = &all.line[i];
        set->systems[0].line[at + i] = xstrdup(t->count ? t->hypothesis->text : "");
        evaluation->tokens += count_tokens(t);
        if (translation_is_void(t)) note_overflow(evaluation, set->segments.source[at + i]);
    }
    translations_free(&all);
}

static void translate_all(ModelEvaluation *evaluation, Translator *translator, TestSet *set,
                          int quiet)
{
    size_t count = set->segments.count;
    char done[COUNT_TEXT], all[COUNT_TEXT];
    Progress progress;
    progress_init(&progress, stderr, quiet, SECONDS_BETWEEN_LINES);
    for (size_t at = 0; at < count && !evaluation->overflow; at += BATCH) {
        progress_update(&progress, (double)at / (double)count, "%s of %s sentence%s",
                        progress_count(done, (double)at), progress_count(all, (double)count),
                        plural((double)count));
        translate_batch(evaluation, translator, set, at, count - at < BATCH ? count - at : BATCH);
    }
    progress_end(&progress);
}

static void translate(ModelEvaluation *evaluation, const Models *models, TestSet *set,
                      const EvaluationOptions *options, Pool *pool)
{
    SearchOptions search = *options->search;
    search.attention = 0;
    search.probabilities = 0;
    Translator *translator = translator_new_ensemble(models->model, models->count, &search, pool);
    double start = clock_seconds();
    translate_all(evaluation, translator, set, options->quiet);
    evaluation->seconds = clock_seconds() - start;
    evaluation->sentences = set->segments.count;
    translator_free(translator);
}

/* ---- References ---- */

static size_t count_pairs(const Segments *segments)
{
    size_t count = 0;
    for (size_t i = 0; i < segments->count; i++) count += (size_t)segments->references[i];
    return count;
}

/* Pairs of each source with each of its references. The caller owns the arrays, the segments the
 * text. */
static Corpus pairs_of(const Segments *segments)
{
    size_t count = count_pairs(segments);
    Corpus flat = { .source = xmalloc(count, sizeof *flat.source),
                    .target = xmalloc(count, sizeof *flat.target) };
    for (size_t i = 0; i < segments->count; i++) {
        for (int r = 0; r < segments->references[i]; r++) {
            flat.source[flat.count] = segments->source[i];
            flat.target[flat.count++] = segments->reference[i][r];
        }
    }
    return flat;
}

/* Adds the loss and the tokens of the pairs up to the first that is too long; returns how many
 * these are. */
static size_t score_pairs(ModelEvaluation *evaluation, Translator *translator, const Corpus *pairs,
                          size_t at, size_t count)
{
    Translations scored = translator_score(translator, pairs->source + at, pairs->target + at, count);
    const size_t taken = scored.count;
    for (size_t i = 0; i < taken; i++) {
        const double loss = -scored.line[i].hypothesis[0].log_probability;
        const long tokens = count_tokens(&scored.line[i]);
        if (!isfinite(exp(loss / (double)tokens))) note_overflow(evaluation, pairs->source[at + i]);
        evaluation->loss += loss;
        evaluation->reference_tokens += tokens;
        evaluation->unknown_tokens += count_unknown(&scored.line[i]);
    }
    evaluation->references += (long)taken;
    translations_free(&scored);
    return taken;
}

static void score_references(ModelEvaluation *evaluation, Translator *translator,
                             const Segments *segments)
{
    Corpus pairs = pairs_of(segments);
    for (size_t at = 0, taken, count; at < pairs.count; at += taken + (taken < count)) {
        count = pairs.count - at < BATCH ? pairs.count - at : BATCH;
        taken = score_pairs(evaluation, translator, &pairs, at, count);
    }
    const long left_out = (long)pairs.count - evaluation->references;
    if (left_out)
        warn("the loss is without %ld pair%s of more than %d tokens on a side", left_out,
             plural((double)left_out), SCORE_TOKENS);
    if (evaluation->reference_tokens) evaluation->loss /= (double)evaluation->reference_tokens;
    corpus_free(&pairs);
}

static void score_all_references(ModelEvaluation *evaluation, const Models *models,
                                 const TestSet *set, const SearchOptions *search, Pool *pool)
{
    SearchOptions options = *search;    /* the same attention as in translation, and precision unless that is auto */
    if (options.precision == FIELD_AUTO) options.precision = PRECISION_FLOAT;
    options.beam = options.nbest = 1;
    options.attention = 0;
    Translator *translator = translator_new_ensemble(models->model, models->count, &options, pool);
    score_references(evaluation, translator, &set->segments);
    translator_free(translator);
}

/* ---- Speed ---- */

static double per_second(const ModelEvaluation *evaluation, double count)
{
    return count / (evaluation->seconds + 1e-9);
}

/* Prints "300 sentences in 0.80 s, 375 sentences/s, 4,321 target tokens/s". */
static void print_speed(FILE *out, const ModelEvaluation *evaluation)
{
    char count[COUNT_TEXT], sentences[COUNT_TEXT], tokens[COUNT_TEXT];
    fprintf(out, "%s sentence%s in %.2f s, %s sentences/s, %s target tokens/s\n",
            progress_count(count, (double)evaluation->sentences),
            plural((double)evaluation->sentences), evaluation->seconds,
            progress_count(sentences, per_second(evaluation, (double)evaluation->sentences)),
            progress_count(tokens, per_second(evaluation, (double)evaluation->tokens)));
}

/* ---- Both ---- */

/* A model that knows the sentences tells nothing of others. */
static void warn_learned(const Models *models, int part)
{
    static const struct { const char *key, *name, *options; } parts[PARTS] = {
        [PART_TEST] = { "learned_test_pairs", "test", "--no-holdout" },
        [PART_VALID] = { "learned_valid_pairs", "valid", "--no-holdout or --valid" },
    };
    Err ignored;
    double pairs;
    for (int i = 0; part >= 0 && parts[part].key && i < models->count; i++)
        if (!json_get_number(models->model[i].training, parts[part].key, &pairs, &ignored) && pairs > 0)
            warn("%s: has learned %.0f pair%s of --part %s (attn train %s): on these a score measures "
                 "memory; score sentences that it never saw", models->path[i], pairs, plural(pairs),
                 parts[part].name, parts[part].options);
}

/* -1 with a message where the models computed NaN or infinity. */
static int check(const ModelEvaluation *evaluation, const Models *models, Err *e)
{
    if (!evaluation->overflow) return 0;
    Buf where = { 0 };
    buf_printf(&where, "'%.200s'", evaluation->overflow);
    models_overflow(models, where.text, e);
    buf_free(&where);
    return -1;
}

static int evaluate(ModelEvaluation *evaluation, const Models *models, TestSet *set,
                    const EvaluationOptions *options, Err *e)
{
    Pool *pool = start_workers(options->threads);
    warn_learned(models, options->part);
    translate(evaluation, models, set, options, pool);
    int rc = check(evaluation, models, e);
    if (!rc && !options->quiet) print_speed(stderr, evaluation);
    if (!rc && options->loss) {
        score_all_references(evaluation, models, set, options->search, pool);
        rc = check(evaluation, models, e);
    }
    pool_free(pool);
    return rc;
}

/* Opens the file for the translations first, so that a misspelt folder does not lose them. */
int model_evaluation_run(ModelEvaluation *evaluation, const Models *models, TestSet *set,
                         const EvaluationOptions *options, Err *e)
{
    Replace file;
    if (options->save && replace_open(&file, options->save, e)) return -1;
    int rc = evaluate(evaluation, models, set, options, e);
    if (!options->save) return rc;
    if (rc) {
        replace_abort(&file);
        return -1;
    }
    const Text *output = &set->systems[0];
    for (size_t i = 0; i < output->count; i++) fprintf(file.stream, "%s\n", output->line[i]);
    return replace_commit(&file, e);
}

/* ---- Printing ---- */

void model_evaluation_print_loss(FILE *out, const ModelEvaluation *evaluation)
{
    if (!evaluation->references) return;
    const double unknown = 100 * (double)evaluation->unknown_tokens
                           / (double)evaluation->reference_tokens;
    fprintf(out, "loss = %.4f (nats a token; %ld token%s in %ld reference%s)\n", evaluation->loss,
            evaluation->reference_tokens, plural((double)evaluation->reference_tokens),
            evaluation->references, plural((double)evaluation->references));
    fprintf(out, "perplexity = %.2f", exp(evaluation->loss));
    if (unknown >= 0.05) fprintf(out, " (%.1f %% of the tokens are <unk>: unknown words)", unknown);
    fputc('\n', out);
}

void model_evaluation_to_json(const ModelEvaluation *evaluation, cJSON *object)
{
    if (evaluation->references) {
        cJSON_AddItemToObject(object, "loss", json_rounded(evaluation->loss, 6));
        cJSON_AddItemToObject(object, "perplexity", json_significant(exp(evaluation->loss), 6));
    }
    cJSON_AddNumberToObject(object, "reference_tokens", (double)evaluation->reference_tokens);
    cJSON_AddNumberToObject(object, "unknown_tokens", (double)evaluation->unknown_tokens);
    cJSON_AddNumberToObject(object, "references", (double)evaluation->references);
    cJSON_AddNumberToObject(object, "sentences", (double)evaluation->sentences);
    cJSON_AddNumberToObject(object, "target_tokens", (double)evaluation->tokens);
    cJSON_AddItemToObject(object, "seconds", json_rounded(evaluation->seconds, 6));
    cJSON_AddItemToObject(object, "sentences_per_second",
                          json_significant(per_second(evaluation, (double)evaluation->sentences),
                                           6));
    cJSON_AddItemToObject(object, "target_tokens_per_second",
                          json_significant(per_second(evaluation, (double)evaluation->tokens), 6));
}
