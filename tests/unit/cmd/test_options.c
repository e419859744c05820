/* test_options.c - command lines that are understood, and command lines that are refused. */
#include "base/buf.h"
#include "cmd/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct { int width, quiet, loud, wide, kind; const char *path, *drawing; } Mine;
typedef struct { double rate; } Theirs;

static const char *const kinds[] = { "plain", "deep", NULL };
static const char *const endings[] = { ".svg", ".png", NULL };

static const Field mine_fields[] = {
    { .group = "Shape", .name = "width", .letter = 'w', .alias = "breadth", .kind = FIELD_INT,
      .offset = offsetof(Mine, width), .low = 1, .high = 9, .value = "N",
      .common = 1, .help = "how wide it is" },
    { .name = "kind", .kind = FIELD_CHOICE, .offset = offsetof(Mine, kind), .choices = kinds,
      .help = "what it is" },
    { .name = "wide", .kind = FIELD_FLAG, .offset = offsetof(Mine, wide),
      .help = "wide after all" },
    { .group = "Rest", .name = "quiet", .letter = 'q', .kind = FIELD_FLAG,
      .offset = offsetof(Mine, quiet),
      .help = "say nothing" },
    { .name = "loud", .letter = 'v', .kind = FIELD_FLAG, .offset = offsetof(Mine, loud),
      .help = "say all" },
    { .name = "path", .letter = 'p', .kind = FIELD_TEXT, .offset = offsetof(Mine, path),
      .value = "FILE",
      .help = "a place with a name so long that the words about it need more than the one line "
              "that is left here" },
    { .name = "drawing", .letter = 'd', .kind = FIELD_TEXT, .offset = offsetof(Mine, drawing),
      .choices = endings,
      .value = "FILE", .help = "draw it" },
    { .name = NULL }
};

static const Field their_fields[] = {
    { .name = "rate-of-something-long", .kind = FIELD_REAL, .offset = offsetof(Theirs, rate),
      .low = 0, .high = 1,
      .value = "X", .help = "the rate" },
    { .name = NULL }
};

enum { MOST_WORDS = 32 };

typedef struct {
    Mine    mine;
    Theirs  theirs;
    Options options;
} Line;

static Options parsed;      /* of the last line */

static int release_last_line(void **state)
{
    options_free(&parsed);
    return 0;
}

/* The words end in NULL. line.options is valid until the next call. */
static Line parse(char *const *words)
{
    Line line = { .mine = { .width = 5, .wide = 1 }, .theirs = { 0.5 } };
    const OptionSet sets[] = {
        { mine_fields, &line.mine }, { their_fields, &line.theirs }, { NULL, NULL }
    };
    char *argv[MOST_WORDS] = { "try" };
    int argc = 1;
    for (; words[argc - 1]; argc++) argv[argc] = words[argc - 1];
    options_free(&parsed);
    line.options = parsed = options_parse(sets, argc, argv);
    return line;
}

#define PARSE(...) parse((char *[]){ __VA_ARGS__, NULL })

static int given(const Line *line, const char *name)
{
    return options_given(&line->options, name);
}

/* ---- Lines that are understood ---- */

static void every_way_to_write_an_option_should_set_it(void **state)
{
    assert_int_equal(PARSE("--width", "7").mine.width, 7);
    assert_int_equal(PARSE("--width=7").mine.width, 7);
    assert_int_equal(PARSE("-w", "7").mine.width, 7);
    assert_int_equal(PARSE("-w7").mine.width, 7);
    assert_int_equal(PARSE("--breadth", "7").mine.width, 7);
    assert_int_equal(PARSE("--breadth=7").mine.width, 7);
    assert_int_equal(PARSE("--quiet").mine.quiet, 1);
    assert_int_equal(PARSE("-q").mine.quiet, 1);
    assert_int_equal(PARSE("--quiet", "--no-quiet").mine.quiet, 0);
    assert_int_equal(PARSE("--no-wide").mine.wide, 0);
    assert_int_equal(PARSE("--wide=off").mine.wide, 0);
    assert_int_equal(PARSE("--kind", "deep").mine.kind, 1);
    assert_true(PARSE("--rate-of-something-long=0.25").theirs.rate == 0.25);
    assert_string_equal(PARSE("--path=").mine.path, "");
    assert_string_equal(PARSE("--path", "-").mine.path, "-");
    assert_string_equal(PARSE("--path=--x=y").mine.path, "--x=y");
}

