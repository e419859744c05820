/* eval.c - `attn eval`: translate a test set and score it, or score a finished translation. */
#include "cmd/eval/eval.h"

#include "base/files/replace.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/system/environment.h"
#include "cmd/command_files.h"
#include "cmd/models.h"
#include "cmd/progress.h"
#include "translate/translator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- A model translates the test set ---- */

/* What is reported of it beside scores. */
typedef struct {
    double sentences;
    long   tokens;              /* of the translations, EOS included */
    double seconds;             /* of translating */
    long   references;          /* pairs of a source and a reference, without those that are too
                                   long to score */
    long   reference_tokens;    /* of these references, EOS included */
    long   unknown_tokens;      /* <unk> among these: the more, the smaller the loss can be */
    double loss;                /* mean cross-entropy of a reference token, in nats */
    const char *overflow;       /* the first source, in the set, for which the models compute NaN or
                                   infinity; NULL: none */
} Evaluation;

enum { BATCH = 4096 };      /* sentences between two updates of the progress line */

/* The number of tokens in the best translation of a line; *unknown: how many of them are <unk>. */
static long count_tokens(const Translation *translation, long *unknown)
{
    long tokens = 0;
    for (size_t i = 0; i < translation->chunks; i++) {
        const Hypothesis *h = chunk_hypothesis(&translation->chunk[i], 0);
        tokens += h->length;
        for (int t = 0; t < h->length; t++) *unknown += h->ids[t] == ID_UNK;
    }
    return tokens;
}

/* Sets the lines of the set's one system. */
static void translate(Evaluation *evaluation, const Request *r, const Models *models, TestSet *set,
                      Pool *pool)
{
    SearchOptions search = r->search;
    search.attention = search.probabilities = 0;
    Translator *translator = translator_new(models->model, models->count, &search, pool);
    const size_t count = set->segments.count;
    const double start = clock_seconds();
    Progress progress;
    progress_init(&progress, stderr, r->quiet, 10);
    for (size_t at = 0; at < count && !evaluation->overflow; at += BATCH) {
        const size_t batch = count - at < BATCH ? count - at : BATCH;
        progress_update(&progress, (double)at / (double)count, "%s of %s sentence%s",
                        progress_count((double)at).text, progress_count((double)count).text,
                        plural((double)count));
        Translations translated =
            translator_run(translator, set->segments.source + at, NULL, batch);
        for (size_t i = 0; i < batch; i++) {
            const Translation *t = &translated.line[i];
            long ignored = 0;
            const char *text = t->count ? t->hypothesis[0].text : "";
            set->systems->line[at + i] = region_strndup(&set->segments.lists, text, strlen(text));
            evaluation->tokens += count_tokens(t, &ignored);
            if (translation_is_void(t) && !evaluation->overflow)
                evaluation->overflow = set->segments.source[at + i];
        }
        translations_free(&translated);
    }
    progress_clear(&progress);
    evaluation->seconds = clock_seconds() - start;
    evaluation->sentences = (double)count;
    translator_free(translator);
}

/* Pairs of each source with each of its references. The caller owns the arrays, the segments the
 * text. */
static Corpus pairs_of(const Segments *segments)
{
    size_t count = 0;
    for (size_t i = 0; i < segments->count; i++) count += (size_t)segments->references[i];
    Corpus pairs = { .source = xmalloc(count, sizeof *pairs.source),
                     .target = xmalloc(count, sizeof *pairs.target) };
    for (size_t i = 0; i < segments->count; i++)
        for (int k = 0; k < segments->references[i]; k++) {
            pairs.source[pairs.count] = segments->source[i];
            pairs.target[pairs.count++] = segments->reference[i][k];
        }
    return pairs;
}

/* The loss has the attention of the search, and its precision, float where that is auto; of several
 * models it is that of their mean probabilities. */
