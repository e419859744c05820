/* by_length.c - statistics add up in each bucket; one score a bucket at the end. */
#include "cmd/by_length.h"

#include "cmd/bar.h"
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

ByLength by_length(const Translated *t, const BleuOptions *options)
{
    BleuStats stats[LENGTH_BUCKETS] = { 0 };
    ByLength lengths = { 0 };
    for (size_t i = 0; i < t->segments->count; i++) {
        size_t bucket = bucket_of(t->segments->source[i]);
        translated_bleu(t, t->translation, i, options, &stats[bucket]);
        lengths.bucket[bucket].segments++;
    }
    for (int k = 0; k < LENGTH_BUCKETS; k++) lengths.bucket[k].bleu = bleu_score(&stats[k], options).score;
    return lengths;
}

static int is_open(int bucket)
{
    return bucket == LENGTH_BUCKETS - 1;
}

void by_length_print(FILE *out, const ByLength *lengths, int width)
{
    Buf bar = { 0 };
    fprintf(out, "words  segments  %*s\n", width + 4, "BLEU");
    for (int k = 0; k < LENGTH_BUCKETS; k++) {
        const LengthBucket *bucket = &lengths->bucket[k];
        if (!bucket->segments) continue;
        char label[LABEL];
        if (is_open(k)) snprintf(label, sizeof label, "%d+", k * LENGTH_STEP + 1);
        else snprintf(label, sizeof label, "%d-%d", k * LENGTH_STEP + 1, (k + 1) * LENGTH_STEP);
        buf_clear(&bar);
        bar_draw(bucket->bleu / 100, BAR_COLUMNS, &bar);
        fprintf(out, "%5s  %8zu  %*.*f  %s\n", label, bucket->segments, width + 4, width, bucket->bleu, bar.text);
    }
    buf_free(&bar);
}

cJSON *by_length_to_json(const ByLength *lengths, int width)
{
    cJSON *array = cJSON_CreateArray();
    for (int k = 0; k < LENGTH_BUCKETS; k++) {
        if (!lengths->bucket[k].segments) continue;
        cJSON *bucket = cJSON_CreateObject();
        cJSON_AddNumberToObject(bucket, "from", k * LENGTH_STEP + 1);
        if (is_open(k)) cJSON_AddNullToObject(bucket, "to");
        else cJSON_AddNumberToObject(bucket, "to", (k + 1) * LENGTH_STEP);
        cJSON_AddNumberToObject(bucket, "segments", (double)lengths->bucket[k].segments);
        cJSON_AddItemToObject(bucket, "bleu", json_rounded(lengths->bucket[k].bleu, width));
        cJSON_AddItemToArray(array, bucket);
    }
    return array;
}
