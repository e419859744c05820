/* test_heatmap.c - heat maps as text, column for column; in files: what they contain, what they must
 * not, and when there is no file at all. */
#include "picture/heatmap.h"

#include "base/files/files.h"
#include "scratch.h"
#include "text/unicode.h"

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
                   "    0   ░░▒▒▓▓██ 1\n");
}

UNIT_TEST(legend_should_tell_the_mark_that_is_there_where_it_fits)
{
    Piece source[] = { { "a", 0 }, { "", 1 } }, target[] = { { "b", 0 }, { "c", 0 } };
    const float weight[] = { 1, 0, 0, 1 };
    const Attention a = { source, target, 2, 2, weight };
    const char *const rows = "    ╭ a\n    │ ╭ ␣\n b  ██  \n·c    ██\n"
                             "    0   ░░▒▒▓▓██ 1";
    for (int columns = 41; columns < 43; columns++) {
        Buf expected = { 0 };
        const char *legend = "  · = no blank before it";
        buf_printf(&expected, "%s%s\n", rows, columns == 42 ? legend : "");
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

/* ---- files ---- */

enum { SIDE = 3 };

static Heatmap three_by_three(const char *const source[SIDE], const char *const target[SIDE])
{
    static const float weight[] = { 1, 0, 0,   0.25f, 0.75f, 0,   0.004f, 0.006f, 0.99f };
    Heatmap h;
    heatmap_init(&h, SIDE, SIDE, weight);
    for (int i = 0; i < SIDE; i++) {
        h.source[i] = heatmap_label(source[i], 0);
        h.target[i] = heatmap_label(target[i], 0);
    }
    return h;
}

static const char *const english[] = { "a", "red", "car" };
static const char *const french[] = { "une", "voiture", "rouge" };

static Gallery *open_gallery(const char *path)
{
    Err e;
    Gallery *g = gallery_open(path, &e);
    if (!g) fail_msg("%s", e.text);
    return g;
}

/* Draws `lines` times a line with one heat map. */
static void draw_file(const char *path, const char *const *source, const char *const *target,
                      int lines)
{
    Err e;
    Gallery *g = open_gallery(path);
    Heatmap h = three_by_three(source, target);
    for (int i = 0; i < lines; i++)
        gallery_add(g, "a <red> car", "une voiture & rouge", &h, 1);
    heatmap_free(&h);
    if (gallery_finish(g, &e)) fail_msg("%s", e.text);
}

static int occurrences(const char *text, const char *part)
{
    int times = 0;
    while ((text = strstr(text, part))) {
        times++;
        text += strlen(part);
    }
    return times;
}

static char *text_of(const char *path)
{
    Content file = read_file(path);
    char *text = strndup(file.data, file.size);
    content_free(&file);
    return text;
}

/* The contents of such a file. */
static char *drawn(Scratch *s, const char *name, const char *const *source,
                   const char *const *target, int lines)
{
    const char *path = scratch_path(s, name);
    draw_file(path, source, target, lines);
    return text_of(path);
}

TEST_IN_SCRATCH(svg_should_have_each_label_and_each_visible_weight)
{
    char *svg = drawn(*state, "a.svg", english, french, 1);
    assert_int_equal(strncmp(svg, "<svg xmlns=", 11), 0);
    for (int i = 0; i < 2 * SIDE; i++) {
        char label[64];
        snprintf(label, sizeof label, ">%s</text>", i < SIDE ? english[i] : french[i - SIDE]);
        assert_int_equal(occurrences(svg, label), 1);
    }
    assert_non_null(strstr(svg, "fill-opacity=\"0.75\"><title>red → voiture: 0.75</title>"));
    assert_int_equal(occurrences(svg, "<title>"), 5);        /* 0.004 is too pale to be seen, 0.006 not */
    free(svg);
}

TEST_IN_SCRATCH(pictures_should_tell_what_they_show)
{
    static const char first[] = "Attention: A &quot;red&quot; car. → Une voiture rouge.";
    static const char second[] = "Attention: Red &amp; blue. → Rouge &amp; bleu.";
    const char *const endings[] = { "a.svg", "a.html" };
    for (int i = 0; i < 2; i++) {
        Err e;
        Buf label = { 0 };
        const char *path = scratch_path(*state, endings[i]);
        Gallery *g = open_gallery(path);
        Heatmap h[] = { three_by_three(english, french), three_by_three(english, french) };
        gallery_add(g, "A \"red\" car.", "Une voiture rouge.", h, 1);
        gallery_add(g, "Red & blue.", "Rouge & bleu.", h + 1, 1);
        heatmap_free(&h[0]);
        heatmap_free(&h[1]);
        assert_int_equal(gallery_finish(g, &e), 0);
        char *text = text_of(path);
        buf_printf(&label, " role=\"img\" aria-label=\"%s%s%s\"", i ? "" : first, i ? "" : "; ",
                   second);
        assert_int_equal(occurrences(text, label.text), 1);
        assert_int_equal(occurrences(text, "role=\"img\""), 1 + i);
        buf_free(&label);
        free(text);
    }
}

/* The place of the rectangle with this note. */
static Point place_of(const char *svg, const char *note)
{
    Point at = { 0, 0 };
    const char *end = strstr(svg, note), *start = end;
    assert_non_null(end);
    while (strncmp(start, "<rect", 5))
        start--;
    assert_int_equal(sscanf(start, "<rect class=\"c\" x=\"%lf\" y=\"%lf\"", &at.x, &at.y), 2);
    return at;
}

TEST_IN_SCRATCH(source_should_run_across_and_target_down)
{
    char *svg = drawn(*state, "a.svg", english, french, 1);
    Point first = place_of(svg, ">a → une: 1.00<");
    Point below = place_of(svg, ">a → voiture: 0.25<");
    Point last = place_of(svg, ">car → rouge: 0.99<");
    double cell = below.y - first.y;
    assert_true(cell > 0 && below.x == first.x);
    assert_true(fabs(last.x - first.x - 2 * cell) < 0.01
                && fabs(last.y - first.y - 2 * cell) < 0.01);
    assert_int_equal(occurrences(svg, " transform=\"rotate(-50 "), SIDE);     /* source labels */
    free(svg);
}

TEST_IN_SCRATCH(markup_in_the_text_should_stay_text)
{
    const char *const hostile[] = { "<script>", "a&b\"'", "\xEF\xBF\xBF\x1B" };
    const char *const endings[] = { "hostile.svg", "hostile.html" };
    for (int i = 0; i < 2; i++) {
        char *text = drawn(*state, endings[i], hostile, hostile, 1);
        assert_int_equal(occurrences(text, "<script>"), 0);
        assert_int_equal(occurrences(text, ">&lt;script&gt;</text>"), 2);
        assert_int_equal(occurrences(text, ">a&amp;b&quot;&#39;</text>"), 2);
        assert_int_equal(occurrences(text, ">\xEF\xBF\xBD</text>"), 2);
        free(text);
    }
}

UNIT_TEST(bytes_that_are_no_utf8_should_be_replaced)
{
    Buf out = { 0 };
    html_element("p", "donn\xE9" "es<\xE2\x82", &out);
    assert_string_equal(out.text, "<p dir=\"auto\">donn\uFFFDes&lt;\uFFFD\uFFFD</p>\n");
    buf_free(&out);
}

TEST_IN_SCRATCH(page_should_have_lines_with_their_pictures_and_ask_for_nothing)
{
    char *html = drawn(*state, "a.html", english, french, 3);
    assert_int_equal(occurrences(html, "<h2 dir=\"auto\">a &lt;red&gt; car</h2>\n"
                                 "<p dir=\"auto\">une voiture &amp; rouge</p>"), 3);
    assert_int_equal(occurrences(html, "<svg "), 3);
    assert_int_equal(occurrences(html, "</svg>"), 3);
    assert_int_equal(occurrences(html, "http"), 0);
    assert_int_equal(occurrences(html, "url("), 0);
    assert_int_equal(occurrences(html, "src="), 0);
    free(html);
}

TEST_IN_SCRATCH(text_should_have_lines_with_their_pictures)
{
    char *text = drawn(*state, "a.txt", english, french, 1);
    assert_string_equal(text, "a <red> car\nune voiture & rouge\n"
                              "         ╭ a\n         │ ╭ red\n         │ │ ╭ car\n"
                              "    une  ██    \nvoiture  ░░▓▓  \n  rouge      ██\n"
                               "         0   ░░▒▒▓▓██ 1\n");
    free(text);
}

static uint32_t big_endian(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* Width and height in the header of a PNG. */
static void png_size(const char *path, uint32_t *width, uint32_t *height)
{
    Content file = read_file(path);
    assert_true(file.size > 100);
    assert_memory_equal(file.data, "\x89PNG\r\n\x1A\n", 8);
    *width = big_endian(file.data + 16);
    *height = big_endian(file.data + 20);
    content_free(&file);
}

TEST_IN_SCRATCH(png_should_grow_with_its_lines_in_height_alone)
{
    uint32_t width[2], height[2];
    const char *path = scratch_path(*state, "a.png");
    for (int i = 0; i < 2; i++) {
        draw_file(path, english, french, i + 1);
        png_size(path, &width[i], &height[i]);
    }
    assert_int_equal(width[1], width[0]);
    /* Heights are rounded up to whole pixels. */
    assert_true(height[1] >= 2 * height[0] - 2 && height[1] <= 2 * height[0] + 2);
}

TEST_IN_SCRATCH(what_is_too_much_for_a_file_should_be_left_out_and_counted)
{
    enum { LINES = GALLERY_MOST + 5 };
    const char *const endings[] = { "many.svg", "many.html", "many.txt", "many.png" };
    for (int i = 0; i < 4; i++) {
        Err e;
        long offered;
        uint32_t width, height;
        const char *path = scratch_path(*state, endings[i]);
        Gallery *g = open_gallery(path);
        Heatmap h = three_by_three(english, french);
        for (int line = 0; line < LINES; line++)
            gallery_add(g, "a", "b", &h, 1);
        long drawn = gallery_drawn(g, &offered);
        assert_int_equal(offered, LINES);
        assert_int_equal(gallery_finish(g, &e), 0);
        if (i < 3) assert_int_equal(drawn, GALLERY_MOST);
        else png_size(path, &width, &height);
        if (i == 3) assert_in_range(height, 8000, 16000);       /* at twice the size */
        if (i == 3) assert_in_range(drawn, 2, LINES - 1);
        heatmap_free(&h);
    }
}

TEST_IN_SCRATCH(nothing_drawn_should_be_a_whole_file_all_the_same)
{
    const char *const endings[] = { "none.svg", "none.png", "none.html" };
    for (int i = 0; i < 3; i++) {
        Err e;
        const char *path = scratch_path(*state, endings[i]);
        assert_int_equal(gallery_finish(open_gallery(path), &e), 0);
        Content file = read_file(path);
        assert_true(file.size > 60);
        content_free(&file);
    }
}

TEST_IN_SCRATCH(unknown_ending_or_folder_should_be_an_error)
{
    Err e;
    assert_null(gallery_open("picture.gif", &e));
    assert_string_equal(e.text, "picture.gif: a picture's name ends in .svg, .png, .html or .txt");
    assert_null(gallery_open(".svg", &e));
    const char *path = scratch_path(*state, "missing/a.svg");
    assert_null(gallery_open(path, &e));
    assert_non_null(strstr(e.text, "missing/a.svg: cannot be written"));
}

TEST_IN_SCRATCH(dropped_gallery_should_leave_no_file)
{
    const char *path = scratch_path(*state, "dropped.html");
    Gallery *g = open_gallery(path);
    Heatmap h = three_by_three(english, french);
    gallery_add(g, "a", "b", &h, 1);
    heatmap_free(&h);
    gallery_drop(g);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* LeakSanitizer asks for it. What fontconfig keeps, for pango's threads may be reading it, is lost
 * when the process ends. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig\n";
}

int main(void) { return run_unit_tests(); }
