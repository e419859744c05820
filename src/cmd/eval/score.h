/* score.h - scores the output of a system, or of several side by side, and prints the scores as
 * sacreBLEU does.
 *
 * metrics/metric.c lists the metrics; the name of each is a word of --metrics.
 */
#ifndef ATTN_CMD_EVAL_SCORE_H
#define ATTN_CMD_EVAL_SCORE_H

#include "base/error.h"
#include "base/json.h"
#include "cmd/options.h"
#include "metrics/metric.h"
#include "metrics/significance.h"

#include <stddef.h>
#include <stdio.h>

typedef struct {
    MetricSet metrics;                      /* completed by score_settle; owned */
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

extern const Field significance_fields[];   /* of a ScoreOptions: --confidence --paired-bs ... */

/* score_options_init - sets the defaults. score_options_free releases. */
void score_options_init(ScoreOptions *options);
void score_options_free(ScoreOptions *options);

/* score_settle - checks and completes the options. `names` is a comma list of metrics
 * ("bleu,chrf"), `systems` the number of translations that are compared, `given` the command line.
 * Where they contradict each other it ends the program as usage_error does. */
void score_settle(ScoreOptions *options, const char *names, int systems, const Options *given);

/* score_warn - warns of a translation that looks tokenized: 100 lines end in " ." */
void score_warn(const ScoreOptions *options, const Hypotheses *hypotheses);

/* score_warn_references - warns of references whose words are not those between blanks, where BLEU
 * takes these. */
void score_warn_references(const ScoreOptions *options, const Hypotheses *hypotheses);

/* score_print - the scores of one system, in the order of the table (BLEU first), a line each.
 * score_print_sentences - these lines for each segment, or with options->json a line with an object
 * for it. */
void score_print(FILE *out, const ScoreOptions *options, const Hypotheses *hypotheses);
void score_print_sentences(FILE *out, const ScoreOptions *options, const Hypotheses *hypotheses);

/* scores_to_json - one object: the members of the first score, and each further score under its
 * name in --metrics. With one metric it is the object that sacreBLEU prints. The caller owns it. */
cJSON *scores_to_json(const ScoreOptions *options, const Hypotheses *hypotheses);

/* One system. */
typedef struct {
    const char *name;
    Hypotheses  hypotheses;
} System;

/* compare_print - a table of `count` systems, at least 2, with the same references. With
 * --paired-bs or --paired-ar every system is compared with the first, the baseline.
 * compare_to_json - the same: "systems" is an array with an object for each. The caller owns it. */
void   compare_print(FILE *out, const ScoreOptions *options, const System *systems, int count);
cJSON *compare_to_json(const ScoreOptions *options, const System *systems, int count);

/* JSON with the blanks and the digits of Python's json.dumps, as sacreBLEU prints it.
 * python_json_add_number - adds a finite number with the fewest digits that give the same double
 * back: 100.0, 59.69.
 * python_json_print - prints the value as json.dumps(value, indent=1) does, and a line end; but an
 * array of objects has their braces on the lines of its brackets and commas. */
void python_json_add_number(cJSON *object, const char *key, double number);
void python_json_print(FILE *out, const cJSON *value);

#endif
