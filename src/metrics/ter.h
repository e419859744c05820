/* ter.h - translation edit rate (Snover et al. 2006): edits and shifts that turn a hypothesis into the reference.
 *
 *     TER = 100 · Σ edits with the nearest reference / Σ mean length of the references
 *
 * An edit is a word inserted, deleted or replaced, or a run of words moved elsewhere. Which runs are moved is a greedy
 * search with the limits of tercom, in the order in which sacreBLEU tries them: other programs find other numbers.
 */
#ifndef ATTN_METRICS_TER_H
#define ATTN_METRICS_TER_H

#include "metrics/metric.h"
#include "metrics/tokenize.h"

typedef struct {
    Tercom words;               /* what is done to the lines before they are cut at blanks */
    int    case_sensitive;
} TerOptions;

extern const Metric metric_ter;         /* its options are a TerOptions; its row: edits, mean reference length */
extern const Field ter_fields[];        /* --ter-... */

/* ter_edits - how many edits turn the hypothesis into the reference, both as ids of words. */
int ter_edits(const Symbols *hypothesis, const Symbols *reference);

#endif
