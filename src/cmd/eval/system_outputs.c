/* system_outputs.c - one segment, in lines and in JSON. */
#include "cmd/eval/system_outputs.h"

#include "base/printable.h"

static const char *const *references_of(const SystemOutputs *outputs, size_t i)
{
    return (const char *const *)outputs->segments->reference[i];
}

void system_outputs_bleu(const SystemOutputs *outputs, int system, size_t i,
                         const BleuOptions *options, BleuStats *stats)
{
    bleu_add(stats, options, outputs->output[system][i], references_of(outputs, i),
             outputs->segments->references[i]);
}

static void print_line(FILE *out, const char *label, const char *text)
{
    printable_line(out, "  %-11s  %s", label, text);
}

void system_outputs_print(FILE *out, const SystemOutputs *outputs, size_t i)
{
    const Segments *segments = outputs->segments;
    const char *const *references = references_of(outputs, i);
    if (segments->source) print_line(out, "source", segments->source[i]);
    print_line(out, outputs->output[1] ? "first" : "translation", outputs->output[0][i]);
    if (outputs->output[1]) print_line(out, "second", outputs->output[1][i]);
    for (int r = 0; r < segments->references[i]; r++)
        if (references[r]) print_line(out, "reference", references[r]);
}

static void add_text(cJSON *array, const char *text)
{
    cJSON_AddItemToArray(array, cJSON_CreateString(text));
}

cJSON *system_outputs_to_json(const SystemOutputs *outputs, size_t i)
{
    const Segments *segments = outputs->segments;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "segment", (double)i + 1);
    if (segments->source) cJSON_AddStringToObject(object, "source", segments->source[i]);
    if (outputs->output[1]) {
        cJSON *both = cJSON_AddArrayToObject(object, "translations");
        add_text(both, outputs->output[0][i]);
        add_text(both, outputs->output[1][i]);
    } else {
        cJSON_AddStringToObject(object, "translation", outputs->output[0][i]);
    }
    cJSON *references = cJSON_AddArrayToObject(object, "references");
    for (int r = 0; r < segments->references[i]; r++)
        if (references_of(outputs, i)[r]) add_text(references, references_of(outputs, i)[r]);
    return object;
}
