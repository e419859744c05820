/* by_length.c - statistics add up in each bucket; one score a bucket and metric at the end. */
#include "analysis/by_length.h"

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

static int is_wanted(const ScoreOptions *options, int metric)
{
    return options->metrics >> metric & 1;
}

static int first_wanted(const ScoreOptions *options)
{
    int m = 0;
    while (m < METRICS - 1 && !is_wanted(options, m))
        m++;
    return m;
}

static void add_segment(double *sums, const Metric *metric, const void *options, const SystemOutput *t, size_t i)
{
    double row[METRIC_MAX_WIDTH];
    metric->stats(options, t->translation[i], (const char *const *)t->segments->reference[i],
                  t->segments->references[i], row);
    for (int k = 0; k < metric->width(options); k++)
        sums[k] += row[k];
}

static void score_buckets(ByLength *lengths, int which, const void *options, const SystemOutput *t)
{
    double sums[LENGTH_BUCKETS][METRIC_MAX_WIDTH] = { 0 };
    for (size_t i = 0; i < t->segments->count; i++)
        add_segment(sums[bucket_of(t->segments->source[i])], metrics[which], options, t, i);
    for (int k = 0; k < LENGTH_BUCKETS; k++)
        if (lengths->bucket[k].segments) lengths->bucket[k].score[which] = metrics[which]->score(options, sums[k], 0);
}

ByLength by_length(const SystemOutput *t, const ScoreOptions *options)
{
    ByLength lengths = { 0 };
    for (size_t i = 0; i < t->segments->count; i++)
        lengths.bucket[bucket_of(t->segments->source[i])].segments++;
    for (int m = 0; m < METRICS; m++)
        if (is_wanted(options, m)) score_buckets(&lengths, m, options->options[m], t);
    return lengths;
}

static int is_open(int bucket)
{
    return bucket == LENGTH_BUCKETS - 1;
}

/* A column is as wide as its title, and as 100 with all its digits. */
static void print_titles(FILE *out, const ScoreOptions *options, int *column)
{
    Buf title = { 0 };
    fputs("words  segments", out);
    for (int m = 0; m < METRICS; m++) {
        if (!is_wanted(options, m)) continue;
        buf_clear(&title);
        metrics[m]->title(options->options[m], &title);
        column[m] = (int)title.length > options->width + 4 ? (int)title.length : options->width + 4;
        fprintf(out, "  %*s", column[m], title.text);
    }
    fputc('\n', out);
    buf_free(&title);
}

static void print_bucket(FILE *out, const LengthBucket *bucket, int k, const ScoreOptions *options, const int *column)
{
    char label[LABEL];
    if (is_open(k)) snprintf(label, sizeof label, "%d+", k * LENGTH_STEP + 1);
    else snprintf(label, sizeof label, "%d-%d", k * LENGTH_STEP + 1, (k + 1) * LENGTH_STEP);
    fprintf(out, "%5s  %8zu", label, bucket->segments);
    for (int m = 0; m < METRICS; m++)
        if (is_wanted(options, m)) fprintf(out, "  %*.*f", column[m], options->width, bucket->score[m]);
}

void by_length_print(FILE *out, const ByLength *lengths, const ScoreOptions *options)
{
    Buf bar = { 0 };
    int column[METRICS];
    print_titles(out, options, column);
    for (int k = 0; k < LENGTH_BUCKETS; k++) {
        const LengthBucket *bucket = &lengths->bucket[k];
        if (!bucket->segments) continue;
        print_bucket(out, bucket, k, options, column);
        buf_clear(&bar);
        bar_draw(bucket->score[first_wanted(options)] / 100, BAR_COLUMNS, &bar);
        fprintf(out, "  %s\n", bar.text);
    }
    buf_free(&bar);
}

cJSON *by_length_to_json(const ByLength *lengths, const ScoreOptions *options)
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
            if (is_wanted(options, m))
                cJSON_AddItemToObject(bucket, metrics[m]->name,
                                      json_rounded(lengths->bucket[k].score[m], options->width));
        cJSON_AddItemToArray(array, bucket);
    }
    return array;
}
