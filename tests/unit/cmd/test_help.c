/* test_help.c - the short help, the long one, that of one option, where lines end; and that the
 * tables of all commands say what these need. */
#include "base/strings.h"
#include "cmd/cmd.h"
#include "test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int width, quiet, wide, kind, look, depth; const char *path, *drawing; } Mine;
typedef struct { double rate; } Theirs;

static const char *const kinds[] = { "plain", "deep", NULL };
static const char *const endings[] = { ".svg", ".png", NULL };

static const Field mine_fields[] = {
    { .group = "Shape", .name = "width", .letter = 'w', .alias = "breadth", .kind = FIELD_INT,
      .offset = offsetof(Mine, width), .low = 1, .high = 9, .automatic = 1, .value = "N",
      .common = 1, .help = "how wide it is" },
    { .name = "kind", .kind = FIELD_CHOICE, .offset = offsetof(Mine, kind), .choices = kinds,
      .help = "what it is" },
    { .name = "look", .kind = FIELD_CHOICE, .offset = offsetof(Mine, look), .choices = kinds,
      .value = "LOOK", .help = "how it looks" },
    { .name = "depth", .kind = FIELD_CHOICE, .offset = offsetof(Mine, depth), .choices = kinds,
      .value = "DEPTH", .help = "deep, or (plain) nothing" },
    { .name = "wide", .kind = FIELD_FLAG, .offset = offsetof(Mine, wide),
      .help = "wide after all" },
    { .group = "Rest", .name = "quiet", .letter = 'q', .kind = FIELD_FLAG,
      .offset = offsetof(Mine, quiet), .help = "say nothing" },
    { .name = "path", .letter = 'p', .kind = FIELD_TEXT, .offset = offsetof(Mine, path),
      .value = "FILE", .common = 1,
      .help = "a place with a name so long that the words about it need more than the one line "
              "that is left here" },
    { .name = "drawing", .letter = 'd', .kind = FIELD_TEXT, .offset = offsetof(Mine, drawing),
      .choices = endings, .value = "FILE", .help = "draw it" },
    { .name = NULL }
};

static const Field their_fields[] = {
    { .name = "rate-of-something-long", .kind = FIELD_REAL, .offset = offsetof(Theirs, rate),
      .low = 0, .high = 1, .value = "X", .help = "the rate" },
    { .name = NULL }
};

static const HelpText text = { .usage = "attn try THING\nattn try", .about = "Tries.\n\nAgain.",
                               .examples = "attn try 1\nattn try 2\nattn try 3\nattn try 4\n"
                                           "attn try 5" };

static Mine mine = { .width = 7, .wide = 1 };
static Theirs theirs = { 0.5 };
static const OptionSet sets[] = {
    { mine_fields, &mine }, { their_fields, &theirs }, { NULL, NULL }
};

static void assert_holds(Buf *out, const char *expected)
{
    assert_string_equal(out->text, expected);
    buf_free(out);
}

UNIT_TEST(the_long_help_should_show_every_option_with_its_present_value)
{
    Buf out = { 0 };
    help_command(sets, "try", &text, 1, &out);
    assert_holds(&out, "Usage:\n"
                        "  attn try THING\n"
                        "  attn try\n"
                        "\n"
                        "Tries.\n"
                        "\n"
                        "Again.\n"
                        "\n"
                        "Shape:\n"
                        "  -w, --width N           how wide it is; also --breadth [7]\n"
                        "      --kind plain|deep   what it is [plain]\n"
                        "      --look LOOK         how it looks; one of plain, deep [plain]\n"
                        "      --depth DEPTH       deep, or (plain) nothing [plain]\n"
                        "      --[no-]wide         wide after all [on]\n"
                        "\n"
                        "Rest:\n"
                        "  -q, --quiet             say nothing\n"
                        "  -p, --path FILE         a place with a name so long that the words about it\n"
                        "                          need more than the one line that is left here\n"
                        "  -d, --drawing [FILE]    draw it\n"
                        "      --rate-of-something-long X\n"
                        "                          the rate [0.5]\n"
                        "\n"
                        "Help:\n"
                        "  -h, --help              print the short help\n"
                        "\n"
                        "attn help try --all lists all 9 options,\n"
                        "attn help try OPTION explains one.\n"
                        "\n"
                        "Examples:\n"
                        "  attn try 1\n"
                        "  attn try 2\n"
                        "  attn try 3\n"
                        "  attn try 4\n"
                        "  attn try 5\n");
}

