/* eval.c - `attn eval`: translate a test set and score it, or score a finished translation. */
#include "base/mem.h"
#include "base/terminal.h"
#include "cmd/eval/analysis.h"
#include "cmd/cmd.h"
#include "cmd/corpus_files.h"
#include "cmd/eval/compare.h"
#include "cmd/eval/python_json.h"
#include "cmd/models.h"
#include "cmd/options.h"
#include "cmd/outputs.h"
#include "cmd/eval/piped.h"
#include "cmd/eval/robust.h"
#include "cmd/eval/score.h"
#include "cmd/skipped.h"
#include "cmd/eval/test_set.h"
#include "cmd/eval/model_evaluation.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ---- */

typedef struct {
    const char     *save, *source, *metrics;
    const char     *piped;  /* why standard input is the translation; NULL: it is not */
    TextList        models, hypotheses, references;
    int             format, part, first_reference, missing_references, threads, quiet;
    SearchOptions   search;
    ScoreOptions    score;
    AnalysisOptions analysis;
    RobustOptions   robust;
} Request;

enum { PART_ALL };                                      /* the others are a Part + 1 */
static const char *const parts[] = { "all", "test", "valid", "train", NULL };

#define AT(member) .offset = offsetof(Request, member)
static const Field corpus_fields[] = {
    { .group = "Translating a corpus", .name = "model", .letter = 'm', .kind = FIELD_TEXTS,
      AT(models), .value = "FILE",
      .help = models_help },
    { .name = "format", .kind = FIELD_CHOICE, AT(format), .choices = corpus_formats,
      .value = "FORM",
      .help = corpus_format_help },
    { .name = "part", .kind = FIELD_CHOICE, AT(part), .choices = parts,
      .help = "the sentences of one part only, by the hash of the source" },
    { .name = "first-reference", .kind = FIELD_FLAG, AT(first_reference),
      .help = "of several targets of one source take only the first" },
    { .name = "save", .kind = FIELD_TEXT, AT(save), .value = "FILE",
      .help = "write the translations, a line each" },
    { .name = NULL }
};

static const Field score_fields[] = {
    { .group = "Scoring a finished translation", .name = "hyp", .kind = FIELD_TEXTS, AT(hypotheses),
      .value = "FILE",
      .help = "the translations, a line each; given again: another system to compare with" },
    { .name = "ref", .kind = FIELD_TEXTS, AT(references), .value = "FILE",
      .help = "the reference of each line; given again, and every operand: one more" },
    { .name = "missing-references", .kind = FIELD_FLAG, AT(missing_references),
      .help =
          "an empty line is no reference: some sources have fewer (else it is one of no words)" },
    { .name = "src", .kind = FIELD_TEXT, AT(source), .value = "FILE",
      .help = "the source of each line, for --by-length and --errors" },
    { .group = "Scores", .name = "metrics", .kind = FIELD_TEXT, AT(metrics), .value = "LIST",
      .help = "bleu, chrf, chrf++, ter, or several with commas; default: bleu, for a model "
              "bleu,chrf" },
    { .name = "sentence-level", .kind = FIELD_FLAG, AT(score.sentence_level),
      .help = "score each segment by itself; BLEU then counts the orders that fit into it" },
    { .name = "width", .kind = FIELD_INT, AT(score.width), .low = 0, .high = 15, .value = "N",
      .help = "digits of the score behind the point" },
    { .name = "json", .kind = FIELD_FLAG, AT(score.json),
      .help = "one object: the first score with its signature, each further one under its name, "
              "and all other results; several --hyp are a list in \"systems\"" },
    { .name = "force", .kind = FIELD_FLAG, AT(score.force),
      .help = "replace the file of --save; no warning where the translation looks tokenized" },
    { .name = "threads", .letter = 't', .alias = "jobs", .kind = FIELD_INT, AT(threads), .low = 0,
      .high = 1024,
      .value = "N", .help = "worker threads; 0: one a core" },
    { .name = "quiet", .letter = 'q', .kind = FIELD_FLAG, AT(quiet),
      .help = "no progress, no summary" },
    { .name = NULL }
};