static void nothing_given_should_leave_the_defaults(void **state)
{
    Line line = parse((char *[]){ NULL });
    assert_int_equal(line.options.count, 0);
    assert_int_equal(line.mine.width, 5);
    assert_int_equal(given(&line, "width"), 0);
}

static void the_last_of_several_should_win(void **state)
{
    assert_int_equal(PARSE("-w3", "--width=8", "-w", "4").mine.width, 4);
}

static void operands_should_be_returned_in_order(void **state)
{
    Line line = PARSE("one", "--width", "7", "two", "-q", "-", "--", "--wide", "-x");
    const char *const expected[] = { "one", "two", "-", "--wide", "-x" };
    assert_int_equal(line.options.count, 5);
    for (int i = 0; i < line.options.count; i++)
        assert_string_equal(line.options.operand[i], expected[i]);
    assert_int_equal(line.mine.wide, 1);
}

static void options_given_should_know_what_was_named_and_nothing_else(void **state)
{
    Line line = PARSE("-w7", "quiet", "--no-wide", "--path=kind");
    assert_int_equal(given(&line, "width"), 1);
    assert_int_equal(given(&line, "wide"), 1);
    assert_int_equal(given(&line, "path"), 1);
    assert_int_equal(given(&line, "quiet"), 0);
    assert_int_equal(given(&line, "kind"), 0);
    line = PARSE("--breadth", "7");
    assert_int_equal(given(&line, "width"), 1);
}

static void the_first_option_of_a_table_should_be_found_by_the_order_of_the_table(void **state)
{
    Line line = PARSE("-q", "--no-wide", "-q", "x");
    assert_string_equal(options_first_given(&line.options, mine_fields), "wide");
    assert_null(options_first_given(&line.options, their_fields));
    line = PARSE("x");
    assert_null(options_first_given(&line.options, mine_fields));
}

static void flags_may_share_a_dash(void **state)
{
    Line line = PARSE("-qv");
    assert_true(line.mine.quiet && line.mine.loud);
    assert_true(given(&line, "quiet") && given(&line, "loud") && !given(&line, "width"));
    line = PARSE("one", "-vqw", "7", "two");
    assert_true(line.mine.quiet && line.mine.loud && line.mine.width == 7);
    assert_true(given(&line, "quiet") && given(&line, "loud") && given(&line, "width"));
    assert_int_equal(line.options.count, 2);
    assert_int_equal(PARSE("-qw7").mine.width, 7);
    line = PARSE("-qvqvqvqvqw3");
    assert_true(line.mine.width == 3 && given(&line, "width"));
}

static void the_command_line_should_stay_as_it_is(void **state)
{
    char *words[] = { "try", "-qvqv", "one", "--", "x", NULL };
    Mine mine = { .width = 5 };
    const OptionSet sets[] = { { mine_fields, &mine }, { NULL, NULL } };
    Options options = options_parse(sets, 5, words);
    assert_int_equal(options.count, 2);
    assert_int_equal(options.given_count, 4);
    assert_true(options_given(&options, "loud") && options_given(&options, "quiet"));
    const char *const expected[] = { "try", "-qvqv", "one", "--", "x" };
    for (int i = 0; i < 5; i++)
        assert_string_equal(words[i], expected[i]);
    options_free(&options);
}

/* ---- Lines that end the program ---- */

/* A program that parses these words writes the message, and ends with the status of a wrong
 * request. */
static void assert_refused(const char *message, char *const *words)
{
    Buf expected = { 0 }, found = { 0 };
    char bytes[4096];
    ssize_t length;
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        parse(words);
        _exit(99);
    }
    close(ends[1]);
    while ((length = read(ends[0], bytes, sizeof bytes)) > 0)
        buf_add(&found, bytes, (size_t)length);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_USAGE);
    buf_printf(&expected, "attn: error: %s\nTry 'attn help try'.\n", message);
    assert_string_equal(found.text, expected.text);
    buf_free(&expected);
    buf_free(&found);
}

