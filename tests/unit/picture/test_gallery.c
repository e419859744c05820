/* test_gallery.c - heat maps in files: what they contain, what they must not, and when there is no
 * file at all. */
#include "picture/gallery.h"

#include "base/files/files.h"
#include "scratch.h"

#include <math.h>

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

static void give_texts(Heatmap *h, const char *source, const char *target)
{
    h->source_text = strdup(source);
    h->target_text = strdup(target);
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

/* Draws `lines` times a line with one heat map, of these texts if there are any. */
static void draw_file(const char *path, const char *const *source, const char *const *target,
                      int lines, const char *source_text, const char *target_text)
{
    Err e;
    Gallery *g = open_gallery(path);
    Heatmap h = three_by_three(source, target);
    if (source_text) give_texts(&h, source_text, target_text);
    for (int i = 0; i < lines; i++)
        gallery_add(g, "a <red> car", "une voiture & rouge", &h, 1);
    heatmap_free(&h);
    if (gallery_finish(g, &e)) fail_msg("%s", e.text);
}

static int count(const char *text, const char *part)
{
    int times = 0;
    while ((text = strstr(text, part))) {
        times++;
        text += strlen(part);
    }
    return times;
}

static Content read_file(const char *path)
{
    Err e;
    Content file;
    if (content_read(&file, path, &e)) fail_msg("%s", e.text);
    return file;
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
    draw_file(path, source, target, lines, NULL, NULL);
    return text_of(path);
}

static void svg_should_have_each_label_and_each_visible_weight(void **state)
{
    char *svg = drawn(*state, "a.svg", english, french, 1);
    assert_int_equal(strncmp(svg, "<svg xmlns=", 11), 0);
    for (int i = 0; i < 2 * SIDE; i++) {
        char label[64];
        snprintf(label, sizeof label, ">%s</text>", i < SIDE ? english[i] : french[i - SIDE]);
        assert_int_equal(count(svg, label), 1);
    }
    assert_non_null(strstr(svg, "fill-opacity=\"0.75\"><title>red → voiture: 0.75</title>"));
    assert_int_equal(count(svg, "<title>"), 5);        /* 0.004 is too pale to be seen, 0.006 not */
    free(svg);
}

/* What a line of several sentences is drawn as, `lines` times. */
static char *draw_sentences(Scratch *s, const char *name, int lines)
{
    Err e;
    const char *path = scratch_path(s, name);
    Gallery *g = open_gallery(path);
    Heatmap h[] = { three_by_three(english, french), three_by_three(english, french) };
    give_texts(&h[0], "A \"red\" car.", "Une voiture rouge.");
    give_texts(&h[1], "Red & blue.", "Rouge & bleu.");
    for (int i = 0; i < lines; i++)
        gallery_add(g, "both", "both", h, 2);
    for (int i = 0; i < 2; i++)
        heatmap_free(&h[i]);
    if (gallery_finish(g, &e)) fail_msg("%s", e.text);
    return text_of(path);
}

static void pictures_should_tell_what_they_show(void **state)
{
    static const char first[] = "Attention: A &quot;red&quot; car. → Une voiture rouge.";
    static const char second[] = "Attention: Red &amp; blue. → Rouge &amp; bleu.";
    Buf both = { 0 }, one = { 0 };
    buf_printf(&both, " role=\"img\" aria-label=\"%s; %s\"", first, second);
    buf_printf(&one, " role=\"img\" aria-label=\"%s\"", second);
    char *svg = draw_sentences(*state, "a.svg", 1), *html = draw_sentences(*state, "a.html", 3);
    assert_int_equal(count(svg, both.text), 1);
    assert_int_equal(count(html, one.text), 3);
    assert_int_equal(count(html, "role=\"img\""), 6);
    assert_int_equal(count(svg, ">A &quot;red&quot; car.</text>"), 1);
    assert_int_equal(count(svg, ">Une voiture rouge.</text>"), 1);
    assert_int_equal(count(html, ">Rouge &amp; bleu.</text>"), 3);
    buf_free(&both);
    buf_free(&one);
    free(svg);
    free(html);
}

static void what_is_left_out_should_have_no_name(void **state)
{
    char *svg = draw_sentences(*state, "many.svg", GALLERY_MOST);
    assert_int_equal(count(svg, "Attention: "), GALLERY_MOST);
    assert_int_equal(count(svg, ">Une voiture rouge.</text>"), GALLERY_MOST / 2);
    free(svg);
}

/* The page has the line and its translation above a picture already. */
static void page_should_caption_only_the_pictures_of_several_sentences(void **state)
{
    const char *path = scratch_path(*state, "one.html");
    draw_file(path, english, french, 1, "A red car.", "Une voiture rouge.");
    char *html = text_of(path);
    assert_int_equal(count(html, ">A red car.</text>"), 0);
    assert_int_equal(count(html, "aria-label=\"Attention: A red car. → Une voiture rouge.\""), 1);
    free(html);
}

/* The words of a caption, in lines that end where they would be wider than the picture. */
static void long_captions_should_be_broken_into_lines(void **state)
{
    Buf text = { 0 };
    const char *path = scratch_path(*state, "long.svg");
    for (int i = 0; i < 40; i++)
        buf_printf(&text, "%sword%d", i ? " " : "", i);
    draw_file(path, english, french, 1, text.text, "Unwort");
    char *svg = text_of(path);
    const char *width = strstr(svg, " width=\"");
    assert_non_null(width);
    assert_in_range(atoi(width + 8), 300, 450);
    assert_non_null(strstr(svg, ">word0 word1 "));
    assert_non_null(strstr(svg, " word39</text>"));
    assert_non_null(strstr(svg, ">Unwort</text>"));
    assert_int_equal(count(svg, "word"), 40 + 40);      /* in the caption and in the label */
    buf_free(&text);
    free(svg);
}

static void legend_should_stand_where_there_are_marks(void **state)
{
    static const char *const pieces[] = { "\xC2\xB7y", "z", "" };
    char *without = drawn(*state, "plain.svg", english, french, 1);
    char *with = drawn(*state, "marked.svg", english, pieces, 1);
    assert_null(strstr(without, "blank"));
    assert_non_null(strstr(with, ">· = no blank before it, ␣ = a blank</text>"));
    free(without);
    free(with);
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

static void source_should_run_across_and_target_down(void **state)
{
    char *svg = drawn(*state, "a.svg", english, french, 1);
    Point first = place_of(svg, ">a → une: 1.00<");
    Point below = place_of(svg, ">a → voiture: 0.25<");
    Point last = place_of(svg, ">car → rouge: 0.99<");
    double cell = below.y - first.y;
    assert_true(cell > 0 && below.x == first.x);
    assert_true(fabs(last.x - first.x - 2 * cell) < 0.01
                && fabs(last.y - first.y - 2 * cell) < 0.01);
    free(svg);
}

static void markup_in_the_text_should_stay_text(void **state)
{
    const char *const hostile[] = { "<script>", "a&b\"'", "\xEF\xBF\xBF\x1B" };
    const char *const endings[] = { "hostile.svg", "hostile.html" };
    for (int i = 0; i < 2; i++) {
        char *text = drawn(*state, endings[i], hostile, hostile, 1);
        assert_int_equal(count(text, "<script>"), i);       /* the page's own */
        assert_int_equal(count(text, ">&lt;script&gt;</text>"), 2);
        assert_int_equal(count(text, ">a&amp;b&quot;&#39;</text>"), 2);
        assert_int_equal(count(text, ">\xEF\xBF\xBD</text>"), 2);
        free(text);
    }
}

static void bytes_that_are_no_utf8_should_be_replaced(void **state)
{
    Buf out = { 0 };
    html_element("p", "donn\xE9" "es<\xE2\x82", &out);
    assert_string_equal(out.text, "<p dir=\"auto\">donn\uFFFDes&lt;\uFFFD\uFFFD</p>\n");
    buf_free(&out);
}

static void page_should_have_lines_with_their_pictures_and_ask_for_nothing(void **state)
{
    char *html = drawn(*state, "a.html", english, french, 3);
    assert_int_equal(count(html, "<h2 dir=\"auto\">a &lt;red&gt; car</h2>\n"
                                 "<p dir=\"auto\">une voiture &amp; rouge</p>"), 3);
    assert_int_equal(count(html, "<svg "), 3);
    assert_int_equal(count(html, "</svg>"), 3);
    assert_int_equal(count(html, "http"), 0);
    assert_int_equal(count(html, "url("), 0);
    assert_int_equal(count(html, "src="), 0);
    free(html);
}

static void text_should_have_lines_with_their_pictures(void **state)
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

static void png_should_grow_with_its_lines_in_height_alone(void **state)
{
    uint32_t width[2], height[2];
    const char *path = scratch_path(*state, "a.png");
    for (int i = 0; i < 2; i++) {
        draw_file(path, english, french, i + 1, NULL, NULL);
        png_size(path, &width[i], &height[i]);
    }
    assert_int_equal(width[1], width[0]);
    /* Heights are rounded up to whole pixels. */
    assert_true(height[1] >= 2 * height[0] - 2 && height[1] <= 2 * height[0] + 2);
}

/* Two lines of text, a sentence and its translation, drawn at twice their size. */
static void png_should_have_a_caption(void **state)
{
    uint32_t width, with, without;
    const char *path = scratch_path(*state, "caption.png");
    draw_file(path, english, french, 1, NULL, NULL);
    png_size(path, &width, &without);
    draw_file(path, english, french, 1, "A red car.", "Une voiture rouge.");
    png_size(path, &width, &with);
    assert_in_range(with - without, 2 * 2 * CANVAS_FONT, 2 * 2 * 2 * CANVAS_FONT);
}

static void what_is_too_much_for_a_file_should_be_left_out_and_counted(void **state)
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

static void nothing_drawn_should_be_a_whole_file_all_the_same(void **state)
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

static void unknown_ending_or_folder_should_be_an_error(void **state)
{
    Err e;
    assert_null(gallery_open("picture.gif", &e));
    assert_string_equal(e.text, "picture.gif: a picture's name ends in .svg, .png, .html or .txt");
    assert_null(gallery_open(".svg", &e));
    const char *path = scratch_path(*state, "missing/a.svg");
    assert_null(gallery_open(path, &e));
    assert_non_null(strstr(e.text, "missing/a.svg: cannot be written"));
}

static void dropped_gallery_should_leave_no_file(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(svg_should_have_each_label_and_each_visible_weight),
        in_scratch(pictures_should_tell_what_they_show),
        in_scratch(what_is_left_out_should_have_no_name),
        in_scratch(page_should_caption_only_the_pictures_of_several_sentences),
        in_scratch(long_captions_should_be_broken_into_lines),
        in_scratch(legend_should_stand_where_there_are_marks),
        in_scratch(source_should_run_across_and_target_down),
        in_scratch(markup_in_the_text_should_stay_text),
        cmocka_unit_test(bytes_that_are_no_utf8_should_be_replaced),
        in_scratch(page_should_have_lines_with_their_pictures_and_ask_for_nothing),
        in_scratch(text_should_have_lines_with_their_pictures),
        in_scratch(png_should_grow_with_its_lines_in_height_alone),
        in_scratch(png_should_have_a_caption),
        in_scratch(what_is_too_much_for_a_file_should_be_left_out_and_counted),
        in_scratch(nothing_drawn_should_be_a_whole_file_all_the_same),
        in_scratch(unknown_ending_or_folder_should_be_an_error),
        in_scratch(dropped_gallery_should_leave_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
