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

static int count(const char *text, const char *part)
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
        assert_int_equal(count(svg, label), 1);
    }
    assert_non_null(strstr(svg, "fill-opacity=\"0.75\"><title>red → voiture: 0.75</title>"));
    assert_int_equal(count(svg, "<title>"), 5);        /* 0.004 is too pale to be seen, 0.006 not */
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
        give_texts(&h[0], "A \"red\" car.", "Une voiture rouge.");
        give_texts(&h[1], "Red & blue.", "Rouge & bleu.");
        gallery_add(g, "both", "both", h, 2);
        heatmap_free(&h[0]);
        heatmap_free(&h[1]);
        assert_int_equal(gallery_finish(g, &e), 0);
        char *text = text_of(path);
        buf_printf(&label, " role=\"img\" aria-label=\"%s%s%s\"", i ? "" : first, i ? "" : "; ", second);
        assert_int_equal(count(text, label.text), 1);
        assert_int_equal(count(text, "role=\"img\""), 1 + i);
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
    free(svg);
}

TEST_IN_SCRATCH(markup_in_the_text_should_stay_text)
{
    const char *const hostile[] = { "<script>", "a&b\"'", "\xEF\xBF\xBF\x1B" };
    const char *const endings[] = { "hostile.svg", "hostile.html" };
    for (int i = 0; i < 2; i++) {
        char *text = drawn(*state, endings[i], hostile, hostile, 1);
        assert_int_equal(count(text, "<script>"), 0);
        assert_int_equal(count(text, ">&lt;script&gt;</text>"), 2);
        assert_int_equal(count(text, ">a&amp;b&quot;&#39;</text>"), 2);
        assert_int_equal(count(text, ">\xEF\xBF\xBD</text>"), 2);
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
    assert_int_equal(count(html, "<h2 dir=\"auto\">a &lt;red&gt; car</h2>\n"
                                 "<p dir=\"auto\">une voiture &amp; rouge</p>"), 3);
    assert_int_equal(count(html, "<svg "), 3);
    assert_int_equal(count(html, "</svg>"), 3);
    assert_int_equal(count(html, "http"), 0);
    assert_int_equal(count(html, "url("), 0);
    assert_int_equal(count(html, "src="), 0);
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
