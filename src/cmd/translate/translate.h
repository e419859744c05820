/* translate.h - what a command line of `attn translate` asks for, and the conversation that it may
 * begin. */
#ifndef ATTN_CMD_TRANSLATE_TRANSLATE_H
#define ATTN_CMD_TRANSLATE_TRANSLATE_H

#include "cmd/cmd.h"
#include "cmd/models.h"
#include "cmd/options.h"
#include "cmd/translate/output_format.h"
#include "search/search_options.h"

typedef struct {
    TextList      models;
    const char   *output, *prefix, *prefixes;
    const char   *heatmap;          /* a file; NULL: none */
    int           heatmap_of, heatmap_layer, heatmap_head;
    int           force, score, json, wrapped, alignment, colour, threads, quiet, verbose;
    SearchOptions search;
    OutputFormat  format;           /* what follows from these for each translation */
    Options       given;            /* what the command line holds beside the values */
    char *const  *file;             /* (files) to translate; "-": standard input */
    int           files;
    int           is_typed;         /* a person types a file */
} Request;

/* translate_request - the defaults, and over them the command line. Options that contradict each
 * other end the program as usage_error does. The caller frees r->given.
 * translate_describe - see Command.describe. */
void        translate_request(Request *r, int argc, char **argv);
Description translate_describe(void);

/* prompt_run - a conversation at a terminal, until Ctrl-D or :quit: a sentence is typed, its
 * translation printed below. Commands begin with a colon. */
void prompt_run(const Request *r, const Models *models);

#endif
