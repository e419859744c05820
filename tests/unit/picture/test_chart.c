/* test_chart.c - curves on paper: every point in its place, axes with round numbers. */
#include "picture/canvas.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Draws the chart as SVG, for free(). */
static char *draw(const Chart *chart, Size *size)
{
    Svg svg;
    Buf out = { 0 };
    svg_init(&svg);
    *size = chart_draw(chart, &svg.canvas, 0);
    svg_finish(&svg, *size, 0, &out);
    return out.text;
}

static int count(const char *text, const char *part)
{
    int times = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        times++;
    return times;
}

UNIT_TEST(axes_should_have_round_numbers_around_all_points)
{
    Size size;
    const Point points[] = { { 0, 0.93 }, { 60, 4.1 }, { 600, 6.02 } };
    const Chart chart = { .title = "Loss", .curve = { { "loss", points, 3, 1 } } };
    char *svg = draw(&chart, &size);
    for (int level = 0; level <= 7; level++) {
        char label[64];
        snprintf(label, sizeof label, "text-anchor=\"end\">%d</text>", level);
        assert_int_equal(count(svg, label), 1);
    }
    assert_non_null(strstr(svg, ">minutes</text>"));
    assert_non_null(strstr(svg, "text-anchor=\"middle\">10</text>"));
    free(svg);
}

UNIT_TEST(axis_should_begin_at_zero_where_that_is_wanted)
{
    for (int from_zero = 0; from_zero < 2; from_zero++) {
        Size size;
        const Point points[] = { { 10, 52 }, { 20, 58 } };
        const Chart chart = { .title = "BLEU", .curve = { { "BLEU", points, 2, 1 } },
                              .from_zero = from_zero };
        char *svg = draw(&chart, &size);
        assert_int_equal(count(svg, "text-anchor=\"end\">0</text>"), from_zero);
        free(svg);
    }
}

UNIT_TEST(chart_should_tell_what_it_shows)
{
    Size size;
    const Point points[] = { { 0, 4.8125 }, { 60, 3 }, { 600, 2.5 } };
    const Chart chart = { .title = "Loss", .curve = { { "training", points, 3, 1 },
                                                      { "validation", points, 2, 1 } } };
    char *svg = draw(&chart, &size);
    assert_non_null(strstr(svg, " role=\"img\" aria-label=\"Loss: training 4.812 to 2.5, "
                                "validation 4.812 to 3\""));
    free(svg);
}

UNIT_TEST(every_dot_should_stand_where_its_numbers_are)
{
    Size size;
    const Point points[] = { { 0, 0 }, { 50, 10 }, { 100, 5 } };
    const Chart chart = { .title = "BLEU", .curve = { { .name = "" }, { "BLEU", points, 3, 1 } } };
    char *svg = draw(&chart, &size);
    double x[3], y[3];
    const char *at = strstr(svg, "<polyline class=\"l2\" points=\"");
    assert_non_null(at);
    assert_int_equal(sscanf(strchr(at + 10, ' ') + 9, "%lf,%lf %lf,%lf %lf,%lf",
                            x, y, x + 1, y + 1, x + 2, y + 2), 6);
    assert_true(x[1] - x[0] == x[2] - x[1] && x[1] > x[0]);
    assert_true(y[0] > y[2] && y[2] > y[1] && fabs(y[2] - (y[0] + y[1]) / 2) < 0.11);
    assert_non_null(strstr(svg, "<title>BLEU 10 after 50 s</title>"));
    assert_true(x[2] < size.width && y[0] < size.height && y[1] > 0);
    free(svg);
}

UNIT_TEST(long_curve_should_be_drawn_by_its_means)
{
    enum { COUNT = 24000 };
    Size size;
    Point *points = malloc(COUNT * sizeof *points);
    for (int i = 0; i < COUNT; i++)
        points[i] = (Point){ i, i % 2 ? 3 : 1 };
    const Chart chart = { .title = "Loss", .curve = { { "loss", points, COUNT, 0 } } };
    char *svg = draw(&chart, &size);
    assert_int_equal(count(svg, "<title>loss 2 after "), 240);
    assert_int_equal(count(svg, "<title>"), 240);
    free(svg);
    free(points);
}

UNIT_TEST(level_lines_and_single_points_should_have_axes_too)
{
    const Point points[3][2] = {
        { { 0, 0 }, { 1, 0 } }, { { 5, 7 }, { 6, 7 } }, { { 9, -3 }, { 9, -3 } }
    };
    for (int i = 0; i < 6; i++) {
        Size size;
        const Curve curve = { "x", points[i / 2], 1 + (size_t)i % 2, 1 };
        const Chart chart = { .title = "x", .curve = { curve } };
        char *svg = draw(&chart, &size);
        assert_int_equal(count(svg, "<title>"), 1 + i % 2);
        assert_null(strstr(svg, "nan"));
        assert_null(strstr(svg, "inf"));
        free(svg);
    }
}

UNIT_TEST(nothing_to_draw_should_take_no_room)
{
    Size size;
    const Chart chart = { .title = "x" };
    free(draw(&chart, &size));
    assert_true(size.width == 0 && size.height == 0);
}

int main(void) { return run_unit_tests(); }
