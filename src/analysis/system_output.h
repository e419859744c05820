/* system_output.h - segments with what one system, or two, made of them; and one of them shown, to a person or a
 * program. */
#ifndef ATTN_ANALYSIS_SYSTEM_OUTPUT_H
#define ATTN_ANALYSIS_SYSTEM_OUTPUT_H

#include "base/json.h"
#include "metrics/bleu.h"
#include "text/segments.h"

#include <stdio.h>

/* Nothing is owned. */
typedef struct {
    const Segments    *segments;        /* source: NULL where it is not known; a reference that is NULL is missing */
    const char *const *translation;     /* (segments->count) */
    const char *const *rival;           /* (segments->count) of the second system; NULL: there is none */
} SystemOutput;

/* system_output_bleu - adds the statistics of segment i, by `translation`: t->translation or t->rival. */
void system_output_bleu(const SystemOutput *t, const char *const *translation, size_t i, const BleuOptions *options,
                     BleuStats *stats);

/* system_output_print - source, translations and references, a line each; control characters become '?'. */
void system_output_print(FILE *out, const SystemOutput *t, size_t i);

/* system_output_to_json - {"segment": i counted from 1, "source": ..., "translation": ..., "references": [...]}; with a
 * rival "translations": [..., ...] instead. The caller owns it. */
cJSON *system_output_to_json(const SystemOutput *t, size_t i);

#endif
