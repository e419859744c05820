/* analysis.h - what attn eval reports beside scores: where translations are good or bad. One option
 * for each analysis. */
#ifndef ATTN_CMD_EVAL_ANALYSIS_H
#define ATTN_CMD_EVAL_ANALYSIS_H

#include "base/field.h"
#include "metrics/metric.h"
#include "text/corpus/corpus.h"

#include <stdio.h>

typedef struct {
    int by_length, errors;          /* both need the sources */
    int worst, diff;                /* how many segments; diff needs two systems */
} AnalysisOptions;

extern const Field analysis_fields[];       /* --by-length --worst --errors --diff */

/* A test set with the translations of one system, or of two to compare. Nothing is owned. */
typedef struct {
    /* source: NULL where it is unknown; a reference that is NULL is missing. */
    const Segments *segments;

    /* (segments->count) translations of the baseline, and of the other system; NULL: there is
     * none. */
    const char *const *output[2];
} SystemOutputs;

/* analysis_wanted - whether any analysis is wanted. */
int analysis_wanted(const AnalysisOptions *options);

/* analysis_print - prints each analysis that is wanted, after an empty line. analysis_to_json -
 * adds them to the object under "by_length", "worst", "errors", "diff". by_length computes each
 * score of the set, and the rankings BLEU. Scores have `width` digits after the point. */
void analysis_print(FILE *out, const AnalysisOptions *options, const SystemOutputs *outputs,
                    const MetricSet *set, int width);
void analysis_to_json(const AnalysisOptions *options, const SystemOutputs *outputs,
                      const MetricSet *set, int width, cJSON *object);

#endif
