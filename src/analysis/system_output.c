/* system_output.c - one segment, in lines and in JSON. */
#include "analysis/system_output.h"

#include "base/printable.h"


static const char *const *references_of(const SystemOutput *t, size_t i)
{
    return (const char *const *)t->segments->reference[i];
}

void system_output_bleu(const SystemOutput *t, const char *const *translation, size_t i, const BleuOptions *options,
                     BleuStats *stats)
{
    bleu_add(stats, options, translation[i], references_of(t, i), t->segments->references[i]);
}

static void print_line(FILE *out, const char *label, const char *text)
{
    printable_line(out, "  %-11s  %s", label, text);
}

void system_output_print(FILE *out, const SystemOutput *t, size_t i)
{
    if (t->segments->source) print_line(out, "source", t->segments->source[i]);
    print_line(out, t->rival ? "first" : "translation", t->translation[i]);
    if (t->rival) print_line(out, "second", t->rival[i]);
    for (int r = 0; r < t->segments->references[i]; r++)
        if (references_of(t, i)[r]) print_line(out, "reference", references_of(t, i)[r]);
}

static void add_text(cJSON *array, const char *text)
{
    cJSON_AddItemToArray(array, cJSON_CreateString(text));
}

cJSON *system_output_to_json(const SystemOutput *t, size_t i)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "segment", (double)i + 1);
    if (t->segments->source) cJSON_AddStringToObject(object, "source", t->segments->source[i]);
    if (t->rival) {
        cJSON *both = cJSON_AddArrayToObject(object, "translations");
        add_text(both, t->translation[i]);
        add_text(both, t->rival[i]);
    } else {
        cJSON_AddStringToObject(object, "translation", t->translation[i]);
    }
    cJSON *references = cJSON_AddArrayToObject(object, "references");
    for (int r = 0; r < t->segments->references[i]; r++)
        if (references_of(t, i)[r]) add_text(references, references_of(t, i)[r]);
    return object;
}
