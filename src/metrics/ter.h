/* ter.h - translation edit rate (Snover et al. 2006): edits and shifts that turn a hypothesis into
 * the reference.
 *
 *     TER = 100 · Σ edits with the nearest reference / Σ mean length of the references
 *
 * An edit is a word inserted, deleted or replaced, or a shift: a phrase moved elsewhere. A greedy
 * search chooses the shifts, with the limits of tercom and in the order of sacreBLEU: other
 * programs find other numbers.
 */
#ifndef ATTN_METRICS_TER_H
#define ATTN_METRICS_TER_H

#include "metrics/metric.h"
#include "metrics/tokenize.h"

typedef struct {
    TercomOptions tercom;           /* how lines are normalised before they are split at blanks */
    int           case_sensitive;
} TerOptions;

extern const Metric metric_ter;         /* its options are a TerOptions */
extern const Field ter_fields[];        /* --ter-... */

/* ter_edits - the number of edits that turn the hypothesis into the reference, both as ids of
 * words. */
int ter_edits(const Symbols *hypothesis, const Symbols *reference);

#endif
