/* request.c - the options of `attn eval`, and which of them go together. */
#include "cmd/eval/eval.h"

#include "base/system/environment.h"
#include "cmd/corpus_files.h"
#include "cmd/models.h"
#include "metrics/bleu.h"
#include "text/corpus/corpus.h"

#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PART_ALL };                                      /* the others are a Part + 1 */
static const char *const parts[] = { "all", "test", "valid", "train", NULL };

#define AT(member) .offset = offsetof(Request, member)
static const Field corpus_fields[] = {
    { .group = "Translating a corpus", .name = "model", .letter = 'm', .kind = FIELD_TEXTS,
      AT(models), .value = "MODEL",
      .help = models_help, .common = 1 },
    { .name = "format", .kind = FIELD_CHOICE, AT(format), .choices = corpus_formats,
      .value = "FORM",
      .help = corpus_format_help },
    { .name = "columns", .kind = FIELD_PAIR, AT(columns), .low = 1, .high = CORPUS_COLUMNS,
      .automatic = 1, .value = "S,T",
      .help = corpus_columns_help },
    { .name = "part", .kind = FIELD_CHOICE, AT(part), .choices = parts,
      .help = "the sentences of one part only, by the hash of the source", .common = 1 },
    { .name = "first-reference", .kind = FIELD_FLAG, AT(first_reference),
      .help = "of several targets of one source take only the first", .common = 1 },
    { .name = "save", .kind = FIELD_TEXT, AT(save), .value = "FILE",
      .help = "write the translations, a line for each source, where it first occurs" },
    { .name = NULL }
};

static const Field score_fields[] = {
    { .group = "Scoring a finished translation", .name = "hyp", .kind = FIELD_TEXTS, AT(hypotheses),
      .value = "FILE",
      .help = "the translations, a line each; given again: another system to compare with",
      .common = 1 },
    { .name = "ref", .kind = FIELD_TEXTS, AT(references), .value = "FILE",
      .help = "the reference of each line; given again, and every operand: one more", .common = 1 },
    { .name = "missing-references", .kind = FIELD_FLAG, AT(missing_references),
      .help =
          "an empty line is no reference: some sources have fewer (else it is one of no words)" },
    { .name = "src", .kind = FIELD_TEXT, AT(source), .value = "FILE",
      .help = "the source of each line, for --by-length and --errors", .common = 1 },
    { .group = "Scores", .name = "metrics", .kind = FIELD_TEXT, AT(metrics), .value = "LIST",
      .help = "bleu, chrf, chrf++, ter, or several with commas; default: bleu, for a model "
              "bleu,chrf", .common = 1 },
    { .name = "to", .alias = "target-lang", .kind = FIELD_WORD, AT(to), .value = "LANG",
      .help = "language of the references, for --tokenize as sacreBLEU chooses it: zh for zh, "
              "char (no MeCab is here) for ja and ko, 13a for others; default: the model's",
      .common = 1 },
    { .name = "sentence-level", .kind = FIELD_FLAG, AT(score.sentence_level),
      .help = "score each segment by itself; BLEU then counts the orders that fit into it" },
    { .name = "width", .kind = FIELD_INT, AT(score.width), .low = 0, .high = 15, .value = "N",
      .help = "digits of the score behind the point", .common = 1 },
    { .name = "json", .kind = FIELD_FLAG, AT(score.json),
      .help = "one object: the first score with its signature, each further one under its name, "
              "and all other results; several --hyp are a list in \"systems\"", .common = 1 },
    { .name = "force", .kind = FIELD_FLAG, AT(score.force),
      .help = "replace the file of --save; no warning where the translation looks tokenized" },
    { .name = "threads", .letter = 't', .kind = FIELD_INT, AT(threads), .low = 0,
      .high = 1024,
      .value = "N", .help = "worker threads; 0: one a core", .common = 1 },
    { .name = "quiet", .letter = 'q', .kind = FIELD_FLAG, AT(quiet),
      .help = "no progress, no summary", .common = 1 },
    { .name = NULL }
};

