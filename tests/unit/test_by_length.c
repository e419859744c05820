/* test_by_length.c - which bucket a source falls into, and the BLEU of each bucket by itself. */
#include "cmd/by_length.h"
#include "few_sentences.h"

#include "base/buf.h"

/* The bucket of one source of so many words, by the count of segments; they are apart by `blank`. */
static int bucket_of_length(int words, const char *blank)
{
    Buf source = { 0 };
    Few few;
    buf_puts(&source, blank);
    for (int i = 0; i < words; i++) buf_printf(&source, "w.%s", blank);
    few_init(&few, (Row[]){ { source.text, "a", NULL, { "a" } } }, 1);
    const BleuOptions options = bleu_defaults();
    const ByLength lengths = by_length(&few.translated, &options);
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
        { 0, 0 }, { 1, 0 }, { 5, 0 }, { 6, 1 }, { 10, 1 }, { 11, 2 }, { 50, 9 }, { 51, 10 }, { 55, 10 }, { 56, 10 },
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

static void each_bucket_should_have_the_corpus_bleu_of_its_segments(void **state)
{
    (void)state;
    Few few;
    few_init(&few, rows, 3);
    const BleuOptions options = bleu_defaults();
    const ByLength lengths = by_length(&few.translated, &options);
    BleuStats stats = { 0 };
    translated_bleu(&few.translated, few.translated.translation, 0, &options, &stats);
    translated_bleu(&few.translated, few.translated.translation, 2, &options, &stats);
    assert_int_equal(stats.hypothesis_length, 9);
    assert_true(lengths.bucket[0].bleu == bleu_score(&stats, &options).score);
    assert_int_equal(lengths.bucket[0].segments, 2);
    assert_true(lengths.bucket[1].bleu == 0);
    assert_int_equal(lengths.bucket[1].segments, 1);
    for (int k = 2; k < LENGTH_BUCKETS; k++) assert_int_equal(lengths.bucket[k].segments, 0);
}

static ByLength three_buckets(void)
{
    ByLength lengths = { 0 };
    lengths.bucket[0] = (LengthBucket){ 12, 50 };
    lengths.bucket[2] = (LengthBucket){ 3, 100 };
    lengths.bucket[LENGTH_BUCKETS - 1] = (LengthBucket){ 1, 1.26 };
    return lengths;
}

static void the_table_should_leave_out_empty_buckets(void **state)
{
    (void)state;
    const ByLength lengths = three_buckets();
    char text[2048];
    FILE *stream = tmpfile();
    by_length_print(stream, &lengths, 1);
    read_stream(stream, text, sizeof text);
    assert_string_equal(text, "words  segments   BLEU\n"
                              "  1-5        12   50.0  ████████████████████\n"
                              "11-15         3  100.0  ████████████████████████████████████████\n"
                              "  51+         1    1.3  ▌\n");
}

static void json_should_hold_the_same(void **state)
{
    (void)state;
    const ByLength lengths = three_buckets();
    cJSON *array = by_length_to_json(&lengths, 1);
    char *text = json_text(array, 0);
    assert_string_equal(text, "[{\"from\":1,\"to\":5,\"segments\":12,\"bleu\":50},"
                              "{\"from\":11,\"to\":15,\"segments\":3,\"bleu\":100},"
                              "{\"from\":51,\"to\":null,\"segments\":1,\"bleu\":1.3}]");
    free(text);
    cJSON_Delete(array);
}

int main(void)
{
    json_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_should_hold_five_lengths_and_the_last_all_others),
        cmocka_unit_test(words_should_be_apart_by_any_blanks),
        cmocka_unit_test(each_bucket_should_have_the_corpus_bleu_of_its_segments),
        cmocka_unit_test(the_table_should_leave_out_empty_buckets),
        cmocka_unit_test(json_should_hold_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
