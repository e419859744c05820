/* test_analysis.c - closer looks at a handful of segments: what is reported, in which order, and
 * how. */
#include "cmd/eval/eval.h"

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SENTENCES = 8, MOST_REFERENCES = 3 };

/* Bits of MetricSet.wanted. */
enum { BLEU = 1 << METRIC_BLEU, CHRF = 1 << METRIC_CHRF, TER = 1 << METRIC_TER };

/* Rows end at the first without a translation. */
typedef struct { const char *source, *translation, *other, *reference[MOST_REFERENCES]; } Row;

/* Adds what is found to the object, and prints it unless `out` is NULL. Of two systems only the
 * difference is looked at. */
static void look(const AnalysisOptions *options, const Row *rows, unsigned wanted, int width,
                 FILE *out, cJSON *object)
{
    const char *source[MOST_SENTENCES], *translation[MOST_SENTENCES], *other[MOST_SENTENCES];
    const char *list[MOST_SENTENCES][MOST_REFERENCES], **reference[MOST_SENTENCES];
    int references[MOST_SENTENCES] = { 0 };
    size_t count = 0;
    for (; rows[count].translation; count++) {
        source[count] = rows[count].source;
        translation[count] = rows[count].translation;
        other[count] = rows[count].other;
        reference[count] = list[count];
        for (int r = 0; r < MOST_REFERENCES && rows[count].reference[r]; r++)
            list[count][references[count]++] = rows[count].reference[r];
    }
    Text systems[] = { { translation, count }, { other, count } };
    const TestSet set = { .segments = { .source = source[0] ? source : NULL, .reference = reference,
                                        .references = references, .count = count },
                          .systems = systems, .system_count = options->diff ? 2 : 1 };
    MetricSet metric_set;
    metric_set_init(&metric_set);
    metric_set.wanted = wanted;
    analysis_to_json(options, &set, &metric_set, width, object);
    if (out) analysis_print(out, object, &metric_set, width);
    metric_set_free(&metric_set);
}

