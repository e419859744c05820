/* request.c - the options of `attn eval`, and which of them go together. */
#include "cmd/eval/eval.h"

#include "base/mem.h"
#include "base/system/environment.h"
#include "cmd/command_files.h"
#include "cmd/models.h"
#include "metrics/bleu.h"
#include "text/corpus/corpus.h"

#include <ctype.h>
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
    { .name = "threads", .letter = 't', .kind = FIELD_INT, AT(score.threads), .low = 0,
      .high = 1024,
      .value = "N", .help = "worker threads; 0: one a core", .common = 1 },
    { .name = "quiet", .letter = 'q', .kind = FIELD_FLAG, AT(quiet),
      .help = "no progress, no summary", .common = 1 },
    { .name = NULL }
};

static const Field significance_fields[] = {
    { .group = "Significance", .name = "confidence", .kind = FIELD_FLAG, AT(score.confidence),
      .help = "a 95 % confidence interval, by bootstrap", .common = 1 },
    { .name = "confidence-n", .kind = FIELD_INT, AT(score.confidence_n), .low = 2, .high = 100000,
      .value = "N",
      .help = "samples of that bootstrap" },
    { .name = "paired-bs", .kind = FIELD_FLAG, AT(score.paired_bs),
      .help = "compare every --hyp with the first by a paired bootstrap; the default with several "
              "--hyp", .common = 1 },
    { .name = "paired-ar", .kind = FIELD_FLAG, AT(score.paired_ar),
      .help = "compare every --hyp with the first: paired approximate randomisation" },
    { .name = "trials", .letter = 'n', .kind = FIELD_INT, AT(score.trials), .low = 0,
      .high = 100000, .value = "N",
      .help =
          "samples or trials of the comparison; 0: 1000 of a bootstrap, 10000 of a randomisation" },
    { .name = "seed", .kind = FIELD_SEED, AT(score.seed), .value = "N",
      .help = "seed of the random samples and trials" },
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
        "tokens in nats, the perplexity, its exponential, and the share of unknown words\n"
        "(<unk>, easy to predict): they depend on its vocabulary, scores don't. Several\n"
        "--model translate together, as attn translate has them do.\n"
        "\n"
        "--hyp without --ref may be the translation of a CORPUS, a line for each source\n"
        "as --save writes it: a FILE with a tab in its first line is a corpus, and so is\n"
        "any beside --part, --format or --first-reference; others are references.\n"
        "\n"
        "Without --hyp the translation is standard input, if --ref is given or the only\n"
        "FILE has no tab, so that it is a reference, and no option is for translating.\n"
        "Other lines on standard input are an error, unless -m or another option of the\n"
        "model is given: in a loop that reads a pipe, write < /dev/null.\n"
        "\n"
        "--by-length counts the words between blanks. --errors counts translations that\n"
        "repeat themselves: two to sixteen words occur three times in a row or more\n"
        "often, and more often than in the source and in every reference.\n"
        "\n"
        "Score plain text, as people write it. The tokenizers ja-mecab, ko-mecab, spm,\n"
        "flores101, flores200 and spBLEU-1K are not here: each needs another model.\n"
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

int part_of(const Request *r)
{
    return r->part == PART_ALL ? -1 : r->part - 1;
}

int asks_for_files(const Request *r)
{
    return r->hypotheses.count || r->references.count;
}

/* ---- Standard input ---- */

static int count_standard_input(const Request *r, const Options *given)
{
    int count = r->source && !strcmp(r->source, "-");
    for (int i = 0; i < r->references.count; i++) count += !strcmp(r->references.text[i], "-");
    for (int i = 0; i < r->hypotheses.count; i++) count += !strcmp(r->hypotheses.text[i], "-");
    for (int i = 0; i < given->count; i++) count += !strcmp(given->operand[i], "-");
    return count;
}

/* Asks whether somebody has put lines there: into a pipe, or a file that nobody has read from; the
 * lines behind the first of a loop's `while read` are the loop's. Never waits. */
void check_no_input(const Request *r)
{
    struct stat status;
    int bytes = 0;
    if (!r->takes_no_input || fstat(STDIN_FILENO, &status)) return;
    if (S_ISREG(status.st_mode))
        bytes = status.st_size > 0 && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
    else if ((S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))
             && ioctl(STDIN_FILENO, FIONREAD, &bytes))
        bytes = 0;
    if (bytes > 0)
        usage_error("eval", "what is standard input? if it is the translation, add --hyp -; if a "
                            "model is to translate, name it with -m, or add < /dev/null");
}

