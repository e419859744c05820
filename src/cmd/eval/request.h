/* request.h - what a command line of `attn eval` asks for. */
#ifndef ATTN_CMD_EVAL_REQUEST_H
#define ATTN_CMD_EVAL_REQUEST_H

#include "cmd/cmd.h"
#include "cmd/eval/analysis.h"
#include "cmd/eval/score.h"
#include "cmd/options.h"
#include "search/search_options.h"

typedef struct {
    const char     *save, *source, *metrics;
    const char     *piped;  /* why standard input is the translation; NULL: it is not */
    int             of_corpus;  /* the translations are those of a corpus, which has references */
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

/* asks_for_files - whether finished translations are scored.
 * part_of        - a Part, or -1 for all. */
int asks_for_files(const Request *r);
int part_of(const Request *r);

/* choose_tokenizer - that of BLEU for references in this language, "" or its tag, unless --to names
 * another one or --tokenize is given. */
void choose_tokenizer(Request *r, const char *language);

/* eval_describe - see Command.describe. */
Description eval_describe(void);

#endif
