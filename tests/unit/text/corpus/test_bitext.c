/* test_bitext.c - which pairs are read, which are skipped and why, and what is no corpus. */
#include "text/corpus/bitext.h"

#include "base/mem.h"
#include "read_corpus.h"
#include "scratch.h"
#include "text/unicode.h"

#define MESSY "tests/data/text/messy.tsv"

static void assert_pair(const Read *read, size_t i, const char *source, const char *target)
{
    assert_true(i < read->corpus.count);
    assert_string_equal(read->corpus.source[i], source);
    assert_string_equal(read->corpus.target[i], target);
}

/* The message behind the path that `text` is written to. */
static void assert_refused(Scratch *s, const char *text, size_t length,
                           const BitextOptions *options, const char *expected)
{
    Err e = { "" };
    Read read;
    const char *path = scratch_write(s, "corpus.tsv", text, length);
    assert_int_equal(read_files(&read, path, NULL, options, &e), -1);
    assert_memory_equal(e.text, path, strlen(path));
    assert_string_equal(e.text + strlen(path), expected);
}

/* ---- Reading ---- */

UNIT_TEST(usable_pairs_should_be_kept)
{
    Read read = read_corpus(MESSY, NULL, &lenient);
    assert_int_equal(read.report.lines, 11);
    assert_int_equal(read.corpus.count, 5);
    assert_pair(&read, 0, "The soup is hot.", "La soupe est chaude.");
    assert_pair(&read, 1, "Who knocked?", "Qui a frappé\u00A0?");
    assert_pair(&read, 2, "More columns.", "Plus de colonnes.");
    assert_pair(&read, 3, "Blank behind ", "Un blanc derrière");
    assert_pair(&read, 4, "Last line without an end.", "Dernière ligne sans fin.");
    corpus_free(&read.corpus);
}

UNIT_TEST(skipped_lines_should_be_counted_with_their_numbers)
{
    static const struct { SkipReason reason; long count, first, second; } expected[] = {
        { SKIP_NO_TAB, 2, 3, 8 }, { SKIP_EMPTY, 2, 4, 5 }, { SKIP_INVALID_UTF8, 1, 6, 0 },
        { SKIP_TOO_LONG, 1, 9, 0 },
    };
    Read read = read_corpus(MESSY, NULL, &lenient);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(read.report.skipped[expected[i].reason], expected[i].count);
        assert_int_equal(read.report.skipped_at[expected[i].reason][0].line, expected[i].first);
        assert_int_equal(read.report.skipped_at[expected[i].reason][1].line, expected[i].second);
    }
    corpus_free(&read.corpus);
}

TEST_IN_SCRATCH(only_the_first_examples_should_be_remembered)
{
    Read read = read_corpus(scratch_puts(*state, "c", "a\tb\n1\n2\n3\n4\n5\n"), NULL, &lenient);
    assert_int_equal(read.report.skipped[SKIP_NO_TAB], 5);
    assert_int_equal(read.report.skipped_at[SKIP_NO_TAB][SKIP_EXAMPLES - 1].line, 4);
    assert_int_equal(read.report.skipped_at[SKIP_NO_TAB + 1][0].line, 0);
    corpus_free(&read.corpus);
}

TEST_IN_SCRATCH(two_files_should_keep_their_tabs_and_skip_in_step)
{
    const char *first = scratch_puts(*state, "a", "\xEF\xBB\xBF" "a\tA\n\nc\n");
    const char *second = scratch_puts(*state, "b", "\xEF\xBB\xBF" "1\n2\n3\t\n");
    Read read = read_corpus(first, second, &lenient);
    assert_int_equal(read.corpus.count, 2);
    assert_pair(&read, 0, "a\tA", "1");
    assert_pair(&read, 1, "c", "3");
    assert_int_equal(read.report.skipped_at[SKIP_EMPTY][0].line, 2);
    corpus_free(&read.corpus);
}