static void assert_text(AnalysisOptions options, const Row *rows, unsigned wanted, int width,
                        const char *expected)
{
    char text[4096];
    FILE *stream = tmpfile();
    cJSON *object = cJSON_CreateObject();
    look(&options, rows, wanted, width, stream, object);
    cJSON_Delete(object);
    rewind(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

static cJSON *json_of(AnalysisOptions options, const Row *rows, unsigned wanted, int width)
{
    cJSON *object = cJSON_CreateObject();
    look(&options, rows, wanted, width, NULL, object);
    return object;
}

/* ---- By length ---- */

/* The first length of the bucket that a source of so many words falls into; they are apart by
 * `blank`. */
static int bucket_of_length(int words, const char *blank)
{
    Buf source = { 0 };
    buf_puts(&source, blank);
    for (int i = 0; i < words; i++) buf_printf(&source, "w.%s", blank);
    const Row rows[] = { { source.text, "a", NULL, { "a" } }, { 0 } };
    cJSON *object = json_of((AnalysisOptions){ .by_length = 1 }, rows, BLEU, 0);
    const cJSON *buckets = cJSON_GetObjectItem(object, "by_length");
    assert_int_equal(cJSON_GetArraySize(buckets), 1);
    assert_int_equal(cJSON_GetObjectItem(buckets->child, "segments")->valueint, 1);
    const int from = cJSON_GetObjectItem(buckets->child, "from")->valueint;
    cJSON_Delete(object);
    buf_free(&source);
    return from;
}

UNIT_TEST(buckets_should_hold_five_lengths_and_the_last_all_others)
{
    static const struct { int words; const char *blank; int from; } cases[] = {
        { 0, " ", 1 }, { 1, " ", 1 }, { 5, " ", 1 }, { 6, " ", 6 }, { 10, " ", 6 }, { 11, " ", 11 },
        { 50, " ", 46 }, { 51, " ", 51 }, { 56, " ", 51 }, { 1000, " ", 51 },
        { 6, "\xC2\xA0", 6 }, { 6, "\xE2\x80\xAF \t", 6 }, { 6, ",", 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(bucket_of_length(cases[i].words, cases[i].blank), cases[i].from);
}

#define HALF_BAR "████████████████████"
#define SIX "one two three four five six"

/* Two short segments, one right and one with 4 of 5 words right, and a long one without a match. */
static const Row lengths[] = {
    { "one two", "a b c d", NULL, { "a b c d" } },
    { SIX SIX, "x", NULL, { "y" } },
    { "one", "a b c d x", NULL, { "a b c e x" } },
    { 0 }
};

UNIT_TEST(each_bucket_should_have_the_corpus_scores_of_its_segments)
{
    const char *const reference[] = { "a b c d", "a b c e x" };
    const BleuOptions bleu = bleu_defaults();
    const ChrfOptions chrf = chrf_defaults();
    BleuStats words = { 0 };
    ChrfStats characters = { 0 };
    for (int i = 0; i < 2; i++) {
        bleu_add(&words, &bleu, lengths[2 * i].translation, &reference[i], 1);
        chrf_add(&characters, &chrf, lengths[2 * i].translation, &reference[i], 1);
    }
    Buf expected = { 0 };
    buf_printf(&expected, "\nScores by source length:\nwords  segments      BLEU     chrF2\n"
                          "  1-5         2  %8.4f  %8.4f  " HALF_BAR "███▉\n"
                          "11-15         1    0.0000    0.0000  \n",
               bleu_score(&words, &bleu, 0).score, chrf_score(&characters, &chrf, 0));
    assert_text((AnalysisOptions){ .by_length = 1 }, lengths, BLEU | CHRF, 4, expected.text);
    buf_free(&expected);
}

UNIT_TEST(the_table_should_have_a_bar_of_the_first_score)
{
    assert_text((AnalysisOptions){ .by_length = 1 }, lengths, TER, 1,
                "\nScores by source length:\nwords  segments    TER\n"
                "  1-5         2   11.1  ████▍\n"
                "11-15         1  100.0  " HALF_BAR HALF_BAR "\n");
    assert_text((AnalysisOptions){ .by_length = 1 },
                (Row[]){ { SIX " " SIX " " SIX " " SIX " " SIX " " SIX " " SIX " " SIX " " SIX,
                           "a b c d", NULL, { "a b c d" } }, { 0 } }, BLEU, 0,
                "\nScores by source length:\nwords  segments  BLEU\n"
                "  51+         1   100  " HALF_BAR HALF_BAR "\n");
}

/* ---- Rankings ---- */

/* BLEU of the translations: 0, 42.73, 100, 0; of the others: 100, 42.73, 0, 42.73. */
static const Row ranked[] = {
    { "s1", "q", "a b c e x", { "a b c e x" } },
    { "s2", "a b c d x", "a b c d x", { "a b c e x" } },
    { "s3", "a b c e x", "q", { "z", "a b c e x" } },
    { "s4", "q", "a b c d x", { "a b c e x" } },
    { 0 }
};

static void assert_order(AnalysisOptions options, const char *expected)
{
    Buf found = { 0 };
    cJSON *object = json_of(options, ranked, BLEU, 0), *item;
    cJSON_ArrayForEach(item, object->child)
        buf_printf(&found, "%d ", cJSON_GetObjectItem(item, "segment")->valueint);
    assert_string_equal(found.text, expected);
    buf_free(&found);
    cJSON_Delete(object);
}

UNIT_TEST(the_worst_should_come_first_and_of_equals_the_earlier)
{
    assert_order((AnalysisOptions){ .worst = 100 }, "1 4 2 3 ");
    assert_order((AnalysisOptions){ .worst = 2 }, "1 4 ");
}

UNIT_TEST(differences_should_count_in_both_directions_without_equal_segments)
{
    assert_order((AnalysisOptions){ .diff = 100 }, "1 3 4 ");
    assert_order((AnalysisOptions){ .diff = 1 }, "1 ");
}

UNIT_TEST(rankings_should_be_shown_with_all_that_belongs_to_them)
{
    const Row one_system[] = { { "s1", "a b c d x", NULL, { "a b c e x", "third" } },
                               { "s2", "", NULL, { "r" } }, { 0 } };
    assert_text((AnalysisOptions){ .worst = 2 }, one_system, BLEU, 2,
                "\n2 sentences of the lowest BLEU:\n"
                "segment 2, BLEU 0.00\n"
                "  source       s2\n  translation  \n  reference    r\n"
                "\n"
                "segment 1, BLEU 42.73\n"
                "  source       s1\n  translation  a b c d x\n"
                "  reference    a b c e x\n  reference    third\n");
    const Row two_systems[] = { { NULL, "q", "a b c e x", { "a b c e x" } }, { 0 } };
    assert_text((AnalysisOptions){ .diff = 1 }, two_systems, BLEU, 2,
                "\n1 sentence of the largest difference in BLEU:\n"
                "segment 1, BLEU 0.00 and 100.00\n"
                "  first        q\n  second       a b c e x\n  reference    a b c e x\n");
    const Row sentence[] = { { NULL, "a b", NULL, { "a b c" } }, { 0 } };       /* as a corpus it has 0 */
    assert_text((AnalysisOptions){ .worst = 1 }, sentence, BLEU, 4,
                "\n1 sentence of the lowest BLEU:\nsegment 1, BLEU 60.6531\n"
                "  translation  a b\n  reference    a b c\n");
    const Row equal[] = { { "s", "a b c d", "a b c d", { "a b c d" } }, { 0 } };
    assert_text((AnalysisOptions){ .diff = 1 }, equal, BLEU, 2, "\nNo sentence differs in BLEU.\n");
}

UNIT_TEST(no_text_of_a_file_should_reach_the_terminal_as_a_command)
{
    assert_text((AnalysisOptions){ .worst = 1 },
                (Row[]){ { "\033[2J", "a\rb", NULL, { "\xC2\x9B" "31m" } }, { 0 } }, BLEU, 2,
                "\n1 sentence of the lowest BLEU:\n"
                "segment 1, BLEU 0.00\n"
                "  source       ?[2J\n  translation  a?b\n  reference    ?31m\n");
}

/* ---- Repetitions ---- */

/* What is reported as repeated; "" where nothing is. */
static void assert_repeated(const char *source, const char *translation, const char *first,
                            const char *second, const char *expected)
{
    cJSON *object = json_of((AnalysisOptions){ .errors = 1 },
                            (Row[]){ { source, translation, NULL, { first, second } }, { 0 } }, BLEU,
                            0);
    const cJSON *repeats = object->child->child;
    const cJSON *example = cJSON_GetObjectItem(repeats, "examples")->child;
    assert_string_equal(example ? cJSON_GetObjectItem(example, "repeated")->valuestring : "",
                        expected);
    assert_int_equal(cJSON_GetObjectItem(repeats, "of")->valueint, 1);
    assert_int_equal(cJSON_GetObjectItem(repeats, "segments")->valueint, *expected != '\0');
    cJSON_Delete(object);
}

#define SIXTEEN "a b c d e f g h i j k l m n o p"
#define KI "\xE0\xA4\x95\xE0\xA4\xBF"

UNIT_TEST(three_times_in_a_row_should_be_a_repetition)
{
    static const struct { const char *translation, *repeated; } cases[] = {
        { "", "" },
        { "je suis je suis je", "" },
        { "je suis je suis je suis je", "je suis" },
        { "ha ho ha ho ha ho, hi hu hi hu hi hu", "ha ho" },
        { "Oui, je suis, Je suis... je SUIS l\xC3\xA0.", "je suis" },
        { "je suis je dors je suis je dors je suis je dors", "je suis je dors" },
        { "je suis ou je suis et je suis", "" },
        { "7 " KI ", 7 " KI "; 7 " KI ".", "7 " KI },
        { "non non non non non", "" },
        { "non non non non non non", "non non" },
        { SIXTEEN " " SIXTEEN " " SIXTEEN, SIXTEEN },
        { SIXTEEN " q " SIXTEEN " q " SIXTEEN " q", "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_repeated("a", cases[i].translation, "b", NULL, cases[i].repeated);
}

UNIT_TEST(what_source_or_reference_repeat_may_be_repeated)
{
    const char *three = "bla bla, bla bla, bla bla", *four = "na na, na na, na na, na na";
    assert_repeated(three, "ha ha, ha ha, ha ha", "b", NULL, "");
    assert_repeated("a", three, "b", three, "");
    assert_repeated("a", three, three, "b", "");
    assert_repeated(three, four, three, NULL, "na na");
    assert_repeated(four, four, "b", NULL, "");
}

UNIT_TEST(the_first_few_should_be_shown)
{
    const Row row = { "a", "x y x y x y", NULL, { "b" } };
    const Row rows[] = { row, row, row, row, { 0 } };
    assert_text((AnalysisOptions){ .errors = 1 }, rows, BLEU, 0,
        "\nThe same words three times in a row, or more:\n"
        "repeats: 4 of 4 segments\n"
        "\nsegment 1, x y\n  source       a\n  translation  x y x y x y\n  reference    b\n"
        "\nsegment 2, x y\n  source       a\n  translation  x y x y x y\n  reference    b\n"
        "\nsegment 3, x y\n  source       a\n  translation  x y x y x y\n  reference    b\n");
}

/* ---- JSON ---- */

UNIT_TEST(json_should_hold_what_is_printed)
{
    static const Row repeats[] = { { "s", "x y x y x y", NULL, { "b", "c" } }, { 0 } };
    static const struct { AnalysisOptions options; const Row *rows; const char *json; } cases[] = {
        { { .by_length = 1 }, lengths,
          "{\"by_length\":[{\"from\":1,\"to\":5,\"segments\":2,\"bleu\":59.7},"
          "{\"from\":11,\"to\":15,\"segments\":1,\"bleu\":0}]}" },
        { { .diff = 1 }, ranked,
          "{\"diff\":[{\"segment\":1,\"source\":\"s1\",\"translations\":[\"q\",\"a b c e x\"],"
          "\"references\":[\"a b c e x\"],\"bleu\":[0,100]}]}" },
        { { .worst = 1, .errors = 1 }, repeats,
          "{\"worst\":[{\"segment\":1,\"source\":\"s\",\"translation\":\"x y x y x y\","
          "\"references\":[\"b\",\"c\"],\"bleu\":0}],\"errors\":{\"repeats\":{\"segments\":1,\"of\":1,"
          "\"examples\":[{\"segment\":1,\"source\":\"s\",\"translation\":\"x y x y x y\","
          "\"references\":[\"b\",\"c\"],\"repeated\":\"x y\"}]}}}" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *object = json_of(cases[i].options, cases[i].rows, BLEU, 1);
        char *text = json_text(object, 0);
        assert_string_equal(text, cases[i].json);
        free(text);
        cJSON_Delete(object);
    }
}

int main(void)
{
    json_setup();
    return run_unit_tests();
}
