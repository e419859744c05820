/* system_outputs.h - a test set with the translations of one system, or of two to compare; one
 * segment of it as text and as JSON. */
#ifndef ATTN_CMD_EVAL_SYSTEM_OUTPUTS_H
#define ATTN_CMD_EVAL_SYSTEM_OUTPUTS_H

#include "base/json.h"
#include "metrics/bleu.h"
#include "text/corpus/segments.h"

#include <stdio.h>

enum { MAX_COMPARED_SYSTEMS = 2 };

/* Nothing is owned. */
typedef struct {
    /* source: NULL where it is unknown; a reference that is NULL is missing. */
    const Segments *segments;

    /* (segments->count) translations of the baseline, and of the other system; NULL: there is
     * none. */
    const char *const *output[MAX_COMPARED_SYSTEMS];
} SystemOutputs;

/* system_outputs_bleu - adds the statistics of segment i of one system, 0 or 1. */
void system_outputs_bleu(const SystemOutputs *outputs, int system, size_t i,
                         const BleuOptions *options, BleuStats *stats);

/* system_outputs_print - source, translations and references of segment i, a line each; control
 * characters become '?'. */
void system_outputs_print(FILE *out, const SystemOutputs *outputs, size_t i);

/* system_outputs_to_json - {"segment": i counted from 1, "source": ..., "translation": ...,
 * "references": [...]}; with two systems "translations": [..., ...] instead. The caller owns it. */
cJSON *system_outputs_to_json(const SystemOutputs *outputs, size_t i);

#endif
