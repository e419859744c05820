/* analysis.h - what eval tells beyond scores: where the translations are good and where not. One option each. */
#ifndef ATTN_CMD_EVAL_ANALYSIS_H
#define ATTN_CMD_EVAL_ANALYSIS_H

#include "base/field.h"
#include "cmd/eval/score.h"
#include "analysis/system_output.h"

typedef struct {
    int by_length, errors;          /* both need the sources */
    int worst, diff;                /* how many; diff needs a rival */
} AnalysisOptions;

extern const Field analysis_fields[];       /* --by-length --worst --errors --diff */

/* analysis_wanted - whether anything of it is. */
int analysis_wanted(const AnalysisOptions *options);

/* analysis_print - everything wanted, each with an empty line before it. analysis_to_json - adds it to the object,
 * under "by_length", "worst", "errors", "diff". Scores are counted as `score` says: by_length each that is wanted, the
 * others BLEU. */
void analysis_print(FILE *out, const AnalysisOptions *options, const SystemOutput *t, const ScoreOptions *score);
void analysis_to_json(const AnalysisOptions *options, const SystemOutput *t, const ScoreOptions *score, cJSON *object);

#endif