static const HelpText help_text = {
    .usage = "attn eval [OPTION...] [-m MODEL] CORPUS...\n"
             "attn eval [OPTION...] --hyp FILE [--hyp FILE...] --ref FILE [FILE...]\n"
             "attn eval [OPTION...] REFERENCE < TRANSLATION\n"
             "attn eval --robust [OPTION...] CORPUS...",
    .about =
        "Translates the sources of a corpus and compares the result with the targets, or\n"
        "compares a finished translation with references. The scores are those of\n"
        "sacreBLEU 2.6; a signature says all that a score depends on, and only scores\n"
        "with the same signature can be compared.\n"
        "\n"
        "CORPUS is a TSV file (source, tab, target), or two files with the same number of\n"
        "lines, or several (--format). A FILE may end in .gz, and - is standard input. A\n"
        "byte-order mark is no part of a corpus; at the start of a --hyp or --ref it is\n"
        "text, as for sacreBLEU, with a warning. sacreBLEU's own line has --width 1.\n"
        "Pairs with the same source are one segment with several references. --part test\n"
        "takes the sentences that attn train holds out: 1 % of the sources, by a hash.\n"
        "A model also gets the loss of the references, the mean cross-entropy of their\n"
        "tokens in nats, and the perplexity, its exponential: they depend on the model's\n"
        "vocabulary, scores don't. Several --model translate together, as attn translate\n"
        "has them do, and must cut text into the same pieces.\n"
        "\n"
        "Without --hyp the translation is standard input, if --ref is given; or if the\n"
        "only FILE has no tab, so that it is no corpus but a reference, and no option is\n"
        "given that is for translating.\n"
        "\n"
        "--by-length counts the words between blanks. --errors counts what the source and\n"
        "every reference have, but not the translation: numbers in digits (1,000, 1.000\n"
        "and 1 000 are the same); names, which are words with a capital that don't begin\n"
        "a sentence; negations, of English and French (not, n't, cannot, never, no,\n"
        "nobody, nothing; ne, n', pas, jamais, rien, personne). It also counts\n"
        "translations that repeat themselves: two to sixteen words occur three times in a\n"
        "row or more often, and more often than in the source and in every reference.\n"
        "\n"
        "--robust alters the sources of CORPUS as people type, by rules and --seed, and\n"
        "measures what stays right. New names, in the place of those both sides share,\n"
        "new numbers, addresses, code and the like must be in the translation exactly, as\n"
        "often as in the source; a number may change its separators. Each other row is\n"
        "the BLEU of the altered sentences as a share of the plain ones'; a sentence with\n"
        "nothing to alter counts as plain. Capitals and small letters are scored without\n"
        "regard to case, a source without its final mark without final marks. What is a\n"
        "name is decided by all of CORPUS, what is measured by --part. For another\n"
        "translator --robust-save writes the altered sources; --hyp is its translation.\n"
        "\n"
        "Score plain text, as people write it: how it is split into words is part of the\n"
        "score. The tokenizers ja-mecab, ko-mecab, spm, flores101, flores200 and\n"
        "spBLEU-1K are not here: each needs a model from elsewhere.\n"
        "\n"
        "With several --hyp the first is the baseline; --paired-bs and --paired-ar say\n"
        "whether a difference from it could be chance. What is drawn at random is what\n"
        "sacreBLEU draws with the same seed (and NumPy 1.x), so the digits are the same.\n"
        "A star marks p of 0.05 or less, also where equal differences are counted.",
    .examples =
        "attn eval --part test fra.txt                  # what attn train held out\n"
        "attn eval -m fr.safetensors --metrics bleu,chrf test.en test.fr\n"
        "attn eval -m one.safetensors -m other.safetensors --part test fra.txt\n"
        "attn eval --part test --by-length --worst 10 --errors fra.txt\n"
        "attn eval --robust --part test fra.txt\n"
        "attn eval --robust --robust-save robust.en --part test fra.txt\n"
        "attn eval --robust --hyp robust.fr --part test fra.txt\n"
        "attn eval --hyp out.fr --ref test.fr --json | jq .score\n"
        "attn eval --hyp out.fr --ref test.fr --src test.en --by-length\n"
        "attn translate test.en | attn eval test.fr     # as sacreBLEU is called\n"
        "attn eval --hyp out.fr --ref a.fr b.fr c.fr    # three references\n"
        "attn eval --hyp old.fr --hyp new.fr --ref test.fr --paired-bs",
};

