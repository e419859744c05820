/* repetitions.h - translations that stammer: the fault of a network that has fallen into a loop.
 *
 * A translation repeats itself where the same two to sixteen words stand three times in a row or more, and more often
 * than any such words do in its source and in each of its references: so a reference that is scored against itself never
 * does. Words are those of analysis/tokens.h, without regard to case and to what stands between them.
 */
#ifndef ATTN_ANALYSIS_REPETITIONS_H
#define ATTN_ANALYSIS_REPETITIONS_H

#include "analysis/system_output.h"

enum { REPETITION_EXAMPLES = 3 };

/* The words that are repeated, in lower case, owned. */
typedef struct { size_t segment; char *what; } Repetition;

typedef struct {
    size_t     count, all;                      /* segments that repeat themselves, of all */
    Repetition example[REPETITION_EXAMPLES];    /* the first, as many as there are */
} Repetitions;

/* repetitions_count - of t->translation; t->segments->source must be known. repetitions_free releases. */
void repetitions_count(Repetitions *repetitions, const SystemOutput *t);
void repetitions_free(Repetitions *repetitions);

/* A line "repeats: 3 of 300 segments" with the examples; or {"segments": 3, "of": 300, "examples": [...]}, where an
 * example is the object of system_output_to_json with "repeated": the words. */
void   repetitions_print(FILE *out, const Repetitions *repetitions, const SystemOutput *t);
cJSON *repetitions_to_json(const Repetitions *repetitions, const SystemOutput *t);

#endif