static void score_references(Evaluation *evaluation, const Request *r, const Models *models,
                             const TestSet *set, Pool *pool)
{
    SearchOptions search = r->search;
    if (search.precision == FIELD_AUTO) search.precision = PRECISION_FLOAT;
    search.beam = search.nbest = 1;
    search.attention = 0;
    Translator *translator = translator_new(models->model, models->count, &search, pool);
    Corpus pairs = pairs_of(&set->segments);
    for (size_t at = 0, taken, batch; at < pairs.count; at += taken + (taken < batch)) {
        batch = pairs.count - at < BATCH ? pairs.count - at : BATCH;
        Translations scored = translator_score(translator, pairs.source + at, pairs.target + at,
                                               batch);
        taken = scored.count;
        for (size_t i = 0; i < taken; i++) {
            const double loss = -scored.line[i].hypothesis[0].log_probability;
            const long tokens = count_tokens(&scored.line[i], &evaluation->unknown_tokens);
            if (!isfinite(exp(loss / (double)tokens)) && !evaluation->overflow)
                evaluation->overflow = pairs.source[at + i];
            evaluation->loss += loss;
            evaluation->reference_tokens += tokens;
        }
        translations_free(&scored);
        evaluation->references += (long)taken;      /* the pair behind them is too long */
    }
    const long left_out = (long)pairs.count - evaluation->references;
    if (left_out)
        warn("the loss is without %ld pair%s of more than %d tokens on a side", left_out,
             plural((double)left_out), SCORE_TOKENS);
    if (evaluation->reference_tokens) evaluation->loss /= (double)evaluation->reference_tokens;
    corpus_free(&pairs);
    translator_free(translator);
}

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
        if (!json_get_number(models->model[i].training, parts[part].key, &pairs, &ignored)
            && pairs > 0)
            warn("%s: has learned %.0f pair%s of --part %s (attn train %s): on these a score "
                 "measures memory; score sentences that it never saw", models->path[i], pairs,
                 plural(pairs), parts[part].name, parts[part].options);
}

static double per_second(const Evaluation *evaluation, double count)
{
    return count / (evaluation->seconds + 1e-9);
}

static void print_loss(const Evaluation *evaluation)
{
    if (!evaluation->references) return;
    const double unknown = 100 * (double)evaluation->unknown_tokens
                           / (double)evaluation->reference_tokens;
    printf("loss = %.4f (nats a token; %ld token%s in %ld reference%s)\nperplexity = %.2f",
           evaluation->loss, evaluation->reference_tokens,
           plural((double)evaluation->reference_tokens), evaluation->references,
           plural((double)evaluation->references), exp(evaluation->loss));
    if (unknown >= 0.05) printf(" (%.1f %% of the tokens are <unk>: unknown words)", unknown);
    putchar('\n');
}

