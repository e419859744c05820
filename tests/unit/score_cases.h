/* score_cases.h - the frozen cases of tests/data/metrics, for the tests of all scores. */
#ifndef ATTN_TESTS_SCORE_CASES_H
#define ATTN_TESTS_SCORE_CASES_H

#include "base/files/files.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/version.h"
#include "metrics/metric.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The array of cases in tests/data/metrics/NAME; the caller deletes it. */
static inline cJSON *cases_read(const char *name)
{
    Err e = { "" };
    Content file;
    char path[256];
    snprintf(path, sizeof path, "tests/data/metrics/%s", name);
    if (content_read(&file, path, &e)) fail_msg("%s (run from the project's root)", e.text);
    cJSON *cases = json_parse(file.data, file.size, &e);
    if (!cases) fail_msg("%s: %s", path, e.text);
    content_free(&file);
    assert_true(cJSON_GetArraySize(cases) > 0);
    return cases;
}

static inline const cJSON *member(const cJSON *object, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!value) fail_msg("a case lacks '%s'", key);
    return value;
}

static inline const char *text_of(const cJSON *object, const char *key)
{
    return member(object, key)->valuestring;
}

static inline int is_true(const cJSON *object, const char *key)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static inline void assert_near(double found, double expected, const cJSON *object)
{
    if (fabs(found - expected) <= 1e-9) return;
    char *text = json_text(object, 0);
    print_error("%.15g instead of %.15g in %s\n", found, expected, text);
    free(text);
    fail();
}

/* The frozen line with this program's version in it; the caller frees. */
static inline char *own_version(const char *line)
{
    static const char theirs[] = "version:2.6.0", ours[] = "version:attn-" ATTN_VERSION;
    const char *at = strstr(line, theirs);
    assert_non_null(at);
    Buf out = { 0 };
    buf_add(&out, line, (size_t)(at - line));
    buf_puts(&out, ours);
    buf_puts(&out, at + strlen(theirs));
    return out.text;
}

/* One segment: its hypothesis, and its reference in each stream that has one. */
enum { MOST_REFERENCES = 8 };
typedef struct {
    const char *hypothesis;
    const char *reference[MOST_REFERENCES];
    int         references;
} Segment;

static inline Segment corpus_segment(const cJSON *one, int i)
{
    Segment segment = { .hypothesis = cJSON_GetArrayItem(member(one, "hyp"), i)->valuestring };
    const cJSON *stream;
    cJSON_ArrayForEach(stream, member(one, "refs")) {
        assert_true(segment.references < MOST_REFERENCES);
        const char *reference = cJSON_GetArrayItem(stream, i)->valuestring;     /* NULL for null */
        if (reference) segment.reference[segment.references++] = reference;
    }
    return segment;
}

static inline int corpus_segments(const cJSON *one)
{
    return cJSON_GetArraySize(member(one, "hyp"));
}

/* The number of references in a signature: how many references each segment of a corpus has, 0
 * where that varies. */
static inline int corpus_references(const cJSON *one)
{
    int references = corpus_segment(one, 0).references;
    for (int i = 1; i < corpus_segments(one); i++)
        if (corpus_segment(one, i).references != references) return 0;
    return references;
}

static inline Segment sentence_segment(const cJSON *one)
{
    Segment segment = { .hypothesis = text_of(one, "hyp") };
    const cJSON *reference;
    cJSON_ArrayForEach(reference, member(one, "refs")) {
        assert_true(segment.references < MOST_REFERENCES);
        segment.reference[segment.references++] = reference->valuestring;
    }
    return segment;
}

/* The line that the metric prints for the sums, with two digits, is the frozen one. */
static inline void assert_same_line(const Metric *metric, const void *options, const double *sums,
                                    const cJSON *one)
{
    Buf line = { 0 };
    char *expected = own_version(text_of(one, "text"));
    metric->title(options, &line);
    buf_putc(&line, '|');
    metric_signature(metric, options, corpus_references(one), (Resamples){ .bootstrap = 0 }, &line);
    buf_printf(&line, " = %.2f", metric->score(options, sums, 0));
    if (metric->verbose) {
        buf_putc(&line, ' ');
        metric->verbose(options, sums, &line);
    }
    assert_string_equal(line.text, expected);
    free(expected);
    buf_free(&line);
}

/* Sums the rows of a frozen corpus, compares score and line, and once more with the segments
 * backwards. any_order: with the references backwards too; for chrF their order matters where two
 * are equally good. */
static inline void assert_same_corpus(const Metric *metric, const void *options, const cJSON *one,
                                      int any_order)
{
    double sums[2][METRIC_MAX_WIDTH] = { { 0 } }, row[METRIC_MAX_WIDTH];
    for (int i = 0; i < corpus_segments(one); i++) {
        Segment ahead = corpus_segment(one, i);
        Segment back = corpus_segment(one, corpus_segments(one) - 1 - i);
        const char *turned[MOST_REFERENCES];
        for (int r = 0; r < back.references; r++)
            turned[r] = back.reference[any_order ? back.references - 1 - r : r];
        metric->stats(options, ahead.hypothesis, ahead.reference, ahead.references, row);
        for (int k = 0; k < metric->width(options); k++) sums[0][k] += row[k];
        metric->stats(options, back.hypothesis, turned, back.references, row);
        for (int k = 0; k < metric->width(options); k++) sums[1][k] += row[k];
    }
    assert_near(metric->score(options, sums[0], 0), member(one, "score")->valuedouble, one);
    assert_near(metric->score(options, sums[1], 0), member(one, "score")->valuedouble, one);
    assert_same_line(metric, options, sums[0], one);
}

static inline void assert_same_sentence(const Metric *metric, const void *options, const char *key,
                                        const cJSON *one)
{
    Segment segment = sentence_segment(one);
    double row[METRIC_MAX_WIDTH];
    metric->stats(options, segment.hypothesis, segment.reference, segment.references, row);
    assert_near(metric->score(options, row, 0), member(one, key)->valuedouble, one);
}

#endif