/* A file without a tab is no corpus, so that `reference < translation`, as sacreBLEU is called, has
 * one meaning. Lines that nobody reads were meant to be scored, or belong to another program.
 * translating, of_model: the first given option that is for translating, of_model without those for
 * reading a corpus; or NULL. */
static void find_translation(Request *r, const char *translating, const char *of_model,
                             const Options *given)
{
    Err e;
    if (r->hypotheses.count || count_standard_input(r, given)) return;
    if (!translating && r->references.count)
        r->piped = "without --hyp the translation is standard input";
    else if (!translating && given->count == 1) {
        const Tabs tabs = file_tabs(given->operand[0], 0, &e);
        if (tabs == TABS_FAILED) die("%s", e.text);
        if (tabs == TABS_NONE)
            r->piped = "a file without a tab is a reference, and the translation is standard input";
    }
    if (r->piped && terminal_is(stdin))
        usage_error("eval", "where is the translation? name it by --hyp or < (%s)", r->piped);
    if (r->piped) r->hypotheses = (TextList){ .text = { "-" }, .count = 1 };
    r->takes_no_input = !r->piped && given->count && !r->references.count && !of_model;
    check_no_input(r);
}

/* ---- Which options go together ---- */

static void choose_metrics(MetricSet *set, const char *list, const Options *given)
{
    const char *names[METRICS + 1] = { NULL };
    const Field field = { .name = "metrics", .kind = FIELD_CHOICE, .choices = names };
    for (int i = 0; i < METRICS; i++) names[i] = metrics[i]->name;
    SCOPED(buf_free) Buf word = { 0 };
    for (;; list++) {
        Err e;
        int metric;
        buf_clear(&word);
        for (; *list && *list != ','; list++) buf_putc(&word, (char)tolower((unsigned char)*list));
        if (field_set(&field, &metric, word.text, &e)) usage_error("eval", "%s", e.text);
        metric_set_add(set, metric);
        if (!*list) break;
    }
    for (int i = 0; i < METRICS; i++) {
        const char *useless = options_first_given(given, metrics[i]->fields);
        if (useless && !metric_set_uses_options(set, i))
            usage_error("eval", "--%s changes nothing without %s in --metrics", useless,
                        metrics[i]->name);
    }
}

/* Ends the program at the first rule that the request breaks. translating: the first given option
 * that the translations of files have no use for, or NULL. */
static void check_rules(const Request *r, const char *translating, const Options *given)
{
    const ScoreOptions *s = &r->score;
    const AnalysisOptions *a = &r->analysis;
    const int systems = r->hypotheses.count, is_paired = s->paired_bs || s->paired_ar;
    const int files = asks_for_files(r), references = r->references.count + given->count;
    const char *paired = s->paired_bs ? "paired-bs" : "paired-ar";
    const char *ranking = a->worst ? "worst" : a->diff ? "diff" : NULL;
    const char *of_source = a->by_length ? "by-length" : a->errors ? "errors" : NULL;
    const char *of_one = a->worst && !a->by_length ? "worst" : of_source;
    const struct { int is_broken; const char *option, *message; } rules[] = {
        { s->paired_bs && s->paired_ar, "paired-bs", " and --paired-ar: one of them at a time" },
        { is_paired && systems < 2, paired,
          " compares two translations or more: give several --hyp" },
        { s->confidence && systems > 1, "confidence",
          " is for one translation; --paired-bs gives the intervals of several" },
        { s->sentence_level && (s->confidence || systems > 1), "sentence-level",
          " scores one translation, without statistical tests" },
        { !s->confidence && options_given(given, "confidence-n"), "confidence-n",
          " changes nothing without --confidence" },
        { !is_paired && options_given(given, "trials"), "trials",
          " changes nothing without --paired-bs or --paired-ar" },
        { !is_paired && !s->confidence && options_given(given, "seed"), "seed",
          " changes nothing without --confidence, --paired-bs or --paired-ar" },
        { ranking && !metric_set_has(&s->metrics, METRIC_BLEU), ranking,
          " is about BLEU; add bleu to --metrics" },
        { a->diff && systems != 2, "diff", " compares two translations; name both with --hyp" },
        { of_one && systems > 1, of_one, " looks at one translation" },
        { s->sentence_level && of_one, of_one,
          " goes without --sentence-level, which is a line a segment" },
        { files && !references, "hyp", " and --ref belong together; --ref is missing" },
        { files && !systems, "hyp", " and --ref belong together; --hyp is missing" },
        { files && !r->of_corpus && references > TEXT_LIST_MOST, "ref", " has too many files" },
        { files && translating, translating,
          " is for translating, but --hyp is a finished translation" },
        { files && count_standard_input(r, given) > 1, "hyp",
          ", --ref and --src: standard input can be one file only" },
        { (r->of_corpus || !files) && r->source, "src",
          " goes with --ref; a corpus holds its sources" },
        { !r->of_corpus && files && !r->source && of_source, of_source,
          " looks at the sources; --src FILE names them" },
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].is_broken) usage_error("eval", "--%s%s", rules[i].option, rules[i].message);
    for (int i = 0; i < systems; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(r->hypotheses.text[i], r->hypotheses.text[k]))
                usage_error("eval", "--hyp: '%s' is given twice", r->hypotheses.text[i]);
    if (!files && !given->count)
        usage_error("eval", "what is to be scored? name a corpus, or --hyp and --ref");
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

