/* fault_examples.c - a list of fixed capacity, as text and as JSON. */
#include "analysis/fault_examples.h"

#include "base/mem.h"
#include "base/printable.h"

#include <stdlib.h>

void fault_examples_add(FaultExamples *examples, size_t segment, const char *words, size_t length)
{
    if (examples->count == MAX_FAULT_EXAMPLES) return;
    examples->example[examples->count++] = (FaultExample){ segment, xstrndup(words, length) };
}

void fault_examples_free(FaultExamples *examples)
{
    for (int k = 0; k < examples->count; k++) free(examples->example[k].words);
    *examples = (FaultExamples){ .count = 0 };
}

void fault_examples_print(FILE *out, const FaultExamples *examples, const SystemOutputs *outputs)
{
    for (int k = 0; k < examples->count; k++) {
        const FaultExample *example = &examples->example[k];
        fputc('\n', out);
        printable_line(out, "segment %zu, %s", example->segment + 1, example->words);
        system_outputs_print(out, outputs, example->segment);
    }
}

cJSON *fault_examples_to_json(const FaultExamples *examples, const SystemOutputs *outputs,
                              const char *key)
{
    cJSON *array = cJSON_CreateArray();
    for (int k = 0; k < examples->count; k++) {
        cJSON *object = system_outputs_to_json(outputs, examples->example[k].segment);
        cJSON_AddStringToObject(object, key, examples->example[k].words);
        cJSON_AddItemToArray(array, object);
    }
    return array;
}
