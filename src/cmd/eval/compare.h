/* compare.h - scores of several systems side by side, printed as sacreBLEU prints them. */
#ifndef ATTN_CMD_EVAL_COMPARE_H
#define ATTN_CMD_EVAL_COMPARE_H

#include "cmd/eval/score.h"

/* One system. */
typedef struct {
    const char *name;
    Hypotheses  hypotheses;
} System;

/* compare_print - a table of `count` systems, at least 2, with the same references. With
 * --paired-bs or --paired-ar every system is compared with the first, the baseline. */
void compare_print(FILE *out, const ScoreOptions *options, const System *systems, int count);

/* compare_to_json - the same as an array with an object for each system. The caller owns it. */
cJSON *compare_to_json(const ScoreOptions *options, const System *systems, int count);

#endif
