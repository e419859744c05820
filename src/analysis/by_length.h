/* by_length.h - scores by the length of the source: how well long sentences fare (Bahdanau, Cho and Bengio 2015,
 * "Neural Machine Translation by Jointly Learning to Align and Translate", Figure 2).
 *
 * A source's length is its number of words as blanks separate them. Bucket k holds the lengths 5k+1 .. 5k+5 and its
 * scores are the corpus scores of its segments; the last bucket is open. A source without a word is in the first.
 */
#ifndef ATTN_ANALYSIS_BY_LENGTH_H
#define ATTN_ANALYSIS_BY_LENGTH_H

#include "cmd/eval/score.h"
#include "analysis/system_output.h"

enum { LENGTH_BUCKETS = 11, LENGTH_STEP = 5 };      /* 1-5, 6-10, ... 46-50, 51+ */

typedef struct { size_t segments; double score[METRICS]; } LengthBucket;        /* 0 of a metric that isn't wanted */
typedef struct { LengthBucket bucket[LENGTH_BUCKETS]; } ByLength;

/* by_length - of t->translation by each metric that is wanted; t->segments->source must be known. */
ByLength by_length(const SystemOutput *t, const ScoreOptions *options);

/* The buckets that hold a segment: a table, with a bar of the first score for each (100 are 40 columns); or an array of
 * {"from": 6, "to": 10, "segments": 200, "bleu": 45.2, "chrf": 60.3}, "to" null in the open bucket. */
void   by_length_print(FILE *out, const ByLength *lengths, const ScoreOptions *options);
cJSON *by_length_to_json(const ByLength *lengths, const ScoreOptions *options);

#endif
