/* eval.c - `attn eval`: translate a test set and score it, or score a finished translation. */
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "cmd/analysis.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/score.h"
#include "cmd/skipped.h"
#include "cmd/testset.h"
#include "cmd/trial.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ---- */

typedef struct {
    const char     *model, *save, *hypothesis, *reference, *source, *metrics;
    int             part, first_reference, threads, quiet;
    SearchOptions   search;
    ScoreOptions    score;
    AnalysisOptions analysis;
} Request;

enum { PART_ALL };                                      /* the others are a Part and 1 */
static const char *const parts[] = { "all", "test", "valid", "train", NULL };

#define AT(member) .offset = offsetof(Request, member)
static const Field corpus_fields[] = {
    { .group = "Translating a corpus", .name = "model", .letter = 'm', .kind = FIELD_TEXT, AT(model), .value = "FILE",
      .help = "the model that translates" },
    { .name = "part", .kind = FIELD_CHOICE, AT(part), .choices = parts,
      .help = "the sentences of one part only, by the hash of the source" },
    { .name = "first-reference", .kind = FIELD_FLAG, AT(first_reference),
      .help = "of several targets of one source take only the first" },
    { .name = "save", .kind = FIELD_TEXT, AT(save), .value = "FILE", .help = "write the translations, a line each" },
    { .name = "threads", .letter = 't', .kind = FIELD_INT, AT(threads), .low = 0, .high = 1024, .value = "N",
      .help = "worker threads; 0: one a core" },
    { .name = NULL }
};

static const Field score_fields[] = {
    { .group = "Scoring a finished translation", .name = "hyp", .kind = FIELD_TEXT, AT(hypothesis), .value = "FILE",
      .help = "the translations, a line each" },
    { .name = "ref", .kind = FIELD_TEXT, AT(reference), .value = "FILE",
      .help = "the reference of each line (empty: none); every operand is one more" },
    { .name = "src", .kind = FIELD_TEXT, AT(source), .value = "FILE",
      .help = "the source of each line, for --by-length and --errors" },
    { .group = "Scores", .name = "metrics", .kind = FIELD_TEXT, AT(metrics), .value = "LIST",
      .help = "bleu, chrf, or both with a comma; if not given: bleu, and both for a model" },
    { .name = "lowercase", .kind = FIELD_FLAG, AT(score.bleu.lowercase), .help = "compare without regard to case" },
    { .name = "sentence-level", .kind = FIELD_FLAG, AT(score.sentence_level),
      .help = "score each segment by itself; BLEU then counts the orders that fit into it" },
    { .name = "width", .kind = FIELD_INT, AT(score.width), .low = 0, .high = 15, .value = "N",
      .help = "digits of the score behind the point" },
    { .name = "json", .kind = FIELD_FLAG, AT(score.json),
      .help = "an object for each score, with its signature; for a model one with everything" },
    { .name = "quiet", .letter = 'q', .kind = FIELD_FLAG, AT(quiet), .help = "no progress, no summary" },
    { .name = NULL }
};

static const HelpText help_text = {
    .usage = "attn eval [OPTION...] [-m MODEL] CORPUS [CORPUS2]\n"
             "attn eval [OPTION...] --hyp FILE --ref FILE [FILE...]",
    .about =
        "Translates the sources of a corpus and compares the result with the targets, or\n"
        "compares a finished translation with references. The scores are those of\n"
        "sacreBLEU 2.6; a signature says all that a score depends on, and only scores\n"
        "with the same signature can be compared.\n"
        "\n"
        "CORPUS is a TSV file (source, tab, target), or CORPUS and CORPUS2 are two files\n"
        "with the same number of lines. A FILE may end in .gz, and - is standard input.\n"
        "Pairs with the same source are one segment with several references. --part test\n"
        "takes the sentences that attn train holds out: 1 % of the sources, by a hash.\n"
        "A model also gets the loss of the references, the mean cross-entropy of their\n"
        "tokens in nats, and the perplexity, its exponential: they depend on the model's\n"
        "vocabulary, scores don't.\n"
        "\n"
        "--by-length counts words as blanks separate them. --errors counts what stands in\n"
        "the source and in every reference, but not in the translation: numbers in digits\n"
        "(1,000, 1.000 and 1 000 are the same); names, which are words with a capital\n"
        "that don't begin a sentence; negations, of English and French (not, n't, cannot,\n"
        "never, no, nobody, nothing; ne, n', pas, jamais, rien, personne).\n"
        "\n"
        "Score plain text, as people write it: how it is cut into words is part of the\n"
        "score.",
    .examples =
        "attn eval --part test fra.txt                  # what attn train held out\n"
        "attn eval -m fr.safetensors --metrics bleu,chrf test.en test.fr\n"
        "attn eval --part test --by-length --worst 10 --errors fra.txt\n"
        "attn eval --hyp out.fr --ref test.fr --json | jq .score\n"
        "attn eval --hyp out.fr --ref test.fr --src test.en --by-length\n"
        "attn eval --hyp out.fr --ref a.fr b.fr c.fr    # three references",
};