static const HelpText help_text = {
    .usage = "attn eval [OPTION...] [-m MODEL] CORPUS...\n"
             "attn eval [OPTION...] --hyp FILE [--hyp FILE...] --ref FILE [FILE...]\n"
             "attn eval [OPTION...] --hyp FILE [--hyp FILE...] CORPUS...\n"
             "attn eval [OPTION...] REFERENCE < TRANSLATION",
    .about =
        "Translates the sources of a corpus and compares the result with the targets, or\n"
        "compares a finished translation with references. The scores are those of\n"
        "sacreBLEU 2.6; a signature says all that a score depends on, and only scores\n"
        "with the same signature can be compared.\n"
        "\n"
        "CORPUS is a TSV file (source, tab, target), or two files with the same number of\n"
        "lines, or several (--format). A FILE may be gzip, and - is standard input. A\n"
        "byte-order mark is no part of a corpus; at the start of a --hyp or --ref it is\n"
        "text, as for sacreBLEU, with a warning. sacreBLEU's own line has --width 1.\n"
        "Pairs with the same source are one segment with several references. --part test\n"
        "takes the sentences that attn train holds out: 1 % of the sources, by a hash.\n"
        "A model also gets the loss of the references, the mean cross-entropy of their\n"
        "tokens in nats, and the perplexity, its exponential: they depend on the model's\n"
        "vocabulary, scores don't. An unknown word is the token <unk>, easy to predict if\n"
        "it is frequent, so its share is told. Networks from right to left leave the loss\n"
        "to the others. Several --model translate together, as attn translate has them\n"
        "do, and must cut text into the same pieces.\n"
        "\n"
        "--hyp without --ref may be the translation of a CORPUS, a line for each source\n"
        "as --save writes it: a FILE with a tab in its first line is a corpus, and so is\n"
        "any beside --part, --format or --first-reference; others are references.\n"
        "\n"
        "Without --hyp the translation is standard input, if --ref is given; or if the\n"
        "only FILE has no tab, so that it is no corpus but a reference, and no option is\n"
        "given that is for translating. Lines on standard input that have no meaning are\n"
        "an error, unless -m or another option of the model is given: in a loop that\n"
        "reads a pipe, write < /dev/null.\n"
        "\n"
        "--by-length counts the words between blanks. --errors counts translations that\n"
        "repeat themselves: two to sixteen words occur three times in a row or more\n"
        "often, and more often than in the source and in every reference.\n"
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
        "attn eval --part test --hyp out.fr fra.txt      # what --save wrote\n"
        "attn eval --hyp out.fr --ref test.fr --json | jq .score\n"
        "attn eval --hyp out.fr --ref test.fr --src test.en --by-length\n"
        "attn translate test.en | attn eval test.fr     # as sacreBLEU is called\n"
        "attn eval --hyp out.fr --ref a.fr b.fr c.fr    # three references\n"
        "attn eval --hyp old.fr --hyp new.fr --ref test.fr --paired-bs",
    .operand = "FILE",
};

int part_of(const Request *request)
{
    return request->part == PART_ALL ? -1 : request->part - 1;
}

static void request_init(Request *request)
{
    *request = (Request){ .models = default_models(), .search = search_defaults() };
    fields_automate(corpus_fields, request);
    fields_automate(search_fields, &request->search);
    score_options_init(&request->score);
}

/* The tables of a request; search: those of the search without --nbest. */
typedef struct {
    OptionSet set[6 + METRICS];
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
    sets->set[4] = (OptionSet){ significance_fields, &request->score };
    for (int i = 0; i < METRICS; i++)
        sets->set[5 + i] = (OptionSet){ metrics[i]->fields, request->score.metrics.options[i] };
    sets->set[5 + METRICS] = (OptionSet){ NULL, NULL };
}

static int count_standard_input(const Request *r, const Options *given)
{
    int count = r->source && !strcmp(r->source, "-");
    for (int i = 0; i < r->references.count; i++) count += !strcmp(r->references.text[i], "-");
    for (int i = 0; i < r->hypotheses.count; i++) count += !strcmp(r->hypotheses.text[i], "-");
    for (int i = 0; i < given->count; i++) count += !strcmp(given->operand[i], "-");
    return count;
}

/* The name of the first given option that is for translating, not for reading a corpus, or NULL. */
static const char *model_option(const Sets *sets, const Options *given)
{
    return options_given(given, "model") ? "model" : options_given(given, "save") ? "save"
        : options_first_given(given, sets->search);
}

/* The same, or that of an option for reading a corpus. */
static const char *translating_option(const Sets *sets, const Options *given)
{
    const char *name = options_first_given(given, corpus_fields);
    return name ? name : options_first_given(given, sets->search);
}

/* Whether somebody has put lines there: into a pipe, or a file that nobody has read from; the lines
 * behind the first of a loop's `while read` are the loop's. Never waits. */
static int standard_input_has_lines(void)
{
    struct stat status;
    int bytes = 0;
    if (fstat(STDIN_FILENO, &status)) return 0;
    if (S_ISREG(status.st_mode))
        return status.st_size > 0 && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
    return (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))
           && !ioctl(STDIN_FILENO, FIONREAD, &bytes) && bytes > 0;
}

void check_no_input(const Request *r)
{
    if (r->takes_no_input && standard_input_has_lines())
        usage_error("eval", "what is standard input? if it is the translation, add --hyp -; if a "
                            "model is to translate, name it with -m, or add < /dev/null");
}

/* A file without a tab is no corpus, so that `reference < translation`, as sacreBLEU is called, has
 * one meaning. Lines that nobody reads were meant to be scored, or belong to another program. */
