/* score.h - scoring translations, and printing the scores as sacreBLEU prints them.
 *
 * There is one table of metrics; a new one is a new row, and its name a word of --metrics.
 */
#ifndef ATTN_CMD_SCORE_H
#define ATTN_CMD_SCORE_H

#include "base/error.h"
#include "base/json.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"

#include <stddef.h>
#include <stdio.h>

/* Translations with their references. Nothing is owned. */
typedef struct {
    const char *const        *hypothesis;   /* (count) */
    const char *const *const *reference;    /* (count) lists */
    const int                *references;   /* (count) length of each list, at least 1 */
    size_t                    count;
} Scored;

typedef struct {
    unsigned    metrics;                    /* which of the table: set by score_choose */
    BleuOptions bleu;
    ChrfOptions chrf;
    int         sentence_level;             /* every segment by itself, instead of all together */
    int         json;
    int         width;                      /* digits behind the point */
} ScoreOptions;

/* score_choose - reads a comma list of metrics: "bleu,chrf". score_wants - whether that one is in it. */
int score_choose(ScoreOptions *options, const char *names, Err *e);
int score_wants(const ScoreOptions *options, const char *metric);

/* score_print - the scores, in the order of the table (BLEU first): a line each, or JSON. At the sentence level a line
 * for each segment and metric, in JSON an object a line. */
void score_print(FILE *out, const ScoreOptions *options, const Scored *scored);

/* scores_to_json - one object for all: the members of the first score, each further score under its name in --metrics.
 * The caller owns it. */
cJSON *scores_to_json(const ScoreOptions *options, const Scored *scored);

#endif
