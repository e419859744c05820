/* test_heatmap.c - heat maps as text, column for column. */
#include "picture/heatmap.h"
#include "text/unicode.h"
#include "test.h"

#include <math.h>
#include <string.h>

typedef struct { const char *text; int word; } Piece;

static void name_labels(char **labels, const Piece *pieces, int count)
{
    for (int i = 0; i < count; i++)
        labels[i] = heatmap_label(pieces[i].text, i > 0 && pieces[i].word == pieces[i - 1].word);
}

/* A matrix and what its rows and columns are called. */
typedef struct {
    const Piece *source, *target;
    int          source_count, target_count;
    const float *weight;
} Attention;

static void draw(const Attention *a, Colours colours, int columns, Buf *out)
{
    Heatmap h;
    heatmap_init(&h, a->source_count, a->target_count, a->weight);
    name_labels(h.source, a->source, a->source_count);
    name_labels(h.target, a->target, a->target_count);
    heatmap_as_text(&h, colours, columns, out);
    heatmap_free(&h);
}

static void assert_picture(Attention a, Colours colours, int columns, const char *expected)
{
    Buf out = { 0 };
    draw(&a, colours, columns, &out);
    assert_string_equal(out.text, expected);
    buf_free(&out);
}

UNIT_TEST(plain_picture_should_have_a_stair_rows_and_a_scale)
{
    Piece source[] = { { "I", 0 }, { "cal", 1 }, { "m", 1 }, { "<eos>", -1 } };
    Piece target[] = { { "Je", 0 }, { "suis", 1 }, { "<eos>", -1 } };
    const float weight[] = { 1, 0, 0, 0,   .25f, .5f, .25f, 0,   0, .1f, .15f, .75f };
    assert_picture((Attention){ source, target, 4, 3, weight }, COLOURS_NONE, 80,
                   "       ╭ I\n"
                   "       │ ╭ cal\n"
                   "       │ │ ╭ ·m\n"
                   "       │ │ │ ╭ <eos>\n"
                   "   Je  ██      \n"
                   " suis  ░░▒▒░░  \n"
                   "<eos>      ░░▓▓\n"
                   "       0   ░░▒▒▓▓██ 1  · = no blank before it\n");
}

UNIT_TEST(colours_should_go_from_dark_violet_to_yellow)
{
    Piece source[] = { { "a", 0 }, { "b", 1 }, { "c", 2 } }, target[] = { { "d", 0 } };
    const float weight[] = { 0, 1, .625f };
    const Attention a = { source, target, 3, 1, weight };
    assert_picture(a, COLOURS_256, 80,
                   "   ╭ a\n   │ ╭ b\n   │ │ ╭ c\n"
                   "d  \033[48;5;53m  \033[48;5;220m  \033[48;5;36m  \033[0m\n"
                   "   0 \033[48;5;53m  \033[48;5;60m  \033[48;5;30m  "
                   "\033[48;5;77m  \033[48;5;220m  \033[0m 1\n");
}

UNIT_TEST(wide_and_combining_characters_should_keep_rows_aligned)
{
    Piece source[] = { { "静か", 0 } }, target[] = { { "e\xCC\x81t\xC3\xA9", 0 }, { "静", 1 } };
    const float weight[] = { 1, 1 };
    assert_picture((Attention){ source, target, 1, 2, weight }, COLOURS_NONE, 80,
                   "     ╭ 静か\n"
                   "e\xCC\x81t\xC3\xA9  ██\n"
                   " 静  ██\n"
                   "     0   ░░▒▒▓▓██ 1\n");
}

