/* eval.h - the steps of `attn eval`: its request, and the test set that this names. */
#ifndef ATTN_CMD_EVAL_EVAL_H
#define ATTN_CMD_EVAL_EVAL_H

#include "cmd/cmd.h"
#include "cmd/eval/analysis.h"
#include "cmd/eval/score.h"
#include "search/search_options.h"
#include "text/corpus/corpus.h"

/* ---- What a command line asks for ---- */

typedef struct {
    const char     *save, *source, *metrics;
    const char     *piped;  /* why standard input is the translation; NULL: it is not */
    int             of_corpus;  /* the translations are those of a corpus, which has references */
    int             takes_no_input;     /* lines on standard input would have no meaning */
    TextList        models, hypotheses, references;
    char            to[FIELD_WORD_BYTES];   /* the language of the references; "": not named */
    int             is_tokenized;   /* --tokenize is given */
    int             format, columns[2], part, first_reference, missing_references, threads, quiet;
    SearchOptions   search;
    ScoreOptions    score;
    AnalysisOptions analysis;
} Request;

/* eval_request - the defaults, and over them the command line; returns what it holds beside the
 * values of options. Options that contradict each other end the program as usage_error does. The
 * caller releases r->score. */
Options eval_request(Request *r, int argc, char **argv);

/* check_no_input - ends the program as usage_error does where lines without a meaning have come; for
 * a slow pipe it is asked again before the scores are printed. */
void check_no_input(const Request *r);

/* asks_for_files - whether finished translations are scored.
 * part_of        - a Part, or -1 for all. */
int asks_for_files(const Request *r);
int part_of(const Request *r);

/* choose_tokenizer - that of BLEU for references in this language, "" or its tag, unless --to names
 * another one or --tokenize is given. */
void choose_tokenizer(Request *r, const char *language);

/* eval_describe - see Command.describe. */
Description eval_describe(void);

/* ---- Segments with their references, and the output of each system to be scored ----
 *
 * They are read from finished translations and their reference files, or from a corpus whose
 * sources a model is to translate: then pairs with the same source are one segment with several
 * references.
 */

typedef struct {
    char **line;                /* (count) owned */
    size_t count;
} Text;

/* Zero-initialise it; test_set_free releases, also after a failure. */
typedef struct {
    Segments     segments;      /* source: NULL where it is unknown; they point into the corpus, or
                                   into references and sources */
    Text        *systems;       /* (system_count) the output of each, a line for each segment; the
                                   first is the baseline; owned */
    int          system_count;
    Text        *references;    /* (reference_count) owned */
    int          reference_count;
    Text         sources;
    Corpus       corpus;
    BitextReport report;        /* of the corpus */
} TestSet;

/* The names of files, "-" for standard input. */
typedef struct {
    const char *const *system, *const *reference, *source;      /* source: NULL: unknown */
    int systems, references;
    int missing;                /* a reference line without a word is no reference, but each segment
                                   needs one; else it is a reference of no words */
    int one_system;             /* a tab, which separates systems for sacreBLEU, is an error */
} TestFiles;

/* test_set_read_files - line n of all files is segment n. Blanks at the end of lines are left out.
 * A byte-order mark at the start of a file is text, as in sacreBLEU 2.6, with a warning. 0, or -1
 * with a message, as for the others. */
int test_set_read_files(TestSet *set, const TestFiles *files, Err *e);

/* test_set_read_corpus - part: a Part, or -1 for all. set->report counts the skipped lines. There
 * is one system, whose lines are NULL: the caller sets each to a string from malloc.
 * test_set_read_outputs - then reads the output of each system in its place: a line for each
 * segment, as attn eval --save wrote them. */
int test_set_read_corpus(TestSet *set, const BitextFiles *files, int part, Err *e);
int test_set_read_outputs(TestSet *set, const char *const *systems, int count, Err *e);

/* test_set_hypotheses - the output of one system, 0..system_count-1, with the references.
 * test_set_outputs - that of the first system, and of the second if there is one. */
Hypotheses    test_set_hypotheses(const TestSet *set, int system);
SystemOutputs test_set_outputs(const TestSet *set);
void          test_set_free(TestSet *set);

#endif
