/* by_length.h - scores by the length of the source, as in figure 2 of Bahdanau, Cho and Bengio
 * (2015), "Neural Machine Translation by Jointly Learning to Align and Translate".
 *
 * The length of a source is its number of words between blanks. Bucket k has the lengths 5k+1 ..
 * 5k+5, and its scores are the corpus scores of its segments. The last bucket has all greater
 * lengths, the first also sources without a word.
 */
#ifndef ATTN_CMD_EVAL_BY_LENGTH_H
#define ATTN_CMD_EVAL_BY_LENGTH_H

#include "cmd/eval/system_outputs.h"
#include "metrics/metric_set.h"

enum { LENGTH_BUCKETS = 11, LENGTH_STEP = 5 };      /* 1-5, 6-10, ... 46-50, 51+ */

typedef struct {
    size_t segments;
    double score[METRICS];              /* 0 for a metric that is not wanted */
} LengthBucket;

typedef struct { LengthBucket bucket[LENGTH_BUCKETS]; } ByLength;

/* by_length_of - the scores of the first system by each metric that is wanted;
 * outputs->segments->source must be known. */
ByLength by_length_of(const SystemOutputs *outputs, const MetricSet *set);

/* Both leave out empty buckets; scores have `width` digits after the point.
 * by_length_print - a table with a bar for the first score of each bucket; 40 columns are a score
 * of 100.
 * by_length_to_json - an array of {"from": 6, "to": 10, "segments": 200, "bleu": 45.2, "chrf":
 * 60.3}, with "to" null in the last bucket. The caller owns it. */
void   by_length_print(FILE *out, const ByLength *lengths, const MetricSet *set, int width);
cJSON *by_length_to_json(const ByLength *lengths, const MetricSet *set, int width);

#endif
