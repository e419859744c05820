/* score.h - scoring translations, and printing the scores as sacreBLEU prints them.
 *
 * Which scores there are is said in metrics/metric.c; the name of each is a word of --metrics.
 */
#ifndef ATTN_CMD_EVAL_SCORE_H
#define ATTN_CMD_EVAL_SCORE_H

#include "base/error.h"
#include "base/json.h"
#include "cmd/options.h"
#include "metrics/significance.h"
#include "metrics/statistics.h"

#include <stddef.h>
#include <stdio.h>

typedef struct {
    unsigned metrics;                       /* bit i: metrics[i] is wanted; set by score_settle */
    void    *options[METRICS];              /* of each metric; owned */
    int      sentence_level;                /* every segment by itself, instead of all together */
    int      json;
    int      width;                         /* digits behind the point */
    int      force;                         /* no warning of text that is cut into words already */
    int      confidence, confidence_n;
    int      paired_bs, paired_ar, trials;  /* trials 0: 1,000 of a bootstrap, 10,000 of a randomisation */
    uint64_t seed;
    int      threads;                       /* 0: one a core */
} ScoreOptions;

extern const Field significance_fields[];   /* of a ScoreOptions: --confidence --paired-bs ... */
ScoreOptions score_defaults(void);          /* score_options_free releases */
void         score_options_free(ScoreOptions *options);

/* score_settle - checks what was asked for: `names` is a comma list of metrics ("bleu,chrf"), `systems` how many
 * translations are compared, `given` the command line. Ends the program as usage_error does where that makes no
 * sense. */
void score_settle(ScoreOptions *options, const char *names, int systems, const Options *given);

/* score_wants - whether the metric is wanted; score_options - its own options. */
int         score_wants(const ScoreOptions *options, const char *metric);
const void *score_options(const ScoreOptions *options, const char *metric);

/* score_references - how many references the segments have; 0 where that varies. */
int score_references(const Hypotheses *scored);

/* score_warn - warns of a translation that was not put together again: 100 lines that end in " ." */
void score_warn(const ScoreOptions *options, const Hypotheses *scored);

/* score_print - the scores of one translation, in the order of the table (BLEU first), a line each.
 * score_print_sentences - these lines for each segment by itself, or with options->json an object a line for it. */
void score_print(FILE *out, const ScoreOptions *options, const Hypotheses *scored);
void score_print_sentences(FILE *out, const ScoreOptions *options, const Hypotheses *scored);

/* scores_to_json - one object for all: the members of the first score, each further score under its name in --metrics.
 * With one metric it is the object that sacreBLEU prints. The caller owns it. */
cJSON *scores_to_json(const ScoreOptions *options, const Hypotheses *scored);

#endif