static Request request_defaults(void)
{
    return (Request){ .model = default_model(), .search = search_defaults(),
                      .score = { .bleu = bleu_defaults(), .chrf = chrf_defaults(), .width = 2 } };
}

/* The tables of a request, and the one made from another. */
typedef struct {
    OptionSet set[7];
    Field     search[8];
} Sets;

/* One translation a sentence is scored, so there is no --nbest. */
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
    sets->set[4] = (OptionSet){ bleu_fields, &request->score.bleu };
    sets->set[5] = (OptionSet){ chrf_fields, &request->score.chrf };
    sets->set[6] = (OptionSet){ NULL, NULL };
}

/* The first option of that table on the command line, or NULL. */
static const char *first_given(const Field *fields, int argc, char **argv)
{
    for (; fields->name; fields++)
        if (options_given(argc, argv, fields->name)) return fields->name;
    return NULL;
}

static int count_standard_input(const Request *r, int operands, char **argv)
{
    int count = !strcmp(r->hypothesis, "-") + !strcmp(r->reference, "-") + (r->source && !strcmp(r->source, "-"));
    for (int i = 1; i <= operands; i++) count += !strcmp(argv[i], "-");
    return count;
}

static void check_files(const Request *r, const Sets *sets, int operands, int argc, char **argv)
{
    if (!r->hypothesis || !r->reference)
        usage_error("eval", "--hyp and --ref belong together; --%s is missing", r->hypothesis ? "ref" : "hyp");
    const char *useless = first_given(corpus_fields, argc, argv);
    if (!useless) useless = first_given(sets->search, argc, argv);
    if (useless) usage_error("eval", "--%s is for translating, but --hyp is a finished translation", useless);
    if (count_standard_input(r, operands, argv) > 1) usage_error("eval", "standard input can be one file only");
    if (!r->source && (r->analysis.by_length || r->analysis.errors))
        usage_error("eval", "--%s looks at the sources; --src FILE names them",
                    r->analysis.by_length ? "by-length" : "errors");
}

static void check_corpus(const Request *r, int operands)
{
    if (r->source) usage_error("eval", "--src goes with --hyp; a corpus holds its sources");
    if (operands < 1) usage_error("eval", "what is to be scored? name a corpus, or --hyp and --ref");
    if (operands > 2) usage_error("eval", "a corpus is one file or two, not %d", operands);
}

/* Options of a metric that nobody asked for. */
static void refuse_useless(const Request *r, const char *metric, const Field *fields, int argc, char **argv)
{
    const char *useless = score_wants(&r->score, metric) ? NULL : first_given(fields, argc, argv);
    if (useless) usage_error("eval", "--%s changes nothing without %s in --metrics", useless, metric);
}

/* A closer look is at segments or groups of them, by BLEU; --errors alone is of no score. */
static void check_analysis(const Request *r)
{
    const AnalysisOptions *a = &r->analysis;
    const char *of_bleu = a->by_length ? "by-length" : a->worst ? "worst" : a->diff ? "diff" : NULL;
    if (of_bleu && !score_wants(&r->score, "bleu"))
        usage_error("eval", "--%s is about BLEU; add bleu to --metrics", of_bleu);
    if (a->diff) usage_error("eval", "--diff compares two translations; name both with --hyp");
    if (r->score.sentence_level && analysis_wanted(a))
        usage_error("eval", "--sentence-level is a line a segment; --%s goes without it",
                    of_bleu ? of_bleu : "errors");
}

static void check_scores(Request *r, int argc, char **argv)
{
    Err e;
    if (!r->metrics) r->metrics = r->hypothesis || r->reference ? "bleu" : "bleu,chrf";
    if (score_choose(&r->score, r->metrics, &e)) usage_error("eval", "%s", e.text);
    refuse_useless(r, "bleu", bleu_fields, argc, argv);
    refuse_useless(r, "chrf", chrf_fields, argc, argv);
    if (r->score.bleu.smooth_value >= 0 && r->score.bleu.smooth != SMOOTH_FLOOR && r->score.bleu.smooth != SMOOTH_ADD_K)
        usage_error("eval", "--smooth-value is for --smooth floor and --smooth add-k");
    r->score.chrf.lowercase = r->score.bleu.lowercase;
    check_analysis(r);
}

