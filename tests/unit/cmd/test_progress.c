/* test_progress.c - the lines that are printed where there is no terminal. */
#include "cmd/progress.h"

#include "test.h"

#include <string.h>

/* All that was written to the stream, which is closed. */
static char *written(FILE *stream, char text[4096])
{
    rewind(stream);
    text[fread(text, 1, 4095, stream)] = '\0';
    fclose(stream);
    return text;
}

UNIT_TEST(plain_lines_should_tell_share_and_fields)
{
    char text[4096];
    FILE *stream = tmpfile();
    Progress p;
    progress_init(&p, stream, 0, 0);
    progress_update(&p, 0.25, "epoch %d", 1);
    progress_update(&p, -1, "epoch %d", 2);
    progress_clear(&p);
    assert_string_equal(written(stream, text), " 25% epoch 1\nepoch 2\n");
}

UNIT_TEST(updates_should_wait_for_their_time_and_lines_should_not)
{
    char text[4096];
    FILE *stream = tmpfile();
    Progress p;
    progress_init(&p, stream, 0, 3600);
    for (int i = 0; i < 1000; i++)
        progress_update(&p, i / 1000.0, "step %d", i);
    progress_line(&p, "valid %.1f", 31.25);
    progress_clear(&p);
    assert_string_equal(written(stream, text), "valid 31.2\n");
}

static void assert_time_left(double first, double seconds_ago, double fraction,
                             const char *beginning)
{
    char text[4096];
    FILE *stream = tmpfile();
    Progress p;
    progress_init(&p, stream, 0, 0);
    p.first = first;
    p.started -= seconds_ago;
    progress_update(&p, fraction, "x");
    progress_clear(&p);
    /* the last digit depends on the second we are in */
    written(stream, text)[strlen(beginning)] = '\0';
    assert_string_equal(text, beginning);
}

UNIT_TEST(time_left_should_follow_from_the_speed_since_the_start)
{
    /* 100 s for a fifth, 400 s for the rest */
    assert_time_left(0, 100, 0.2, " 20% x  6:4");
    assert_time_left(0.5, 100, 0.6, " 60% x  6:4");         /* a run resumed half way */
    assert_time_left(0, 10000, 0.2, " 20% x  11:06:4");
    assert_time_left(0.5, 100, 0.5, " 50% x\n");
}

/* At a terminal of unknown width: 80 columns, of which the last stays free. */
static void assert_drawn(double fraction, const char *fields, const char *expected)
{
    char text[4096];
    FILE *stream = tmpfile();
    Progress p;
    progress_init(&p, stream, 0, 0);
    p.terminal = 1;
    p.first = 0;
    p.started -= 100;
    progress_update(&p, fraction, "%s", fields);
    assert_string_equal(written(stream, text), expected);
}

UNIT_TEST(time_left_should_stay_where_not_all_fields_fit)
{
    assert_drawn(1, "epoch 1  loss 2",
                 "\r100% ████████████████████████ "
                 "epoch 1  loss 2  0:00 left\033[K");
    assert_drawn(1, "epoch 1  loss 2.345  perplexity 10.43  123,456,789 tokens/s",
                 "\r100% ████████████████████████ "
                 "epoch 1  loss 2.345  perplexity 10.43  0:00 left"
                 "\033[K");
    assert_drawn(1, "a field that is wider than a terminal with room for what must stay beside it",
                 "\r100% ████████████████████████ "
                  "  0:00 left\033[K");
    assert_drawn(-1, "123 lines  and a field that is wider than what there is of room for it and"
                     " for what stands before it",
                 "\r123 lines\033[K");
}

UNIT_TEST(a_line_should_go_on_below_where_the_terminal_ends)
{
    static const char fields[] = "epoch 123.45  step 1234567  mean of 3:  valid loss 2.12345555555555  "
                                 "BLEU 31.20  chrF 51.20";
    static const char *const expected[] = {
        "epoch 123.45  step 1234567  mean of 3:  valid loss 2.12345555555555  BLEU 31.20  "
        "chrF 51.20\n",
        "epoch 123.45  step 1234567  mean of 3:  valid loss 2.12345555555555  BLEU 31.20\n"
        "    chrF 51.20\n"
    };
    for (int terminal = 0; terminal < 2; terminal++) {
        char text[4096];
        FILE *stream = tmpfile();
        Progress p;
        progress_init(&p, stream, 0, 0);
        p.terminal = terminal;
        progress_line(&p, "%s", fields);
        assert_string_equal(written(stream, text), expected[terminal]);
    }
}

UNIT_TEST(quiet_progress_should_print_nothing)
{
    char text[4096];
    FILE *stream = tmpfile();
    Progress p;
    progress_init(&p, stream, 1, 0);
    progress_update(&p, 0.5, "x");
    progress_line(&p, "y");
    progress_clear(&p);
    progress_clear(&p);
    assert_string_equal(written(stream, text), "");
}

UNIT_TEST(counts_should_be_grouped_by_thousands)
{
    const struct { double count; const char *text; } cases[] = {
        { 0, "0" }, { 999, "999" }, { 1000, "1,000" }, { 123456, "123,456" },
        { 1234567.6, "1,234,568" }, { -5, "0" },
        { 1e300, "1,000,000,000,000,000,000" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(progress_count(cases[i].count).text, cases[i].text);
}

int main(void) { return run_unit_tests(); }