/* A Part, or -1 for all. */
static int part_of(const Request *request)
{
    return request->part == PART_ALL ? -1 : request->part - 1;
}

static void request_init(Request *request)
{
    *request = (Request){ .models = default_models(), .search = search_defaults() };
    score_options_init(&request->score);
}

/* The tables of a request; search: those of the search without --nbest. */
typedef struct {
    OptionSet set[7 + METRICS];
    Field     search[16];
} Sets;

/* Copies the options of the search but --nbest: only the best translation is scored. */
static void search_fields_without_nbest(Field *out)
{
    for (const Field *field = search_fields; field->name; field++)
        if (strcmp(field->name, "nbest")) *out++ = *field;
    *out = (Field){ .name = NULL };
}

static void bind(Request *request, Sets *sets)
{
    search_fields_without_nbest(sets->search);
    sets->set[0] = (OptionSet){ corpus_fields, request };
    sets->set[1] = (OptionSet){ sets->search, &request->search };
    sets->set[2] = (OptionSet){ score_fields, request };
    sets->set[3] = (OptionSet){ analysis_fields, &request->analysis };
    sets->set[4] = (OptionSet){ robust_fields, &request->robust };
    sets->set[5] = (OptionSet){ significance_fields, &request->score };
    for (int i = 0; i < METRICS; i++)
        sets->set[6 + i] = (OptionSet){ metrics[i]->fields, request->score.metrics.options[i] };
    sets->set[6 + METRICS] = (OptionSet){ NULL, NULL };
}

static int count_standard_input(const Request *r, const Options *given)
{
    int count = r->source && !strcmp(r->source, "-");
    for (int i = 0; i < r->references.count; i++) count += !strcmp(r->references.text[i], "-");
    for (int i = 0; i < r->hypotheses.count; i++) count += !strcmp(r->hypotheses.text[i], "-");
    for (int i = 0; i < given->count; i++) count += !strcmp(given->operand[i], "-");
    return count;
}

/* The name of the first given option that is for translating, or NULL. */
static const char *translating_option(const Sets *sets, const Options *given)
{
    const char *name = options_first_given(given, corpus_fields);
    return name ? name : options_first_given(given, sets->search);
}

/* Why standard input is the translation, or NULL. A file without a tab is no corpus, so that `r <
 * hyp`, as sacreBLEU is called, has one meaning. With a corpus, the meaning of a file on standard
 * input is not guessed. */
static const char *reason_to_read_input(const Request *r, const Options *given)
{
    Err e;
    if (r->references.count) return "without --hyp the translation is standard input";
    int reference = given->count == 1 ? piped_reference(given->operand[0], &e) : 0;
    if (reference < 0) die("%s", e.text);
    if (reference)
        return "a file without a tab is a reference, and the translation is standard input";
    if (given->count && piped_file())
        usage_error("eval", "what is standard input? if it is to be scored, write --ref before the "
                            "references; if a corpus is to be translated, name the model with -m");
    return NULL;
}

static void find_translation(Request *r, const Sets *sets, const Options *given)
{
    if (r->hypotheses.count || translating_option(sets, given) || count_standard_input(r, given))
        return;
    r->piped = reason_to_read_input(r, given);
    if (!r->piped) return;
    if (terminal_is(stdin))
        usage_error("eval", "where is the translation? name it by --hyp or < (%s)", r->piped);
    r->hypotheses = (TextList){ .text = { "-" }, .count = 1 };
}

static void check_names(const TextList *systems)
{
    for (int i = 0; i < systems->count; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(systems->text[i], systems->text[k]))
                usage_error("eval", "--hyp: '%s' is given twice", systems->text[i]);
}