TEST_IN_SCRATCH(files_of_different_length_should_be_refused)
{
    Scratch *s = *state;
    Err e = { "" };
    Read read;
    char expected[600];
    const char *two = scratch_puts(s, "two", "a\nb\n"),
        *three = scratch_puts(s, "three", "a\nb\nc\n");
    snprintf(expected, sizeof expected, "%s: ends after line 2, but %s goes on: the lines of both "
             "files must belong together", two, three);
    assert_int_equal(read_files(&read, two, three, &lenient, &e), -1);
    assert_string_equal(e.text, expected);
    assert_int_equal(read_files(&read, three, two, &lenient, &e), -1);
    assert_string_equal(e.text, expected);
}

UNIT_TEST(reading_should_stop_at_the_limit_of_pairs)
{
    BitextOptions options = lenient;
    options.max_pairs = 2;
    Read read = read_corpus(MESSY, NULL, &options);
    assert_int_equal(read.corpus.count, 2);
    assert_int_equal(read.report.lines, 2);
    corpus_free(&read.corpus);
    read = read_corpus("tests/data/text/parallel.en", "tests/data/text/parallel.fr", &options);
    assert_int_equal(read.corpus.count, 2);
    corpus_free(&read.corpus);
}

TEST_IN_SCRATCH(length_limit_should_count_bytes_and_zero_be_none)
{
    Scratch *s = *state;
    const char *path = scratch_puts(s, "c", "éé\ta\nééé\ta\na\tééé\n");
    Read read = read_corpus(path, NULL, &(BitextOptions){ .max_bytes = 4 });
    assert_int_equal(read.corpus.count, 1);
    corpus_free(&read.corpus);
    read = read_corpus(path, NULL, &(BitextOptions){ .max_bytes = 0 });
    assert_int_equal(read.corpus.count, 3);
    corpus_free(&read.corpus);
}

