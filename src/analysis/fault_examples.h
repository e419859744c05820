/* fault_examples.h - the first segments with a fault, and the words of each that are at fault. */
#ifndef ATTN_ANALYSIS_FAULT_EXAMPLES_H
#define ATTN_ANALYSIS_FAULT_EXAMPLES_H

#include "analysis/system_outputs.h"

enum { MAX_FAULT_EXAMPLES = 3 };

typedef struct { size_t segment; char *words; } FaultExample;            /* words: owned */

/* Zero-initialise an FaultExamples; fault_examples_free releases it. */
typedef struct { FaultExample example[MAX_FAULT_EXAMPLES]; int count; } FaultExamples;

/* fault_examples_add - copies the words, `length` bytes; beyond MAX_FAULT_EXAMPLES it does
 * nothing. */
void fault_examples_add(FaultExamples *examples, size_t segment, const char *words, size_t length);
void fault_examples_free(FaultExamples *examples);

/* fault_examples_print - for each example an empty line, the words, and the segment in full.
 * fault_examples_to_json - an array of system_outputs_to_json's objects with the words under `key`.
 * The caller owns it. */
void   fault_examples_print(FILE *out, const FaultExamples *examples, const SystemOutputs *outputs);
cJSON *fault_examples_to_json(const FaultExamples *examples, const SystemOutputs *outputs,
                              const char *key);

#endif