static void check_files(const Request *r, const Sets *sets, const Options *given)
{
    if (!r->hypotheses.count || !(r->references.count + given->count))
        usage_error("eval", "--hyp and --ref belong together; --%s is missing",
                    r->hypotheses.count ? "ref" : "hyp");
    const char *useless = translating_option(sets, given);
    if (useless)
        usage_error("eval", "--%s is for translating, but --hyp is a finished translation",
                    useless);
    if (count_standard_input(r, given) > 1)
        usage_error("eval", "standard input can be one file only");
    check_names(&r->hypotheses);
    if (!r->source && (r->analysis.by_length || r->analysis.errors))
        usage_error("eval", "--%s looks at the sources; --src FILE names them",
                    r->analysis.by_length ? "by-length" : "errors");
}

static void check_corpus(const Request *r, int operands)
{
    if (r->source) usage_error("eval", "--src goes with --hyp; a corpus holds its sources");
    if (operands < 1)
        usage_error("eval", "what is to be scored? name a corpus, or --hyp and --ref");
    check_precision("eval", r->search.precision);
}

/* --by-length uses any score, --worst and --diff use BLEU, --errors none. */
static void check_analysis(const Request *r)
{
    const AnalysisOptions *a = &r->analysis;
    const char *of_bleu = a->worst ? "worst" : a->diff ? "diff" : NULL;
    if (of_bleu && !metric_set_has(&r->score.metrics, METRIC_BLEU))
        usage_error("eval", "--%s is about BLEU; add bleu to --metrics", of_bleu);
    if (a->diff && r->hypotheses.count != 2)
        usage_error("eval", "--diff compares two translations; name both with --hyp");
    if (r->hypotheses.count > 1 && (a->by_length || a->worst || a->errors))
        usage_error("eval", "--%s looks at one translation",
                    a->by_length ? "by-length" : a->worst ? "worst" : "errors");
    if (r->score.sentence_level && analysis_wanted(a))
        usage_error("eval", "--sentence-level is a line a segment; --%s goes without it",
                    a->by_length ? "by-length" : of_bleu ? of_bleu : "errors");
}

static void check_scores(Request *r, const Options *given)
{
    if (!r->metrics) r->metrics = r->hypotheses.count || r->references.count ? "bleu" : "bleu,chrf";
    r->score.threads = r->threads;
    score_settle(&r->score, r->metrics, r->hypotheses.count, given);
    check_analysis(r);
}

/* The name of the first given option that says nothing about robustness, or NULL. */
static const char *option_beside_robustness(const Options *given)
{
    static const char *const useless[] = { "ref", "missing-references", "src", "metrics",
                                           "sentence-level", "confidence", "confidence-n",
                                           "paired-bs", "paired-ar", "trials" };
    const char *name = options_first_given(given, analysis_fields);
    for (size_t i = 0; !name && i < sizeof useless / sizeof *useless; i++)
        if (options_given(given, useless[i])) name = useless[i];
    for (int i = 0; !name && i < METRICS; i++)
        if (i != METRIC_BLEU) name = options_first_given(given, metrics[i]->fields);
    return name;
}

/* The name of the first given option that is for translating, not for reading a corpus, or NULL. */
static const char *model_option(const Sets *sets, const Options *given)
{
    return options_given(given, "model") ? "model" : options_given(given, "save") ? "save"
        : options_first_given(given, sets->search);
}

static void check_robustness(const Request *r, const Sets *sets, const Options *given)
{
    const char *useless = option_beside_robustness(given);
    const char *translating = model_option(sets, given);
    if (!r->robust.wanted) usage_error("eval", "--robust-save changes nothing without --robust");
    if (useless) usage_error("eval", "--%s goes without --robust", useless);
    if (!given->count)
        usage_error("eval", "--robust alters the sources of a corpus, also with --hyp; name it");
    if (r->robust.save && r->hypotheses.count)
        usage_error("eval", "--robust-save writes what is to be translated, and --hyp is its "
                            "finished translation: one of them at a time");
    if (translating && r->hypotheses.count)
        usage_error("eval", "--%s is for translating, but --hyp is a finished translation",
                    translating);
    if (translating && r->robust.save)
        usage_error("eval", "--%s is for translating, but --robust-save leaves that to another "
                            "program", translating);
    if (count_standard_input(r, given) > 1)
        usage_error("eval", "standard input can be one file only");
    check_names(&r->hypotheses);
    check_precision("eval", r->search.precision);
}