static void add_evaluation(const Evaluation *evaluation, cJSON *object)
{
    if (evaluation->references) {
        cJSON_AddItemToObject(object, "loss", json_rounded(evaluation->loss, 6));
        cJSON_AddItemToObject(object, "perplexity", json_significant(exp(evaluation->loss), 6));
    }
    const struct { const char *key; double number; } counts[] = {
        { "reference_tokens", (double)evaluation->reference_tokens },
        { "unknown_tokens", (double)evaluation->unknown_tokens },
        { "references", (double)evaluation->references },
        { "sentences", evaluation->sentences },
        { "target_tokens", (double)evaluation->tokens },
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        cJSON_AddNumberToObject(object, counts[i].key, counts[i].number);
    const double sentences = per_second(evaluation, evaluation->sentences);
    const double tokens = per_second(evaluation, (double)evaluation->tokens);
    cJSON_AddItemToObject(object, "seconds", json_rounded(evaluation->seconds, 6));
    cJSON_AddItemToObject(object, "sentences_per_second", json_significant(sentences, 6));
    cJSON_AddItemToObject(object, "target_tokens_per_second", json_significant(tokens, 6));
}

/* Translates and saves; -1 with a message where the models computed NaN or infinity. The file of
 * --save is opened first, so that a misspelt folder does not lose the translations. */
static int evaluate(Evaluation *evaluation, const Request *r, const Models *models, TestSet *set,
                    Err *e)
{
    Replace file;
    if (r->save && replace_open(&file, r->save, e)) return -1;
    Pool *pool = start_workers(r->score.threads);
    warn_learned(models, part_of(r));
    translate(evaluation, r, models, set, pool);
    if (!evaluation->overflow && !r->quiet) {
        /* "300 sentences in 0.80 s, 375 sentences/s, 4,321 target tokens/s" */
        const double all = evaluation->sentences;
        fprintf(stderr, "%s sentence%s in %.2f s, %s sentences/s, %s target tokens/s\n",
                progress_count(all).text, plural(all), evaluation->seconds,
                progress_count(per_second(evaluation, all)).text,
                progress_count(per_second(evaluation, (double)evaluation->tokens)).text);
    }
    if (!evaluation->overflow && !r->score.sentence_level)
        score_references(evaluation, r, models, set, pool);
    pool_free(pool);
    if (evaluation->overflow) {
        char where[256];
        snprintf(where, sizeof where, "'%.200s'", evaluation->overflow);
        if (r->save) replace_abort(&file);
        return models_overflow(models, where, e);
    }
    if (!r->save) return 0;
    for (size_t i = 0; i < set->systems->count; i++)
        fprintf(file.stream, "%s\n", set->systems->line[i]);
    return replace_commit(&file, e);
}

/* ---- The test set ---- */

static int read_pairs(const Request *r, const BitextFiles *files, TestSet *set, Err *e)
{
    if (test_set_read_corpus(set, files, part_of(r), e)) return -1;
    warn_skipped(&set->report, files);
    if (r->first_reference)
        for (size_t i = 0; i < set->segments.count; i++) set->segments.references[i] = 1;
    return 0;
}

/* Checks, before any work, that --save names none of the inputs and replaces no file without
 * --force. */
static int check_output(const Request *r, const Models *models, const BitextFiles *files, Err *e)
{
    const Output output = { r->save, "translations", "--save" };
    const size_t own = (size_t)models->count, corpus = (size_t)files->count;
    SCOPED(xfree_at) const char **inputs = xmalloc(own + corpus, sizeof *inputs);
    memcpy(inputs, models->path, own * sizeof *inputs);
    memcpy(inputs + own, files->name, corpus * sizeof *inputs);
    return outputs_check(&output, 1, inputs, own + corpus, r->score.force, e);
}

static int translate_corpus(Request *r, const BitextFiles *files, TestSet *set,
                            Evaluation *evaluation, Err *e)
{
    SCOPED(models_free) Models models = { 0 };
    if (find_models(&models, &r->models, e) || check_output(r, &models, files, e)
        || load_models(&models, 0, e))
        return -1;
    choose_tokenizer(r, models.model[0].text.to);
    if (tokenizer_language(models.model[0].source, slice_of(r->to)))
        memcpy(r->search.to, r->to, sizeof r->search.to);
    else warn_without_target(models.model, models.path[0]);
    return read_pairs(r, files, set, e) || evaluate(evaluation, r, &models, set, e) ? -1 : 0;
}

static int read_test_set(Request *r, const Options *given, TestSet *set, Evaluation *evaluation,
                         Err *e)
{
    Err why;
    if (asks_for_files(r)) choose_tokenizer(r, "");
    if (asks_for_files(r) && !r->of_corpus) {
        if (!test_set_read_files(set, r, &why)) return 0;
        return r->piped ? err(e, "%s (%s)", why.text, r->piped) : err(e, "%s", why.text);
    }
    const BitextFiles files = corpus_files("eval", r->format, r->columns, given->count,
                                           given->operand);
    if (!asks_for_files(r)) return translate_corpus(r, &files, set, evaluation, e);
    return read_pairs(r, &files, set, e) || test_set_read_outputs(set, &r->hypotheses, e) ? -1 : 0;
}

/* ---- The result ---- */

/* evaluation: NULL for finished translations. Further options only add members to the object. */
static void print_result(const Request *r, const TestSet *set, const Evaluation *evaluation)
{
    const ScoreOptions *score = &r->score;
    const int compares = set->system_count > 1;
    warn_unspaced(score, &set->segments);
    if (score->sentence_level) {
        scores_print_sentences(score, set);
        return;
    }
    if (compares && !score->json) comparison_print(score, set, &r->hypotheses);
    cJSON *object = !compares ? scores_to_json(score, set)
                    : score->json ? comparison_to_json(score, set, &r->hypotheses)
                    : cJSON_CreateObject();
    if (!compares && !score->json) scores_print(object, score->width);
    if (evaluation && !score->json) print_loss(evaluation);
    if (evaluation && score->json) add_evaluation(evaluation, object);
    analysis_to_json(&r->analysis, set, &score->metrics, score->width, object);
    if (score->json) python_json_print(object);
    else analysis_print(stdout, object, &score->metrics, score->width);
    cJSON_Delete(object);
}

static int run(int argc, char **argv)
{
    Err e;
    Request r;
    SCOPED(options_free) Options given = eval_request(&r, argc, argv);
    SCOPED(test_set_free) TestSet set = { 0 };
    Evaluation evaluation = { 0 };
    const int failed = read_test_set(&r, &given, &set, &evaluation, &e);
    if (!failed) {
        check_no_input(&r);
        print_result(&r, &set, asks_for_files(&r) ? NULL : &evaluation);
    }
    metric_set_free(&r.score.metrics);
    return failed ? fail("%s", e.text) : EXIT_OK;
}

const Command command_eval = { "eval", "score a model or a finished translation: BLEU, chrF, TER",
                               run, eval_describe };
