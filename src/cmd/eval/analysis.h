/* analysis.h - what attn eval reports beside scores: where translations are good or bad. One option
 * for each analysis. */
#ifndef ATTN_CMD_EVAL_ANALYSIS_H
#define ATTN_CMD_EVAL_ANALYSIS_H

#include "cmd/eval/system_outputs.h"
#include "base/field.h"
#include "cmd/eval/score.h"

typedef struct {
    int by_length, errors;          /* both need the sources */
    int worst, diff;                /* how many segments; diff needs two systems */
} AnalysisOptions;

extern const Field analysis_fields[];       /* --by-length --worst --errors --diff */

/* analysis_wanted - whether any analysis is wanted. */
int analysis_wanted(const AnalysisOptions *options);

/* analysis_print - prints each analysis that is wanted, after an empty line. analysis_to_json -
 * adds them to the object under "by_length", "worst", "errors", "diff". by_length computes each
 * score that is wanted, and the rankings BLEU, with the options and the digits of `score`. */
void analysis_print(FILE *out, const AnalysisOptions *options, const SystemOutputs *outputs,
                    const ScoreOptions *score);
void analysis_to_json(const AnalysisOptions *options, const SystemOutputs *outputs,
                      const ScoreOptions *score, cJSON *object);

#endif
