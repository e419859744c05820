/* eval.h - the steps of `attn eval`: a request names a test set, scores and analyses are computed
 * of it, and printed as text or as JSON. */
#ifndef ATTN_CMD_EVAL_EVAL_H
#define ATTN_CMD_EVAL_EVAL_H

#include "cmd/cmd.h"
#include "metrics/metric.h"
#include "search/search_options.h"
#include "text/corpus/corpus.h"

#include <stdio.h>

/* ---- What a command line asks for ---- */

typedef struct {
    MetricSet metrics;                      /* owned */
    int       sentence_level;               /* score every segment by itself */
    int       json;
    int       width;                        /* digits after the point */
    int       force;                        /* no warning of text that looks tokenized */
    int       confidence, confidence_n;
    int       paired_bs, paired_ar, trials; /* trials 0: 1,000 of a bootstrap, 10,000 of a
                                               randomisation */
    uint64_t  seed;
    int       threads;                      /* 0: one for each core */
} ScoreOptions;

typedef struct {
    int by_length, errors;          /* both need the sources */
    int worst, diff;                /* how many segments; of one system, of two */
} AnalysisOptions;

typedef struct {
    const char     *save, *source, *metrics;
    const char     *piped;  /* why standard input is the translation; NULL: it is not */
    int             of_corpus;  /* the translations are those of a corpus, which has references */
    int             takes_no_input;     /* lines on standard input would have no meaning */
    TextList        models, hypotheses, references;
    char            to[FIELD_WORD_BYTES];   /* the language of the references; "": not named */
    int             is_tokenized;   /* --tokenize is given */
    int             format, columns[2], part, first_reference, missing_references, quiet;
    SearchOptions   search;
    ScoreOptions    score;
    AnalysisOptions analysis;
} Request;

extern const Field analysis_fields[];       /* --by-length --worst --errors --diff */

/* eval_request - the defaults, and over them the command line; returns what it holds beside the
 * values of options. Options that contradict each other end the program as usage_error does. The
 * caller releases r->score.metrics. */
Options     eval_request(Request *r, int argc, char **argv);
Description eval_describe(void);            /* see Command.describe */

/* check_no_input - ends the program as usage_error does where lines without a meaning have come;
 * for a slow pipe it is asked again before the scores are printed. */
void check_no_input(const Request *r);

/* asks_for_files - whether finished translations are scored.
 * part_of        - a Part, or -1 for all. */
int asks_for_files(const Request *r);
int part_of(const Request *r);

/* choose_tokenizer - that of BLEU for references in this language, "" or its tag, unless --to names
 * another one or --tokenize is given. */
void choose_tokenizer(Request *r, const char *language);

/* ---- Segments with their references, and the output of each system to be scored ---- */

typedef struct {
    const char **line;          /* (count) */
    size_t       count;
} Text;

/* Zero-initialise it; test_set_free releases, also after a failure. */
typedef struct {
    Segments     segments;      /* source: NULL where it is unknown; `lists` holds all text too */
    Text        *systems;       /* (system_count) the output of each, a line for each segment; the
                                   first is the baseline */
    int          system_count;
    Corpus       corpus;
    BitextReport report;        /* of the corpus */
} TestSet;

/* test_set_read_files - line n of all files of the request is segment n. Blanks at the end of lines
 * are left out. A byte-order mark at the start of a file is text, as in sacreBLEU 2.6, with a
 * warning. 0, or -1 with a message, as for the others. */
int test_set_read_files(TestSet *set, const Request *r, Err *e);

/* test_set_read_corpus - pairs with the same source are one segment with several references. part:
 * a Part, or -1 for all. The lines of the one system are not set: the caller sets them, from
 * `lists`.
 * test_set_read_outputs - then reads the output of each system in its place: a line for each
 * segment, as attn eval --save wrote them. */
int test_set_read_corpus(TestSet *set, const BitextFiles *files, int part, Err *e);
int test_set_read_outputs(TestSet *set, const TextList *systems, Err *e);

/* test_set_hypotheses - the output of one system, 0..system_count-1, with the references. */
Hypotheses test_set_hypotheses(const TestSet *set, int system);
void       test_set_free(TestSet *set);

/* ---- Scores, as sacreBLEU prints them ---- */

/* scores_to_json - of the first system: the members of the first score, and each further score
 * under its name in --metrics. With one metric it is the object that sacreBLEU prints.
 * scores_print - the same as text, a line each.
 * scores_print_sentences - these lines for each segment, or with options->json an object on a
 * line. */
cJSON *scores_to_json(const ScoreOptions *options, const TestSet *set);
void   scores_print(const cJSON *scores, int width);
void   scores_print_sentences(const ScoreOptions *options, const TestSet *set);

/* comparison_print - a table of all systems of the set, and with --paired-bs or --paired-ar how
 * they differ from the first, the baseline. `names`: of the systems.
 * comparison_to_json - the same: "systems" is an array with an object for each. */
void   comparison_print(const ScoreOptions *options, const TestSet *set, const TextList *names);
cJSON *comparison_to_json(const ScoreOptions *options, const TestSet *set, const TextList *names);

/* warn_tokenized - warns of a translation that looks tokenized: 100 lines end in " ."
 * warn_unspaced - warns of references whose words are not those between blanks, where BLEU takes
 * these. */
void warn_tokenized(const ScoreOptions *options, const Text *output);
void warn_unspaced(const ScoreOptions *options, const Segments *segments);

/* JSON with the blanks and the digits of Python's json.dumps, as sacreBLEU prints it.
 * python_json_add_number - adds a finite number with the fewest digits that give the same double
 * back: 100.0, 59.69.
 * python_json_print - prints the value as json.dumps(value, indent=1) does, and a line end; but an
 * array of objects has their braces on the lines of its brackets and commas. */
void python_json_add_number(cJSON *object, const char *key, double number);
void python_json_print(const cJSON *value);

/* ---- Closer looks ---- */

/* analysis_to_json - adds each that is wanted under "by_length", "worst", "errors", "diff".
 * by_length computes each score of the set, and the rankings BLEU, with `width` digits after the
 * point.
 * analysis_print - prints them from this object, each after an empty line. */
void analysis_to_json(const AnalysisOptions *options, const TestSet *set, const MetricSet *wanted,
                      int width, cJSON *object);
void analysis_print(FILE *out, const cJSON *object, const MetricSet *wanted, int width);

#endif