#define REFUSED(message, ...) assert_refused(message, (char *[]){ __VA_ARGS__, NULL })

static void a_value_that_may_be_left_out_should_be_known_by_its_ending(void **state)
{
    Line line = PARSE("--drawing", "a.svg", "b.svg");
    assert_string_equal(line.mine.drawing, "a.svg");
    assert_int_equal(line.options.count, 1);
    assert_string_equal(PARSE("-d", "a.PNG").mine.drawing, "a.PNG");
    assert_string_equal(PARSE("--drawing=a.txt").mine.drawing, "a.txt");
    assert_string_equal(PARSE("-da.txt").mine.drawing, "a.txt");
    line = PARSE("--drawing", "/dev/null");
    assert_string_equal(line.mine.drawing, "-");
    assert_string_equal(line.options.operand[0], "/dev/null");
    assert_true(given(&line, "drawing"));
    line = PARSE("--drawing", "-p.svg");
    assert_string_equal(line.mine.drawing, "-");
    assert_string_equal(line.mine.path, ".svg");
    assert_int_equal(PARSE("-d", "-").options.count, 1);
    assert_int_equal(PARSE("-d", "").options.count, 1);
    assert_string_equal(PARSE("--drawing").mine.drawing, "-");
    line = PARSE("--drawing", "--", "a.svg");
    assert_string_equal(line.mine.drawing, "-");
    assert_int_equal(line.options.count, 1);
}

static void mistakes_should_be_refused_with_what_to_do(void **state)
{
    REFUSED("unknown option '--widht'; did you mean '--width'?", "--widht", "3");
    REFUSED("unknown option '--widht=3'; did you mean '--width'?", "--widht=3");
    REFUSED("unknown option '--no-quite'; did you mean '--quiet'?", "--no-quite");
    REFUSED("unknown option '-kind'; did you mean '--kind'?", "-kind", "deep");
    REFUSED("unknown option '--zzz'", "--zzz");
    REFUSED("unknown option '-z'", "-z");
    REFUSED("unknown option '-qz'", "-qz");
    REFUSED("--width: 'q' is not a whole number from 1 to 9", "-wq");
    REFUSED("unknown option '-path'; did you mean '--path'?", "-path", "x");
    REFUSED("unknown option '--no-width'; did you mean '--width'?", "--no-width");
    REFUSED("unknown option '--no-quiet=1'; did you mean '--quiet'?", "--no-quiet=1");
    REFUSED("--width needs a value: how wide it is", "--width");
    REFUSED("--width needs a value: how wide it is", "-w");
    REFUSED("--width needs a value: how wide it is", "--width", "--quiet");
    REFUSED("--width: 'ten' is not a whole number from 1 to 9", "--width", "ten");
    REFUSED("--width: '' is not a whole number from 1 to 9", "--width=");
    REFUSED("--width: '-1' is not a whole number from 1 to 9", "-w", "-1");
    REFUSED("--quiet: 'yes' is not on or off", "--quiet=yes");
    REFUSED("--kind: 'flat' is not one of plain, deep", "--kind", "flat");
    REFUSED("--kind: 'plian' is not one of plain, deep; did you mean 'plain'?", "--kind", "plian");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_write_an_option_should_set_it),
        cmocka_unit_test(a_value_that_may_be_left_out_should_be_known_by_its_ending),
        cmocka_unit_test(nothing_given_should_leave_the_defaults),
        cmocka_unit_test(the_last_of_several_should_win),
        cmocka_unit_test(operands_should_be_returned_in_order),
        cmocka_unit_test(options_given_should_know_what_was_named_and_nothing_else),
        cmocka_unit_test(the_first_option_of_a_table_should_be_found_by_the_order_of_the_table),
        cmocka_unit_test(flags_may_share_a_dash),
        cmocka_unit_test(the_command_line_should_stay_as_it_is),
        cmocka_unit_test(mistakes_should_be_refused_with_what_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, release_last_line);
}
