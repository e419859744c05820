/* chrf.h - chrF (Popović 2015) and chrF++ (Popović 2017).
 *
 * The F-score of character n-grams, and in chrF++ of word n-grams too. Precision and recall are
 * averaged over the orders that both sides have. Statistics of segments add up. Lines are
 * NUL-terminated valid UTF-8.
 */
#ifndef ATTN_METRICS_CHRF_H
#define ATTN_METRICS_CHRF_H

#include "metrics/metric.h"

enum {
    CHRF_MAX_CHAR_ORDER = 10, CHRF_MAX_WORD_ORDER = 6,
    CHRF_MAX_ORDER = CHRF_MAX_CHAR_ORDER + CHRF_MAX_WORD_ORDER
};

typedef struct {
    int char_order;             /* 6 */
    int word_order;             /* 0: chrF, 2: chrF++ */
    int beta;                   /* 2: recall counts twice as much as precision */
    int whitespace;             /* blanks are characters too */
    int eps;                    /* all orders count; the ratio of a side without n-grams is 1e-16,
                                   as in chrF++.py and NLTK */
    int lowercase;
} ChrfOptions;

extern const Metric metric_chrf;        /* its options are a ChrfOptions */
extern const Metric metric_chrf_plus;   /* chrF++: the same with word_order 2 */
extern const Field chrf_fields[];       /* --chrf-... */
ChrfOptions chrf_defaults(void);

/* A row of statistics, counts for each order: characters first, then words. */
typedef struct {
    struct { double hypothesis, reference, match; } of[CHRF_MAX_ORDER];
} ChrfStats;

/* chrf_add - adds the statistics of one segment against its best reference, the one with the
 * highest F-score for this segment.
 * chrf_score - the score of a sum of statistics, 0..100; single: as in metrics/metric.h. */
void   chrf_add(ChrfStats *stats, const ChrfOptions *options, const char *hypothesis,
                const char *const *references, int reference_count);
double chrf_score(const ChrfStats *stats, const ChrfOptions *options, int single);

#endif