/* --hyp a b --ref ref: b is no reference that anybody means. Operands follow --ref. */
static void check_order(const Request *r, const Options *given, char **argv)
{
    if (!r->references.count || !given->count) return;
    for (; strncmp(*argv, "--ref", strlen("--ref")); argv++)
        if (*argv == given->operand[0])
            usage_error("eval", "'%s' stands before --ref; another translation is --hyp %s, "
                                "another reference follows --ref", *argv, *argv);
}

/* ---- The request ---- */

/* The tables of a request; search: those of the search without --nbest, because only the best
 * translation is scored. */
typedef struct {
    OptionSet set[6 + METRICS];
    Field     search[16];
} Sets;

static void request_init(Request *r, Sets *sets)
{
    Field *search = sets->search;
    *r = (Request){ .models = default_models(), .search = search_defaults(),
                    .score = { .width = 2, .confidence_n = 1000, .seed = 12345 } };
    metric_set_init(&r->score.metrics);
    fields_automate(corpus_fields, r);
    fields_automate(search_fields, &r->search);
    for (const Field *field = search_fields; field->name; field++)
        if (strcmp(field->name, "nbest")) *search++ = *field;
    *search = (Field){ .name = NULL };
    sets->set[0] = (OptionSet){ corpus_fields, r };
    sets->set[1] = (OptionSet){ sets->search, &r->search };
    sets->set[2] = (OptionSet){ score_fields, r };
    sets->set[3] = (OptionSet){ analysis_fields, &r->analysis };
    sets->set[4] = (OptionSet){ significance_fields, r };
    for (int i = 0; i < METRICS; i++)
        sets->set[5 + i] = (OptionSet){ metrics[i]->fields, r->score.metrics.options[i] };
    sets->set[5 + METRICS] = (OptionSet){ NULL, NULL };
}

Options eval_request(Request *r, int argc, char **argv)
{
    Err e;
    Sets sets;
    request_init(r, &sets);
    const Options given = options_parse(sets.set, argc, argv);
    const char *of_search = options_first_given(&given, sets.search);
    const char *of_corpus = options_first_given(&given, corpus_fields);
    const char *of_model = options_given(&given, "model") ? "model"
                           : options_given(&given, "save") ? "save" : of_search;
    const char *translating = of_corpus ? of_corpus : of_search;
    ScoreOptions *score = &r->score;
    check_order(r, &given, argv);
    find_translation(r, translating, of_model, &given);

    /* --hyp is the translation of a corpus where the operands are one, and no references */
    r->of_corpus = r->hypotheses.count && !r->piped && !r->references.count && given.count
                   && (of_corpus || file_tabs(given.operand[0], 1, &e) == TABS_SOME);
    if (text_language("to", r->to, &e)) usage_error("eval", "%s", e.text);
    r->is_tokenized = options_given(&given, "tokenize");
    if (!r->metrics) r->metrics = asks_for_files(r) ? "bleu" : "bleu,chrf";
    choose_metrics(&score->metrics, r->metrics, &given);
    const MetricUse use = { score->sentence_level, score->paired_ar };
    if (metric_set_settle(&score->metrics, &use, &e)) usage_error("eval", "%s", e.text);
    if (r->hypotheses.count > 1 && !score->paired_ar && !options_given(&given, "paired-bs"))
        score->paired_bs = 1;
    check_rules(r, r->of_corpus ? of_model : translating, &given);
    if (!asks_for_files(r)) check_precision("eval", r->search.precision);
    else if (!r->of_corpus)
        for (int i = 0; i < given.count; i++)
            r->references.text[r->references.count++] = given.operand[i];
    return given;
}

Description eval_describe(void)
{
    static Sets sets;
    static Request r;
    metric_set_free(&r.score.metrics);
    request_init(&r, &sets);
    return (Description){ sets.set, &help_text };
}