/* ---- The two sources of a test set: EXIT_OK, or EXIT_FAILED after a message ---- */

static int evaluate_corpus(const Request *r, const Models *models, const BitextFiles *files,
                           TestSet *set, ModelEvaluation *evaluation)
{
    Err e;
    if (translator_check(&r->search, models->model, models->count, &e))
        usage_error("eval", "%s", e.text);
    if (test_set_read_corpus(set, files, part_of(r), NULL, &e))
        return fail("%s", e.text);
    warn_skipped(&set->report, files);
    if (r->first_reference) test_set_keep_first(set);
    const EvaluationOptions options = { .search = &r->search, .save = r->save,
                                        .threads = r->threads, .quiet = r->quiet,
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

static int read_corpus(const Request *r, int operands, char **corpus, TestSet *set,
                       ModelEvaluation *evaluation)
{
    Err e;
    const BitextFiles files = corpus_files("eval", r->format, operands, corpus);
    Models models;
    if (check_output(r, &files, &e)) return fail("%s", e.text);
    int status = load_models(&models, &r->models);
    if (status == EXIT_OK) status = evaluate_corpus(r, &models, &files, set, evaluation);
    models_free(&models);
    return status;
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
    int one_object = r->score.json && !r->score.sentence_level;
    for (int i = 0; i < r->hypotheses.count; i++)
        systems[i] = (System){ r->hypotheses.text[i], test_set_hypotheses(set, i) };
    (one_object ? print_json : print_text)(r, set, systems, evaluation);
}

static int run_scores(Request *r, const Sets *sets, const Options *given)
{
    TestSet set;
    ModelEvaluation evaluation = { 0 };
    find_translation(r, sets, given);
    const int finished = r->hypotheses.count || r->references.count;
    check_scores(r, given);
    if (finished) check_files(r, sets, given);
    else check_corpus(r, given->count);
    const int status = finished ? read_files(r, given->count, given->operand, &set)
                                : read_corpus(r, given->count, given->operand, &set, &evaluation);
    if (status != EXIT_OK) return status;
    print_result(r, &set, finished ? NULL : &evaluation);
    test_set_free(&set);
    return EXIT_OK;
}

/* ---- Robustness ---- */

static int run_robust(Request *r, const Sets *sets, const Options *given)
{
    Err e;
    check_robustness(r, sets, given);
    r->score.threads = r->threads;
    metric_set_add(&r->score.metrics, METRIC_BLEU);
    if (metric_set_settle(&r->score.metrics, &(MetricUse){ 0 }, &e))
        usage_error("eval", "%s", e.text);
    const RobustRequest request = {
        .files = corpus_files("eval", r->format, given->count, given->operand),
        .part = part_of(r), .first_reference = r->first_reference, .models = &r->models,
        .hypotheses = &r->hypotheses, .save = r->save, .save_sources = r->robust.save,
        .search = &r->search, .score = &r->score, .threads = r->threads, .quiet = r->quiet
    };
    return robust_run(&request);
}

static int run(int argc, char **argv)
{
    Sets sets;
    Request r;
    request_init(&r);
    bind(&r, &sets);
    Options given = options_parse(sets.set, argc, argv, &help_text);
    const int status = r.robust.wanted || r.robust.save ? run_robust(&r, &sets, &given)
                                                        : run_scores(&r, &sets, &given);
    score_options_free(&r.score);
    options_free(&given);
    return status;
}

static void help(void)
{
    Sets sets;
    Request r;
    request_init(&r);
    bind(&r, &sets);
    options_help(stdout, sets.set, &help_text);
    score_options_free(&r.score);
}

const Command command_eval = { "eval", "score a model or a finished translation: BLEU, chrF, TER",
                               run, help };
