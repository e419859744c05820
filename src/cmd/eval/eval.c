/* eval.c - `attn eval`: translate a test set and score it, or score a finished translation. */
#include "base/mem.h"
#include "cmd/eval/analysis.h"
#include "cmd/cmd.h"
#include "cmd/corpus_files.h"
#include "cmd/eval/compare.h"
#include "cmd/eval/piped.h"
#include "cmd/eval/python_json.h"
#include "cmd/eval/request.h"
#include "cmd/models.h"
#include "cmd/options.h"
#include "cmd/outputs.h"
#include "cmd/eval/score.h"
#include "cmd/skipped.h"
#include "cmd/eval/test_set.h"
#include "cmd/eval/model_evaluation.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The sources of a test set: EXIT_OK, or EXIT_FAILED after a message ---- */

static int read_pairs(const Request *r, const BitextFiles *files, TestSet *set)
{
    Err e;
    if (test_set_read_corpus(set, files, part_of(r), &e)) return fail("%s", e.text);
    warn_skipped(&set->report, files);
    if (r->first_reference) test_set_keep_first(set);
    return EXIT_OK;
}

static int evaluate_corpus(const Request *r, const Models *models, const BitextFiles *files,
                           TestSet *set, ModelEvaluation *evaluation)
{
    Err e;
    if (read_pairs(r, files, set) != EXIT_OK) return EXIT_FAILED;
    const EvaluationOptions options = { .search = &r->search, .save = r->save,
                                        .threads = r->threads, .quiet = r->quiet,
                                        .part = part_of(r),
                                        .loss = !r->score.sentence_level };
    if (!model_evaluation_run(evaluation, models, set, &options, &e)) return EXIT_OK;
    test_set_free(set);
    return fail("%s", e.text);
}

/* Checks, before any work, that --save names none of the inputs and replaces no file without
 * --force. */
static int check_output(const Request *r, const BitextFiles *files, Err *e)
{
    const Output output = { r->save, "translations", "--save" };
    const size_t models = (size_t)r->models.count, corpus = (size_t)files->count;
    const char **inputs = xmalloc(models + corpus, sizeof *inputs);
    memcpy(inputs, r->models.text, models * sizeof *inputs);
    memcpy(inputs + models, files->name, corpus * sizeof *inputs);
    const CommandFiles all = { &output, inputs, 1, models + corpus };
    int rc = outputs_check(&all, r->score.force, e);
    free(inputs);
    return rc;
}

static int read_corpus(Request *r, int operands, char **corpus, TestSet *set,
                       ModelEvaluation *evaluation)
{
    Err e;
    const BitextFiles files = corpus_files("eval", r->format, r->columns, operands, corpus);
    Models models;
    if (check_output(r, &files, &e)) return fail("%s", e.text);
    int status = load_models(&models, &r->models);
    if (status == EXIT_OK) choose_tokenizer(r, models.model[0].text.to);
    if (status == EXIT_OK) status = evaluate_corpus(r, &models, &files, set, evaluation);
    models_free(&models);
    return status;
}

/* A corpus whose translation is finished. */
static int read_translated(const Request *r, int operands, char **corpus, TestSet *set)
{
    Err e;
    const BitextFiles files = corpus_files("eval", r->format, r->columns, operands, corpus);
    if (read_pairs(r, &files, set) != EXIT_OK) return EXIT_FAILED;
    if (!test_set_read_outputs(set, r->hypotheses.text, r->hypotheses.count, &e)) return EXIT_OK;
    return fail("%s", e.text);
}

static int read_files(const Request *r, int operands, char **more, TestSet *set)
{
    Err e;
    const int named = r->references.count, count = named + operands;
    const char **references = xmalloc((size_t)count, sizeof *references);
    for (int i = 0; i < count; i++)
        references[i] = i < named ? r->references.text[i] : more[i - named];
    int failed = test_set_read_files(set, r->hypotheses.text, r->hypotheses.count, references,
                                     count,
                                    r->missing_references, &e);
    free(references);
    if (!failed && r->source)
        failed = test_set_read_sources(set, r->hypotheses.text[0], r->source, &e);
    if (!failed && r->piped) failed = test_set_check_one_system(set, &e);
    if (!failed) return EXIT_OK;
    return r->piped ? fail("%s (%s)", e.text, r->piped) : fail("%s", e.text);
}

/* ---- The result ---- */

static void print_text(const Request *r, const TestSet *set, const System *systems,
                       const ModelEvaluation *evaluation)
{
    const SystemOutputs outputs = test_set_outputs(set);
    if (r->score.sentence_level) score_print_sentences(stdout, &r->score, &systems->hypotheses);
    else if (r->hypotheses.count > 1)
        compare_print(stdout, &r->score, systems, r->hypotheses.count);
    else score_print(stdout, &r->score, &systems->hypotheses);
    if (evaluation) model_evaluation_print_loss(stdout, evaluation);
    analysis_print(stdout, &r->analysis, &outputs, &r->score);
}

static cJSON *several_to_json(const Request *r, const System *systems)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "systems",
                          compare_to_json(&r->score, systems, r->hypotheses.count));
    return object;
}

/* Prints one object with all results. Further options only add members. */
static void print_json(const Request *r, const TestSet *set, const System *systems,
                       const ModelEvaluation *evaluation)
{
    const SystemOutputs outputs = test_set_outputs(set);
    cJSON *object = r->hypotheses.count > 1 ? several_to_json(r, systems)
        : scores_to_json(&r->score, &systems->hypotheses);
    if (evaluation) model_evaluation_to_json(evaluation, object);
    analysis_to_json(&r->analysis, &outputs, &r->score, object);
    python_json_print(stdout, object);
    cJSON_Delete(object);
}

static void print_result(const Request *r, const TestSet *set, const ModelEvaluation *evaluation)
{
    System systems[TEXT_LIST_MOST] = { { NULL, test_set_hypotheses(set, 0) } };
    score_warn_references(&r->score, &systems->hypotheses);
    int one_object = r->score.json && !r->score.sentence_level;
    for (int i = 0; i < r->hypotheses.count; i++)
        systems[i] = (System){ r->hypotheses.text[i], test_set_hypotheses(set, i) };
    (one_object ? print_json : print_text)(r, set, systems, evaluation);
}

static int run_scores(Request *r, const Options *given, Buf *memory)
{
    TestSet set;
    ModelEvaluation evaluation = { 0 };
    const int finished = asks_for_files(r);
    if (!finished && find_models(&r->models, memory)) return EXIT_FAILED;
    if (finished) choose_tokenizer(r, "");
    const int status = r->of_corpus ? read_translated(r, given->count, given->operand, &set)
                       : finished ? read_files(r, given->count, given->operand, &set)
                       : read_corpus(r, given->count, given->operand, &set, &evaluation);
    if (status != EXIT_OK) return status;
    const int is_other = r->listens && piped_since();
    if (!is_other) print_result(r, &set, finished ? NULL : &evaluation);
    test_set_free(&set);
    return is_other ? PIPED_AGAIN : EXIT_OK;
}

static int run_once(int argc, char **argv)
{
    Request r;
    Options given = eval_request(&r, argc, argv);
    Buf paths = { 0 };          /* of the models */
    const int status = run_scores(&r, &given, &paths);
    buf_free(&paths);
    score_options_free(&r.score);
    options_free(&given);
    return status;
}

static int run(int argc, char **argv)
{
    int status;
    while ((status = run_once(argc, argv)) == PIPED_AGAIN);
    return status;
}

const Command command_eval = { "eval", "score a model or a finished translation: BLEU, chrF, TER",
                               run, eval_describe };