/* ---- The two ways to a test set; EXIT_OK, or EXIT_FAILED after a message ---- */

static void try_model(const Request *r, const Model *model, TestSet *set, Trial *trial)
{
    Pool *pool = pool_new(r->threads);
    trial_translate(trial, model, set, &r->search, pool, r->quiet);
    if (!r->quiet) trial_print_speed(stderr, trial);
    if (!r->score.sentence_level) trial_references(trial, model, set, &r->search, pool);
    pool_free(pool);
}

/* The file for the translations is opened first, so that an evening's work is not lost to a misspelt folder. */
static int try_and_save(const Request *r, const Model *model, TestSet *set, Trial *trial, Err *e)
{
    Replace file;
    if (r->save && replace_begin(&file, r->save, e)) return -1;
    try_model(r, model, set, trial);
    if (!r->save) return 0;
    for (size_t i = 0; i < set->hypotheses.count; i++) fprintf(file.stream, "%s\n", set->hypotheses.line[i]);
    return replace_commit(&file, e);
}

static int make_from_corpus(const Request *r, int operands, char **corpus, TestSet *set, Trial *trial)
{
    const BitextFiles files = { (const char *const *)corpus, operands, operands > 1 };
    Err e;
    Model model;
    if (load_model(&model, r->model)) return EXIT_FAILED;
    int failed = testset_read_corpus(set, &files, r->part == PART_ALL ? -1 : r->part - 1, &e);
    if (!failed) {
        warn_skipped(&set->report, &files);
        if (r->first_reference) testset_keep_first(set);
        failed = try_and_save(r, &model, set, trial, &e);
        if (failed) testset_free(set);
    }
    model_free(&model);
    return failed ? fail("%s", e.text) : EXIT_OK;
}

static int make_from_files(const Request *r, int operands, char **more, TestSet *set)
{
    Err e;
    const char **references = xmalloc((size_t)operands + 1, sizeof *references);
    references[0] = r->reference;
    for (int i = 0; i < operands; i++) references[i + 1] = more[i];
    int failed = testset_read_files(set, r->hypothesis, references, operands + 1, &e);
    free(references);
    if (!failed && r->source) failed = testset_read_sources(set, r->hypothesis, r->source, &e);
    return failed ? fail("%s", e.text) : EXIT_OK;
}

/* ---- The answer ---- */

static void print_text(const Request *r, const TestSet *set, const Trial *trial)
{
    Scored scored = testset_scored(set);
    Translated translated = testset_translated(set);
    score_print(stdout, &r->score, &scored);
    if (trial) trial_print_loss(stdout, trial);
    analysis_print(stdout, &r->analysis, &translated, &r->score.bleu, r->score.width);
}

/* One object with everything. */
static void print_json(const Request *r, const TestSet *set, const Trial *trial)
{
    Scored scored = testset_scored(set);
    Translated translated = testset_translated(set);
    cJSON *object = scores_to_json(&r->score, &scored);
    if (trial) trial_to_json(trial, object);
    analysis_to_json(&r->analysis, &translated, &r->score.bleu, r->score.width, object);
    char *text = json_text(object, 1);
    printf("%s\n", text);
    free(text);
    cJSON_Delete(object);
}

static int run(int argc, char **argv)
{
    Sets sets;
    Request r = request_defaults();
    bind(&r, &sets);
    int operands = options_parse(sets.set, argc, argv, &help_text);
    int finished = r.hypothesis || r.reference;
    check_scores(&r, argc, argv);
    if (finished) check_files(&r, &sets, operands, argc, argv);
    else check_corpus(&r, operands);

    TestSet set;
    Trial trial = { 0 };
    int status = finished ? make_from_files(&r, operands, argv + 1, &set)
                          : make_from_corpus(&r, operands, argv + 1, &set, &trial);
    if (status != EXIT_OK) return status;
    int one_object = r.score.json && !r.score.sentence_level && (!finished || analysis_wanted(&r.analysis));
    (one_object ? print_json : print_text)(&r, &set, finished ? NULL : &trial);
    testset_free(&set);
    return EXIT_OK;
}

static void help(void)
{
    Sets sets;
    Request r = request_defaults();
    bind(&r, &sets);
    options_help(stdout, sets.set, &help_text);
}

const Command command_eval = { "eval", "score a model or a finished translation: BLEU, chrF", run, help };