static void find_translation(Request *r, const Sets *sets, const Options *given)
{
    Err e;
    if (r->hypotheses.count || count_standard_input(r, given)) return;
    if (!translating_option(sets, given) && r->references.count)
        r->piped = "without --hyp the translation is standard input";
    else if (!translating_option(sets, given) && given->count == 1) {
        const int lacks_tabs = file_lacks_tabs(given->operand[0], &e);
        if (lacks_tabs < 0) die("%s", e.text);
        if (lacks_tabs)
            r->piped = "a file without a tab is a reference, and the translation is standard input";
    }
    if (r->piped && terminal_is(stdin))
        usage_error("eval", "where is the translation? name it by --hyp or < (%s)", r->piped);
    if (r->piped) r->hypotheses = (TextList){ .text = { "-" }, .count = 1 };
    r->takes_no_input = !r->piped && given->count && !r->references.count
                     && !model_option(sets, given);
    check_no_input(r);
}

/* Whether --hyp is the translation of a corpus: the operands are one, and no references. */
static int is_of_corpus(const Request *r, const Options *given)
{
    if (!r->hypotheses.count || r->piped || r->references.count || !given->count) return 0;
    return options_first_given(given, corpus_fields) || file_begins_with_pair(given->operand[0]);
}

static void check_names(const TextList *systems)
{
    for (int i = 0; i < systems->count; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(systems->text[i], systems->text[k]))
                usage_error("eval", "--hyp: '%s' is given twice", systems->text[i]);
}

static void check_no_sources(const Request *r)
{
    if (r->source) usage_error("eval", "--src goes with --ref; a corpus holds its sources");
}

static void check_files(const Request *r, const Sets *sets, const Options *given)
{
    if (!r->hypotheses.count || !(r->references.count + given->count))
        usage_error("eval", "--hyp and --ref belong together; --%s is missing",
                    r->hypotheses.count ? "ref" : "hyp");
    const char *useless = (r->of_corpus ? model_option : translating_option)(sets, given);
    if (useless)
        usage_error("eval", "--%s is for translating, but --hyp is a finished translation",
                    useless);
    if (count_standard_input(r, given) > 1)
        usage_error("eval", "standard input can be one file only");
    check_names(&r->hypotheses);
    if (r->of_corpus) check_no_sources(r);
    else if (!r->source && (r->analysis.by_length || r->analysis.errors))
        usage_error("eval", "--%s looks at the sources; --src FILE names them",
                    r->analysis.by_length ? "by-length" : "errors");
}

static void check_corpus(const Request *r, int operands)
{
    check_no_sources(r);
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
    Err e;
    if (!r->metrics) r->metrics = asks_for_files(r) ? "bleu" : "bleu,chrf";
    r->score.threads = r->threads;
    r->is_tokenized = options_given(given, "tokenize");
    if (text_language("to", r->to, &e)) usage_error("eval", "%s", e.text);
    score_settle(&r->score, r->metrics, r->hypotheses.count, given);
    check_analysis(r);
}

void choose_tokenizer(Request *r, const char *language)
{
    const char *absent;
    BleuOptions *bleu = r->score.metrics.options[METRIC_BLEU];
    if (*r->to) language = r->to;
    if (r->is_tokenized || !*language || !metric_set_has(&r->score.metrics, METRIC_BLEU)) return;
    bleu->tokenize = tokenize_for(language, &absent);
    if (absent)
        warn("BLEU is of characters: %s, sacreBLEU's tokenizer for '%s', is not here; --tokenize "
             "char says the same", absent, language);
}

int asks_for_files(const Request *r)
{
    return r->hypotheses.count || r->references.count;
}

static void check(Request *r, const Sets *sets, const Options *given)
{
    find_translation(r, sets, given);
    r->of_corpus = is_of_corpus(r, given);
    check_scores(r, given);
    if (asks_for_files(r)) check_files(r, sets, given);
    else check_corpus(r, given->count);
}

/* --hyp a b --ref ref: b is no reference that anybody means. Operands follow --ref. */
static void check_order(const Request *r, const Options *given, char **argv)
{
    if (!r->references.count || !given->count) return;
    for (; strncmp(*argv, "--ref", strlen("--ref")); argv++)
        if (*argv == given->operand[0])
            usage_error("eval", "'%s' stands before --ref; another translation is --hyp %s, "
                                "another reference follows --ref", *argv, *argv);
}

Options eval_request(Request *r, int argc, char **argv)
{
    Sets sets;
    request_init(r);
    bind(r, &sets);
    const Options given = options_parse(sets.set, argc, argv);
    check_order(r, &given, argv);
    check(r, &sets, &given);
    return given;
}

Description eval_describe(void)
{
    static Sets sets;
    static Request r;
    score_options_free(&r.score);
    request_init(&r);
    bind(&r, &sets);
    return (Description){ sets.set, &help_text };
}
