/* by_length.c - sums the statistics of each bucket, and computes their scores. */
#include "cmd/eval/by_length.h"

#include "base/bar.h"
#include "text/unicode.h"

enum { BAR_COLUMNS = 40, LABEL = 16 };

static size_t count_words(const char *text)
{
    size_t words = 0;
    for (int inside = 0; *text;) {
        int blank = unicode_is_space(unicode_next(&text));
        words += !blank && !inside;
        inside = !blank;
    }
    return words;
}

static size_t bucket_of(const char *source)
{
    size_t words = count_words(source), bucket = words ? (words - 1) / LENGTH_STEP : 0;
    return bucket < LENGTH_BUCKETS ? bucket : LENGTH_BUCKETS - 1;
}

static int first_wanted(const MetricSet *set)
{
    int m = 0;
    while (m < METRICS - 1 && !metric_set_has(set, m))
        m++;
    return m;
}

static void add_segment(double *sums, const Metric *metric, const void *options,
                        const SystemOutputs *outputs, size_t i)
{
    double row[METRIC_MAX_WIDTH];
    metric->stats(options, outputs->output[0][i],
                  (const char *const *)outputs->segments->reference[i],
                  outputs->segments->references[i], row);
    for (int k = 0; k < metric->width(options); k++)
        sums[k] += row[k];
}

static void score_buckets(ByLength *lengths, int which, const void *options,
                          const SystemOutputs *outputs)
{
    double sums[LENGTH_BUCKETS][METRIC_MAX_WIDTH] = { 0 };
    for (size_t i = 0; i < outputs->segments->count; i++)
        add_segment(sums[bucket_of(outputs->segments->source[i])], metrics[which], options, outputs,
                    i);
    for (int k = 0; k < LENGTH_BUCKETS; k++)
        if (lengths->bucket[k].segments)
            lengths->bucket[k].score[which] = metrics[which]->score(options, sums[k], 0);
}

ByLength by_length_of(const SystemOutputs *outputs, const MetricSet *set)
{
    ByLength lengths = { 0 };
    for (size_t i = 0; i < outputs->segments->count; i++)
        lengths.bucket[bucket_of(outputs->segments->source[i])].segments++;
    for (int m = 0; m < METRICS; m++)
        if (metric_set_has(set, m)) score_buckets(&lengths, m, set->options[m], outputs);
    return lengths;
}

static int is_open(int bucket)
{
    return bucket == LENGTH_BUCKETS - 1;
}

/* Sets the width of each column: that of its title, or of 100 with all its digits. */
static void print_titles(FILE *out, const MetricSet *set, int width, int *column)
{
    Buf title = { 0 };
    fputs("words  segments", out);
    for (int m = 0; m < METRICS; m++) {
        if (!metric_set_has(set, m)) continue;
        buf_clear(&title);
        metrics[m]->title(set->options[m], &title);
        column[m] = (int)title.length > width + 4 ? (int)title.length : width + 4;
        fprintf(out, "  %*s", column[m], title.text);
    }
    fputc('\n', out);
    buf_free(&title);
}

static void print_bucket(FILE *out, const LengthBucket *bucket, int k, const MetricSet *set,
                         int width, const int *column)
{
    char label[LABEL];
    if (is_open(k)) snprintf(label, sizeof label, "%d+", k * LENGTH_STEP + 1);
    else snprintf(label, sizeof label, "%d-%d", k * LENGTH_STEP + 1, (k + 1) * LENGTH_STEP);
    fprintf(out, "%5s  %8zu", label, bucket->segments);
    for (int m = 0; m < METRICS; m++)
        if (metric_set_has(set, m)) fprintf(out, "  %*.*f", column[m], width, bucket->score[m]);
}

void by_length_print(FILE *out, const ByLength *lengths, const MetricSet *set, int width)
{
    Buf bar = { 0 };
    int column[METRICS];
    print_titles(out, set, width, column);
    for (int k = 0; k < LENGTH_BUCKETS; k++) {
        const LengthBucket *bucket = &lengths->bucket[k];
        if (!bucket->segments) continue;
        print_bucket(out, bucket, k, set, width, column);
        buf_clear(&bar);
        bar_draw(bucket->score[first_wanted(set)] / 100, BAR_COLUMNS, &bar);
        fprintf(out, "  %s\n", bar.text);
    }
    buf_free(&bar);
}

cJSON *by_length_to_json(const ByLength *lengths, const MetricSet *set, int width)
{
    cJSON *array = cJSON_CreateArray();
    for (int k = 0; k < LENGTH_BUCKETS; k++) {
        if (!lengths->bucket[k].segments) continue;
        cJSON *bucket = cJSON_CreateObject();
        cJSON_AddNumberToObject(bucket, "from", k * LENGTH_STEP + 1);
        if (is_open(k)) cJSON_AddNullToObject(bucket, "to");
        else cJSON_AddNumberToObject(bucket, "to", (k + 1) * LENGTH_STEP);
        cJSON_AddNumberToObject(bucket, "segments", (double)lengths->bucket[k].segments);
        for (int m = 0; m < METRICS; m++)
            if (metric_set_has(set, m))
                cJSON_AddItemToObject(bucket, metrics[m]->name,
                                      json_rounded(lengths->bucket[k].score[m], width));
        cJSON_AddItemToArray(array, bucket);
    }
    return array;
}
