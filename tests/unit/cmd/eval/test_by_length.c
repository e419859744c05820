/* test_by_length.c - which bucket a source falls into, and the scores of each bucket by itself. */
#include "cmd/eval/by_length.h"
#include "few_sentences.h"

#include "base/buf.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"

/* Bits of MetricSet.wanted. */
enum { BLEU = 1 << METRIC_BLEU, CHRF = 1 << METRIC_CHRF, TER = 1 << METRIC_TER };

static MetricSet set_of(unsigned wanted)
{
    MetricSet set;
    metric_set_init(&set);
    set.wanted = wanted;
    return set;
}

/* The bucket of one source of so many words, by the count of segments; they are apart by
 * `blank`. */
static int bucket_of_length(int words, const char *blank)
{
    Buf source = { 0 };
    Few few;
    buf_puts(&source, blank);
    for (int i = 0; i < words; i++) buf_printf(&source, "w.%s", blank);
    few_init(&few, (Row[]){ { source.text, "a", NULL, { "a" } } }, 1);
    MetricSet set = set_of(BLEU);
    const ByLength lengths = by_length_of(&few.outputs, &set);
    metric_set_free(&set);
    buf_free(&source);
    int found = -1;
    for (int k = 0; k < LENGTH_BUCKETS; k++) {
        if (!lengths.bucket[k].segments) continue;
        assert_int_equal(found, -1);
        assert_int_equal(lengths.bucket[k].segments, 1);
        found = k;
    }
    return found;
}

static void buckets_should_hold_five_lengths_and_the_last_all_others(void **state)
{
    (void)state;
    const struct { int words, bucket; } cases[] = {
        { 0, 0 }, { 1, 0 }, { 5, 0 }, { 6, 1 }, { 10, 1 }, { 11, 2 }, { 50, 9 }, { 51, 10 },
        { 55, 10 }, { 56, 10 },
        { 1000, 10 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(bucket_of_length(cases[i].words, " "), cases[i].bucket);
}

static void words_should_be_apart_by_any_blanks(void **state)
{
    (void)state;
    assert_int_equal(bucket_of_length(6, "\xC2\xA0"), 1);
    assert_int_equal(bucket_of_length(6, "\xE2\x80\xAF \t"), 1);
    assert_int_equal(bucket_of_length(6, ","), 0);
}

/* Two short segments, one right and one with 4 of 5 words right, and a long one without a match. */
static const Row rows[] = {
    { "one two", "a b c d", NULL, { "a b c d" } },
    { "one two three four five six", "x", NULL, { "y" } },
    { "one", "a b c d x", NULL, { "a b c e x" } },
};

static double bleu_of(const Few *few, size_t first, size_t second)
{
    const BleuOptions options = bleu_defaults();
    BleuStats stats = { 0 };
    system_outputs_bleu(&few->outputs, 0, first, &options, &stats);
    system_outputs_bleu(&few->outputs, 0, second, &options, &stats);
    return bleu_score(&stats, &options).score;
}

static double chrf_of(const Few *few, size_t first, size_t second)
{
    const ChrfOptions options = chrf_defaults();
    const size_t both[] = { first, second };
    ChrfStats stats = { 0 };
    for (int i = 0; i < 2; i++)
        chrf_add(&stats, &options, few->translation[both[i]],
                 (const char *const *)few->reference[both[i]], 1);
    return chrf_score(&stats, &options);
}

static void each_bucket_should_have_the_corpus_scores_of_its_segments(void **state)
{
    (void)state;
    Few few;
    few_init(&few, rows, 3);
    MetricSet set = set_of(BLEU | CHRF);
    const ByLength lengths = by_length_of(&few.outputs, &set);
    assert_true(lengths.bucket[0].score[0] == bleu_of(&few, 0, 2)
                && lengths.bucket[0].score[0] > 0);
    assert_true(lengths.bucket[0].score[1] == chrf_of(&few, 0, 2)
                && lengths.bucket[0].score[1] > 0);
    assert_int_equal(lengths.bucket[0].segments, 2);
    assert_true(lengths.bucket[1].score[0] == 0 && lengths.bucket[1].score[1] == 0);
    assert_int_equal(lengths.bucket[1].segments, 1);
    for (int k = 2; k < LENGTH_BUCKETS; k++) assert_int_equal(lengths.bucket[k].segments, 0);
    metric_set_free(&set);
}

static ByLength three_buckets(void)
{
    ByLength lengths = { 0 };
    lengths.bucket[0] = (LengthBucket){ 12, { 50, 60.04, 65, 70 } };
    lengths.bucket[2] = (LengthBucket){ 3, { 100, 100, 100, 0 } };
    lengths.bucket[LENGTH_BUCKETS - 1] = (LengthBucket){ 1, { 1.26, 25, 30, 100 } };
    return lengths;
}

#define HALF_BAR "████████████████████"
#define FULL_BAR HALF_BAR HALF_BAR

static void assert_printed(unsigned wanted, int width, const char *expected)
{
    const ByLength lengths = three_buckets();
    MetricSet set = set_of(wanted);
    char text[2048];
    FILE *stream = tmpfile();
    by_length_print(stream, &lengths, &set, width);
    read_stream(stream, text, sizeof text);
    assert_string_equal(text, expected);
    metric_set_free(&set);
}

static void the_table_should_leave_out_empty_buckets(void **state)
{
    (void)state;
    assert_printed(BLEU, 1,
        "words  segments   BLEU\n"
        "  1-5        12   50.0  ████████████████████\n"
        "11-15         3  100.0  "
            FULL_BAR "\n"
        "  51+         1    1.3  ▌\n");
}

static void the_table_should_have_a_column_for_each_metric_and_a_bar_of_the_first(void **state)
{
    (void)state;
    assert_printed(BLEU | CHRF, 1,
        "words  segments   BLEU  chrF2\n"
        "  1-5        12   50.0   60.0  "
            "████████████████████\n"
        "11-15         3  100.0  100.0  "
            FULL_BAR "\n"
        "  51+         1    1.3   25.0  ▌\n");
    assert_printed(CHRF | TER, 0,
        "words  segments  chrF2   TER\n"
        "  1-5        12     60    70  "
            "████████████████████████\n"
        "11-15         3    100     0  "
            FULL_BAR "\n"
        "  51+         1     25   100  ██████████\n");
}

static void json_should_hold_the_same(void **state)
{
    (void)state;
    const ByLength lengths = three_buckets();
    MetricSet set = set_of(BLEU | CHRF);
    cJSON *array = by_length_to_json(&lengths, &set, 1);
    char *text = json_text(array, 0);
    assert_string_equal(text, "[{\"from\":1,\"to\":5,\"segments\":12,\"bleu\":50,\"chrf\":60},"
                              "{\"from\":11,\"to\":15,\"segments\":3,\"bleu\":100,\"chrf\":100},"
                              "{\"from\":51,\"to\":null,\"segments\":1,\"bleu\":1.3,\"chrf\":25}]");
    free(text);
    cJSON_Delete(array);
    metric_set_free(&set);
}

int main(void)
{
    json_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_should_hold_five_lengths_and_the_last_all_others),
        cmocka_unit_test(words_should_be_apart_by_any_blanks),
        cmocka_unit_test(each_bucket_should_have_the_corpus_scores_of_its_segments),
        cmocka_unit_test(the_table_should_leave_out_empty_buckets),
        cmocka_unit_test(the_table_should_have_a_column_for_each_metric_and_a_bar_of_the_first),
        cmocka_unit_test(json_should_hold_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