TEST_IN_SCRATCH(strict_should_make_the_first_bad_line_an_error)
{
    static const struct { const char *text, *message; } cases[] = {
        { "a\tb\nab\n", ":2: no tab between source and target" },
        { "a\t \n", ":1: an empty side" },
        { "a\xFF\tb\n", ":1: invalid UTF-8" UNICODE_ADVICE },
        { "a\tbbbbbb\n", ":1: too long" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(*state, cases[i].text, strlen(cases[i].text),
                       &(BitextOptions){ .max_bytes = 5, .strict = 1 }, cases[i].message);
}

TEST_IN_SCRATCH(what_is_no_corpus_should_be_an_error)
{
    assert_refused(*state, "a\tb\nc\0d\te\n", 10, &lenient,
                   ":2: a NUL byte: this is not a text file");
    assert_refused(*state, "", 0, &lenient, ": is empty: a sentence pair a line is needed");
    assert_refused(*state, "a\nb\t\n", 5, &lenient, ":1: no tab between source and target; and "
                   "none of its 2 lines is a sentence pair; save a spreadsheet as tab-separated "
                   "text, or name two line-aligned files");
    assert_refused(*state, "a\t\xE9\nb\n", 6, &lenient,
                   ":1: invalid UTF-8; and none of its 2 lines is a sentence pair" UNICODE_ADVICE);
    assert_refused(*state, "word\n", 5, &lenient,
                   ":1: no tab between source and target; and it is the only line; save a "
                   "spreadsheet as tab-separated text, or name two line-aligned files");
    assert_refused(*state, "a b\ta b\n", 8, &(BitextOptions){ .equal_words = 2 },
                   ":1: both sides equal; and it is the only line; --skip-equal 0 keeps such pairs");
    assert_refused(*state, "\tb\nb\n", 5, &lenient, ":1: an empty side; and none of its 2 lines is "
                   "a sentence pair");
}

UNIT_TEST(sources_that_cannot_be_opened_should_be_refused)
{
    Err e = { "" };
    Read read;
    assert_int_equal(read_files(&read, "-", "-", &lenient, &e), -1);
    assert_true(strstr(e.text, "standard input cannot be both sides"));
    assert_int_equal(read_files(&read, "/nowhere.tsv", NULL, &lenient, &e), -1);
    assert_true(strstr(e.text, "/nowhere.tsv: cannot be opened"));
    assert_int_equal(read_files(&read, MESSY, "/nowhere.fr", &lenient, &e), -1);
    assert_true(strstr(e.text, "/nowhere.fr: cannot be opened"));
}

/* ---- Cleaning ---- */

static void assert_left(Scratch *s, const char *text, const BitextOptions *options,
                        SkipReason reason, long skipped, long line)
{
    Read read = read_corpus(scratch_puts(s, "c", text), NULL, options);
    assert_int_equal(read.report.skipped[reason], skipped);
    assert_int_equal(read.report.skipped_at[reason][0].line, line);
    assert_int_equal(read.report.pairs, read.report.lines - skipped);
    corpus_free(&read.corpus);
}

/* (48 + 16) / (16 + 16) = 2 is still right. */
TEST_IN_SCRATCH(sides_of_very_different_length_should_be_left_out)
{
    static const char text[] =
        "0123456789abcdef\t0123456789abcdef0123456789abcdef0123456789abcdef\n"
        "0123456789abcdef\t0123456789abcdef0123456789abcdef0123456789abcdefg\n"
        "0123456789abcdef0123456789abcdef0123456789abcdefg   \t0123456789abcdef \n";
    assert_left(*state, text, &(BitextOptions){ .max_ratio = 2 }, SKIP_RATIO, 2, 2);
    assert_left(*state, text, &(BitextOptions){ .max_ratio = 0 }, SKIP_RATIO, 0, 0);
}

TEST_IN_SCRATCH(long_equal_sides_should_be_left_out)
{
    static const char text[] = "Taxi!\tTaxi!\na b  c \ta b  c\na b c\ta b d\n";
    assert_left(*state, text, &(BitextOptions){ .equal_words = 3 }, SKIP_EQUAL, 1, 2);
    assert_left(*state, text, &(BitextOptions){ .equal_words = 4 }, SKIP_EQUAL, 0, 0);
    assert_left(*state, text, &(BitextOptions){ .equal_words = 1 }, SKIP_EQUAL, 2, 1);
    assert_left(*state, text, &(BitextOptions){ 0 }, SKIP_EQUAL, 0, 0);
}

/* Only the whole pair counts, and "ab" with "c" is not "a" with "bc". */
TEST_IN_SCRATCH(pairs_that_occurred_before_should_be_left_out)
{
    static const char text[] = "ab\tc\na\tbc\nab\td\nab\tc \nx\ty\nab\tc\n";
    assert_left(*state, text, &(BitextOptions){ .duplicates = 100 }, SKIP_DUPLICATE, 2, 4);
    assert_left(*state, text, &(BitextOptions){ 0 }, SKIP_DUPLICATE, 0, 0);
}

/* 3,000 different pairs twice: what is remembered of the first time decides how many are found the
 * second. */
TEST_IN_SCRATCH(memory_of_pairs_should_be_bounded)
{
    enum { DIFFERENT = 3000 };
    SCOPED(buf_free) Buf text = { 0 };
    for (int i = 0; i < 2 * DIFFERENT; i++)
        buf_printf(&text, "%d\tx\n", i % DIFFERENT);
    assert_left(*state, text.text, &(BitextOptions){ .duplicates = 1 << 20 }, SKIP_DUPLICATE,
                DIFFERENT, DIFFERENT + 1);
    assert_left(*state, text.text, &(BitextOptions){ .duplicates = 700 }, SKIP_DUPLICATE, 700,
                DIFFERENT + 1);
}

/* ---- Several files ---- */

TEST_IN_SCRATCH(several_files_should_be_one_corpus)
{
    Scratch *s = *state;
    Err e;
    const char *const tsv[] = { scratch_puts(s, "a.tsv", "a\t1\nbad\n"),
                                scratch_puts(s, "b.tsv", "b\t2\n\t3\nbad\n") };
    const char *const two[] = { scratch_puts(s, "a.en", "a\n"), scratch_puts(s, "a.fr", "1\n"),
                                scratch_puts(s, "b.en", "b\n"), scratch_puts(s, "b.fr", "2\n") };
    const BitextFiles tsv_files = { .name = tsv, .count = 2 },
        two_files = { .name = two, .count = 4, .aligned = 1 };
    Read one, other;
    assert_int_equal(corpus_read(&one.corpus, &tsv_files, &lenient, -1, &one.report, &e), 0);
    assert_int_equal(corpus_read(&other.corpus, &two_files, &lenient, -1, &other.report, &e), 0);
    assert_int_equal(one.corpus.count, 2);
    assert_pair(&one, 1, "b", "2");
    assert_pair(&other, 1, "b", "2");
    assert_true(one.report.hash == other.report.hash);
    assert_int_equal(one.report.lines, 5);
    assert_int_equal(one.report.skipped_at[SKIP_NO_TAB][0].file, 0);
    assert_int_equal(one.report.skipped_at[SKIP_NO_TAB][0].line, 2);
    assert_int_equal(one.report.skipped_at[SKIP_NO_TAB][1].file, 1);
    assert_int_equal(one.report.skipped_at[SKIP_NO_TAB][1].line, 3);
    corpus_free(&one.corpus);
    corpus_free(&other.corpus);
}

/* With a tab on both sides each line may be a pair: whoever guesses must not be wrong in
 * silence. */
TEST_IN_SCRATCH(guessed_alignment_should_not_swallow_tsv_files)
{
    Err e = { "" };
    Read read;
    const char *const names[] = { scratch_puts(*state, "a", "a\tb\n"),
                                  scratch_puts(*state, "b", "c\td\n") };
    BitextFiles files = { .name = names, .count = 2, .aligned = 1, .guessed = 1 };
    assert_int_equal(corpus_read(&read.corpus, &files, &lenient, -1, &read.report, &e), -1);
    assert_non_null(strstr(e.text, "both have a tab in line 1; --format tsv"));
    files.guessed = 0;
    assert_int_equal(corpus_read(&read.corpus, &files, &lenient, -1, &read.report, &e), 0);
    assert_pair(&read, 0, "a\tb", "c\td");
    corpus_free(&read.corpus);
}

/* A message names the file that has the fault. */
TEST_IN_SCRATCH(faults_should_name_the_file_of_their_side)
{
    Err e = { "" };
    Read read;
    const char *const names[] = { scratch_puts(*state, "a", "a\nb\n"),
                                  scratch_puts(*state, "b", "c\n\xFF\n") };
    const BitextFiles files = { .name = names, .count = 2, .aligned = 1 };
    assert_int_equal(corpus_read(&read.corpus, &files, &lenient, -1, &read.report, &e), 0);
    assert_int_equal(read.report.skipped_at[SKIP_INVALID_UTF8][0].file, 1);
    corpus_free(&read.corpus);
    const char *const empty[] = { scratch_puts(*state, "e", ""),
                                  scratch_puts(*state, "w", "word\n") };
    const BitextFiles tsv = { .name = empty, .count = 2 };
    assert_int_equal(corpus_read(&read.corpus, &tsv, &lenient, -1, &read.report, &e), -1);
    assert_non_null(strstr(e.text, "w:1: no tab between source and target; and it is the only "
                           "line"));
}

/* Before the first is read: a file that is missing must not be found after an hour. */
TEST_IN_SCRATCH(the_last_file_should_be_checked_before_the_first_is_read)
{
    Err e = { "" };
    const BitextOptions strict = { .strict = 1 };
    const char *const names[] = { scratch_puts(*state, "a", "no tab\n"), "/nowhere.tsv" };
    const char *const folder[] = { names[0], "/" };
    assert_null(bitext_open(&(BitextFiles){ .name = names, .count = 2 }, &strict, &e));
    assert_non_null(strstr(e.text, "/nowhere.tsv: cannot be opened"));
    assert_null(bitext_open(&(BitextFiles){ .name = folder, .count = 2 }, &strict, &e));
    assert_non_null(strstr(e.text, "/: is a directory"));
}

/* ---- Columns ---- */

enum { LINES = 20 };

/* Lines of a format for the number of the line, which differs in each. */
static void write_lines(Buf *out, const char *format, int lines)
{
    buf_clear(out);
    for (int i = 0; i < lines; i++)
        for (const char *at = format; *at; at++)
            if (*at == '#') buf_printf(out, "%d", 100 + i);
            else if (*at == '~') buf_printf(out, "%c%c", 'a' + i % 26, 'b' + i % 13);
            else buf_putc(out, *at);
}

static int read_text(Scratch *s, const Buf *text, Err *e)
{
    Read read;
    const int rc = read_files(&read, scratch_write(s, "c", text->text, text->length), NULL, &lenient, e);
    if (!rc) corpus_free(&read.corpus);
    return rc;
}

TEST_IN_SCRATCH(columns_that_are_no_text_should_be_refused_where_others_are)
{
    static const struct { const char *format; int column, first, second; } cases[] = {
        { "#\tHi ~.\t#\tSalut ~.\n", 1, 2, 4 },
        { "0.#\tHi ~.\tSalut ~.\n", 1, 2, 3 },
        { "http://a.org/~\thttp://b.org/~\tHi ~.\tSalut ~.\t0.#\n", 1, 3, 4 },
        { "Hi ~.\ttalk-#\tSalut ~.\n", 2, 1, 3 },
        { "#\ta2f#\tmenu.file.~\tHi ~.\tSalut ~.\n", 1, 4, 5 },
    };
    SCOPED(buf_free) Buf text = { 0 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err e = { "" };
        char expected[300];
        write_lines(&text, cases[i].format, LINES);
        const char *name = scratch_write(*state, "c", text.text, text.length);
        assert_int_equal(read_text(*state, &text, &e), -1);
        snprintf(expected, sizeof expected, "%s: column %d holds numbers, ids or addresses in 100 %% of the lines; columns "
                 "%d and %d hold text: --columns %d,%d takes them, --columns 1,2 the first two all the same", name,
                 cases[i].column, cases[i].first, cases[i].second, cases[i].first, cases[i].second);
        assert_string_equal(e.text, expected);
        const BitextFiles files = { &name, 1, 0, 0, { cases[i].second, cases[i].first } };
        Read read;
        assert_int_equal(corpus_read(&read.corpus, &files, &lenient, -1, &read.report, &e), 0);
        assert_int_equal(read.corpus.count, LINES);
        corpus_free(&read.corpus);
    }
}

TEST_IN_SCRATCH(other_sequences_should_be_taken_as_they_are)
{
    static const char *const formats[] = {
        "Hi ~.\tSalut ~.\n",
        "Hi ~.\tSalut ~.\tCC-BY #\t#\n",
        "~ May #\t2#-05-01\n",
        "#+#\t#\n",
        "#\tone ~\n",
        "#\tone ~\t0.#\n",
        "~\tm ~ u\n",
        "a\tHi ~.\n",
        "你好世界，再见~\tHi ~.\n",
        "no tab #\n",
        "",
        "\t\t\n",
        "\xFF#\t\xFF\tHi ~.\tSalut ~.\n",
    };
    SCOPED(buf_free) Buf text = { 0 };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        Err e = { "" };
        write_lines(&text, formats[i], LINES);
        read_text(*state, &text, &e);
        if (strstr(e.text, "column")) fail_msg("%s", e.text);
    }
}

/* Nine in ten lines. */
TEST_IN_SCRATCH(nearly_all_lines_should_decide)
{
    SCOPED(buf_free) Buf text = { 0 };
    for (int texts = 1; texts <= 3; texts++) {
        Err e = { "" };
        write_lines(&text, "#\tHi ~.\tSalut ~.\n", LINES - texts);
        for (int i = 0; i < texts; i++)
            buf_puts(&text, "a text\tHi.\tSalut.\n");
        assert_int_equal(read_text(*state, &text, &e), texts < 3 ? -1 : 0);
    }
}

int main(void) { return run_unit_tests(); }