UNIT_TEST(the_short_help_should_have_the_common_options_and_the_first_words)
{
    Buf out = { 0 };
    help_command(sets, "try", &text, 0, &out);
    assert_holds(&out, "Usage:\n"
                        "  attn try THING\n"
                        "  attn try\n"
                        "\n"
                        "Tries.\n"
                        "\n"
                        "Shape:\n"
                        "  -w, --width N           how wide it is; also --breadth [7]\n"
                        "\n"
                        "Rest:\n"
                        "  -p, --path FILE         a place with a name so long that the words about it\n"
                        "                          need more than the one line that is left here\n"
                        "\n"
                        "Help:\n"
                        "  -h, --help              print the short help\n"
                        "\n"
                        "attn help try --all lists all 9 options,\n"
                        "attn help try OPTION explains one.\n"
                        "\n"
                        "Examples:\n"
                        "  attn try 1\n"
                        "  attn try 2\n"
                        "  attn try 3\n"
                        "  attn try 4\n");
}

static void assert_explains(const char *name, const char *expected)
{
    Buf out = { 0 };
    help_option("try", options_find(sets, name, strlen(name)), &out);
    assert_holds(&out, expected);
}

UNIT_TEST(one_option_should_come_with_all_that_its_row_says)
{
    assert_explains("width", "attn try --width N, -w N, --breadth N\n"
                  "\n"
                  "  What        how wide it is\n"
                  "  Values      a whole number from 1 to 9, or auto\n"
                  "  Default     7\n");
    assert_explains("quiet", "attn try --quiet, -q, --no-quiet\n"
                  "\n"
                  "  What        say nothing\n"
                  "  Values      on or off\n"
                  "  Default     off\n");
    assert_explains("drawing", "attn try --drawing [FILE], -d [FILE]\n"
                  "\n"
                  "  What        draw it\n"
                  "  Values      the name of a file that ends in .svg, .png; or nothing\n"
                  "  Default     none\n");
}

/* ---- The tables of the commands ---- */

/* The words that an option takes stand in its help, as words of their own. */
static void assert_words_listed(const Description *d, const OptionSet *set, const Field *field)
{
    Field one[] = { *field, { .name = NULL } };
    const OptionSet alone[] = { { one, set->object }, { NULL, NULL } };
    Buf out = { 0 };
    one->group = "Group";
    help_command(alone, "try", d->text, 1, &out);
    const char *help = strstr(out.text, "Group:");
    for (int i = 0; field->choices[i]; i++) {
        const size_t length = strlen(field->choices[i]);
        const char *at = strstr(help, field->choices[i]);
        while (at && (isalnum((unsigned char)at[-1]) || isalnum((unsigned char)at[length])))
            at = strstr(at + 1, field->choices[i]);
        if (!at) fail_msg("the help of --%s lacks %s", field->name, field->choices[i]);
    }
    buf_free(&out);
}

UNIT_TEST(an_option_that_takes_one_of_several_words_should_list_them)
{
    int lists = 0;
    for (int i = 0; commands[i]; i++) {
        const Description d = commands[i]->describe();
        for (const OptionSet *set = d.sets; set->fields; set++)
            for (const Field *field = set->fields; field->name; field++)
                if (field->kind == FIELD_CHOICE) {
                    assert_words_listed(&d, set, field);
                    lists++;
                }
    }
    assert_true(lists > 20);
}

/* ---- Where lines end ---- */

UNIT_TEST(lines_should_end_between_words)
{
    static const struct {
        const char *text;
        int         column, indent, columns;
        const char *wrapped;
    } cases[] = {
        { "", 0, 2, 10, "" },
        { "one two three", 0, 2, 13, "one two three" },
        { "one two three", 0, 2, 12, "one two\n  three" },
        { "one two three", 4, 4, 11, "one two\n    three" },
        { "name   one two", 0, 7, 13, "name   one\n       two" },
        { "abc longer-than-the-line b", 0, 2, 8, "abc\n  longer-than-the-line\n  b" },
        { "longer-than-the-line", 0, 0, 8, "longer-than-the-line" },
        { "été 静静", 0, 0, 8, "été 静静" },
        { "été 静静", 0, 0, 7, "été\n静静" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buf out = { 0 };
        buf_clear(&out);
        wrap_words(cases[i].text, cases[i].column, cases[i].indent, cases[i].columns, &out);
        assert_holds(&out, cases[i].wrapped);
    }
}

int main(void) { return run_unit_tests(); }
