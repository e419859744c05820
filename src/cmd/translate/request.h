/* request.h - what a command line of `attn translate` asks for. */
#ifndef ATTN_CMD_TRANSLATE_REQUEST_H
#define ATTN_CMD_TRANSLATE_REQUEST_H

#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/translate/output_format.h"
#include "search/search_options.h"

typedef struct {
    TextList      models;
    const char   *output, *prefix, *prefixes;
    const char   *heatmap;          /* "-": below each translation; else a file; NULL: none */
    int           heatmap_of, heatmap_layer, heatmap_head;
    int           force, score, json, wrapped, alignment, colour, threads, quiet, verbose;
    SearchOptions search;
} Request;

/* translate_request - the defaults, and over them the command line; returns what it holds beside the
 * values of options. Options that contradict each other end the program as usage_error does. */
Options translate_request(Request *r, int argc, char **argv);

/* draws_text - whether pictures are drawn below the translations.
 * draws_file - whether they go to a file.
 * chosen_map        - which attention they show. */
int       draws_text(const Request *r);
int       draws_file(const Request *r);
MapChoice chosen_map(const Request *r);

/* translate_describe - see Command.describe. */
Description translate_describe(void);

#endif