UNIT_TEST(no_line_should_be_wider_than_the_page)
{
    enum { COUNT = 60 };
    Piece pieces[COUNT];
    float weight[COUNT * COUNT];
    for (int i = 0; i < COUNT; i++)
        pieces[i] = (Piece){ "Donaudampfschifffahrtsgesellschaft静静静静", i };
    for (int i = 0; i < COUNT * COUNT; i++)
        weight[i] = 1.f / COUNT;
    for (int columns = 27; columns < 140; columns += 7) {
        Buf out = { 0 };
        draw(&(Attention){ pieces, pieces, COUNT, COUNT, weight }, COLOURS_NONE, columns, &out);
        char *note = strrchr(out.text, '(');
        if (note) *note = '\0';
        for (char *line = strtok(out.text, "\n"); line; line = strtok(NULL, "\n"))
            assert_true(unicode_columns(line) <= columns);
        buf_free(&out);
    }
}

UNIT_TEST(what_does_not_fit_should_be_cut_and_counted)
{
    Piece source[] = { { "abc", 0 }, { "def", 1 }, { "ghi", 2 }, { "jkl", 3 }, { "mno", 4 } };
    Piece target[] = { { "anticonstitutionnellement", 0 } };
    const float weight[] = { 1, 0, 0, 0, 0 };
    assert_picture((Attention){ source, target, 5, 1, weight }, COLOURS_NONE, 15,
                   "       ╭ abc\n"
                   "       │ ╭ def\n"
                   "       │ │ ╭ g…\n"
                   "anti…  ██    \n"
                   "       0   ░░▒▒▓▓██ 1\n"
                   "(3 of 5 source pieces; a wider terminal shows more)\n");
}

UNIT_TEST(escape_sequences_in_the_text_should_not_reach_the_terminal)
{
    Piece source[] = { { "\033[2J", 0 } }, target[] = { { "a\x7f\xC2\x9b" "b", 0 }, { "", 1 } };
    const float weight[] = { 1, 1 };
    assert_picture((Attention){ source, target, 1, 2, weight }, COLOURS_NONE, 80,
                   "    ╭ [2J\nab  ██\n ␣  ██\n"
                   "    0   ░░▒▒▓▓██ 1  ␣ = a blank\n");
}

UNIT_TEST(legend_should_tell_the_marks_that_are_there_where_it_fits)
{
    Piece source[] = { { "a", 0 }, { "", 1 } }, target[] = { { "b", 0 }, { "c", 0 } };
    const float weight[] = { 1, 0, 0, 1 };
    const Attention a = { source, target, 2, 2, weight };
    const char *const rows = "    ╭ a\n    │ ╭ ␣\n b  ██  \n·c    ██\n"
                             "    0   ░░▒▒▓▓██ 1";
    for (int columns = 54; columns < 56; columns++) {
        Buf expected = { 0 };
        const char *legend = "  · = no blank before it, ␣ = a blank";
        buf_printf(&expected, "%s%s\n", rows, columns == 55 ? legend : "");
        assert_picture(a, COLOURS_NONE, columns, expected.text);
        buf_free(&expected);
    }
}

UNIT_TEST(narrowest_terminal_should_show_no_piece_rather_than_less)
{
    Piece source[] = { { "a", 0 }, { "b", 1 } }, target[] = { { "c", 0 } };
    const float weight[] = { 1, 0 };
    for (int columns = 1; columns < 4; columns++) {
        Buf out = { 0 };
        draw(&(Attention){ source, target, 2, 1, weight }, COLOURS_NONE, columns, &out);
        assert_non_null(strstr(out.text, "(0 of 2 source pieces;"));
        buf_free(&out);
    }
}

UNIT_TEST(weights_that_are_none_should_be_drawn_as_nothing)
{
    Piece source[] = { { "a", 0 }, { "b", 1 }, { "c", 2 } }, target[] = { { "d", 0 } };
    const float weight[] = { NAN, -1, 2 };
    assert_picture((Attention){ source, target, 3, 1, weight }, COLOURS_NONE, 80,
                   "   ╭ a\n   │ ╭ b\n   │ │ ╭ c\nd      ██\n"
                   "   0   ░░▒▒▓▓██ 1\n");
}

int main(void) { return run_unit_tests(); }
