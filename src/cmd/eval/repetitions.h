/* repetitions.h - translations that repeat themselves, as those of a network in a loop do.
 *
 * A translation repeats itself where the same two to sixteen words occur three times in a row or
 * more, and more often than any such words do in its source and in each of its references: so a
 * reference that is scored against itself never does. A word is a run of letters, marks and numbers;
 * case and the characters between words do not matter.
 */
#ifndef ATTN_CMD_EVAL_REPETITIONS_H
#define ATTN_CMD_EVAL_REPETITIONS_H

#include "cmd/eval/system_outputs.h"

enum { REPETITION_EXAMPLES = 3 };

typedef struct {
    size_t count, all;              /* segments that repeat themselves, and all segments */
    size_t segment[REPETITION_EXAMPLES];    /* the first of them */
    char  *words[REPETITION_EXAMPLES];      /* what they repeat, in lower case; owned */
} Repetitions;

/* repetitions_init - counts those of the first system; outputs->segments->source must be known.
 * repetitions_free releases. */
void repetitions_init(Repetitions *repetitions, const SystemOutputs *outputs);
void repetitions_free(Repetitions *repetitions);

/* repetitions_print - a line "repeats: 3 of 300 segments", with the examples. repetitions_to_json -
 * {"segments": 3, "of": 300, "examples": [...]}; an example is an object of system_outputs_to_json
 * with the words under "repeated". The caller owns it. */
void   repetitions_print(FILE *out, const Repetitions *repetitions, const SystemOutputs *outputs);
cJSON *repetitions_to_json(const Repetitions *repetitions, const SystemOutputs *outputs);

#endif
