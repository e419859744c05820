/* bleu.h - corpus and sentence BLEU (Papineni et al. 2002): clipped n-gram precisions and a brevity
 * penalty.
 *
 * Statistics of segments add up: corpus BLEU is bleu_score of the sum. Lines are NUL-terminated
 * valid UTF-8.
 */
#ifndef ATTN_METRICS_BLEU_H
#define ATTN_METRICS_BLEU_H

#include "metrics/metric.h"
#include "metrics/tokenize.h"

enum { BLEU_ORDER = 4 };
enum { SMOOTH_EXP, SMOOTH_FLOOR, SMOOTH_ADD_K, SMOOTH_NONE };

typedef struct {
    int    tokenize;            /* TOKENIZE_... */
    int    smooth;              /* SMOOTH_... */
    double smooth_value;        /* of floor and add-k; negative: the method's default (0.1, 1) */
    int    lowercase;
    int    effective_order;     /* sentence level: only orders that fit into the hypothesis count */
} BleuOptions;

extern const Metric metric_bleu;                /* its options are a BleuOptions */
extern const Field bleu_fields[];               /* --tokenize --smooth --smooth-value --lowercase */
BleuOptions bleu_defaults(void);                /* 13a, exp, cased */

/* A row of statistics; whole numbers. */
typedef struct {
    double correct[BLEU_ORDER], total[BLEU_ORDER];
    double hypothesis_length, reference_length;
} BleuStats;

typedef struct {
    double score;                               /* 0..100 */
    double precision[BLEU_ORDER];               /* percent, smoothed */
    double brevity_penalty;
    double ratio;                               /* hypothesis length / reference length */
    BleuStats stats;
} Bleu;

/* bleu_add - adds the statistics of one segment, which has a reference at least.
 * bleu_score - the score of a sum of statistics; single: as in metrics/metric.h. */
void bleu_add(BleuStats *stats, const BleuOptions *options, const char *hypothesis,
              const char *const *references, int reference_count);
Bleu bleu_score(const BleuStats *stats, const BleuOptions *options, int single);

#endif
