/* test_layout.c - which columns are taken for text, what is said where the first two are none,
 * and what is quoted. */
#include "text/corpus/layout.h"

#include "base/buf.h"
#include "scratch.h"

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

static Layout found(const Buf *text)
{
    Err e = { "" };
    Layout layout;
    if (layout_find(&layout, "a.tsv", &(Columns){ 0, 0 }, text->text, text->length, &e))
        fail_msg("%s", e.text);
    assert_int_equal(layout.columns.source, 1);
    assert_int_equal(layout.columns.target, 2);
    return layout;
}

#define HOLDS_TEXT(a, b) "; columns " #a " and " #b " hold text: --columns " #a "," #b \
    " takes them, --columns 1,2 the first two all the same"
#define TOO_FEW(a) ", and only column " #a " holds text, but a pair needs two; --columns 1,2 takes the " \
    "first two all the same"

static void columns_that_are_no_text_should_be_refused_where_others_are(void **state)
{
    (void)state;
    static const struct { const char *format, *message; } cases[] = {
        { "#\tHi ~.\t#\tSalut ~.\n", "column 1 holds numbers, ids or addresses in 100 % of the lines" HOLDS_TEXT(2, 4) },
        { "0.#\tHi ~.\tSalut ~.\n", "column 1 holds numbers, ids or addresses in 100 % of the lines" HOLDS_TEXT(2, 3) },
        { "\"#\"\t\"Hi ~.\"\t\"Salut ~.\"\r\n",
          "column 1 holds numbers, ids or addresses in 100 % of the lines" HOLDS_TEXT(2, 3) },
        { "http://a.org/~\thttp://b.org/~\tHi ~.\tSalut ~.\t0.#\n",
          "column 1 holds numbers, ids or addresses in 100 % of the lines" HOLDS_TEXT(3, 4) },
        { "Hi ~.\ttalk-#\tSalut ~.\n",
          "column 2 holds numbers, ids or addresses in 100 % of the lines" HOLDS_TEXT(1, 3) },
        { "#\ta2f#\tmenu.file.~\tHi ~.\tSalut ~.\n",
          "column 1 holds numbers, ids or addresses in 100 % of the lines" HOLDS_TEXT(4, 5) },
        { "en\tHi ~.\tfr\tSalut ~.\n",
          "column 1 holds the same word in 95 % of the lines" HOLDS_TEXT(2, 4) },
        { "#\ten\tHi ~.\n", "column 1 holds numbers, ids or addresses in 100 % of the lines" TOO_FEW(3) },
    };
    Buf text = { 0 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err e = { "" };
        Layout layout;
        write_lines(&text, cases[i].format, LINES);
        assert_int_equal(layout_find(&layout, "a", &(Columns){ 0, 0 }, text.text, text.length, &e), -1);
        assert_string_equal(e.text + strlen("a: "), cases[i].message);
        assert_int_equal(layout_find(&layout, "a", &(Columns){ 3, 1 }, text.text, text.length, &e), 0);
        assert_int_equal(layout.columns.source, 3);
        assert_int_equal(layout.columns.target, 1);
    }
    buf_free(&text);
}

static void other_sequences_should_be_taken_as_they_are(void **state)
{
    (void)state;
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
    Buf text = { 0 };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        write_lines(&text, formats[i], LINES);
        found(&text);
    }
    buf_free(&text);
}

/* Nine in ten lines. The last line may be cut, and is not seen. */
static void nearly_all_lines_should_decide(void **state)
{
    (void)state;
    Err e = { "" };
    Layout layout;
    Buf text = { 0 };
    for (int texts = 1; texts <= 3; texts++) {
        write_lines(&text, "#\tHi ~.\tSalut ~.\n", LINES - texts);
        for (int i = 0; i < texts; i++)
            buf_puts(&text, "a text\tHi.\tSalut.\n");
        assert_int_equal(layout_find(&layout, "a", &(Columns){ 0, 0 }, text.text, text.length, &e),
                         texts < 3 ? -1 : 0);
    }
    write_lines(&text, "#\tHi ~.\tSalut ~.\r", LINES);
    assert_int_equal(layout_find(&layout, "a", &(Columns){ 0, 0 }, text.text, text.length, &e), -1);
    buf_free(&text);
}

/* The formats take turns; the percent of quoted cells. */
static void marks_should_be_left_out_only_where_they_quote_cells(void **state)
{
    (void)state;
    static const struct { const char *format; int percent; } cases[] = {
        { "\"Hi ~.\"\t\"Salut ~.\"\n", 100 },
        { "\"Hi ~.\"\t\"Salut ~.\"\r\n\"He said \"\"~\"\".\"\t\"\"\n", 100 },
        { "Hi ~.\tSalut ~.\n\"He said \"\"~\"\".\"\tIl dit « ~ ».\n", 25 },
        { "Hi ~.\tSalut ~.\n\"Hi, ~.\"\t\"Salut, \"\"~\"\".\"\n", 50 },
        { "\"\"\"Hi ~.\"\"\"\tSalut ~.\n", 50 },
        { "\"Hi,\" she said ~.\t\"Salut ~\", dit-elle.\n", 0 },
        { "\"Hi ~.\"\t« Salut ~. »\nHi ~.\tSalut ~.\n", 0 },
        { "\"Hi, ~.\"\t« Salut ~. »\nHi ~.\tSalut ~.\n", 0 },
        { "\"Hi ~.\" \"Ho ~.\"\t\"Salut ~.\" \"Ho ~.\"\n", 0 },
        { "\"Hi \"\"~\"\".\"\tSalut ~.\n\"Hi ~.\"\tSalut ~.\n", 0 },
        { "\"Hi \"\"~\"\".\"\tSalut ~.\nThe \"~\".\tLe ~.\n", 0 },
        { "He said \"\"~\"\".\tIl dit ~.\n", 0 },
        { "\"\tHi ~.\n", 0 },
        { "\"\"\"\tHi ~.\n", 0 },
    };
    Buf text = { 0 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err e;
        Layout layout;
        write_lines(&text, cases[i].format, LINES);
        assert_int_equal(found(&text).quoted, cases[i].percent);
        assert_int_equal(layout_find(&layout, "a", NULL, text.text, text.length, &e), 0);
        assert_int_equal(layout.quoted, 0);
    }
    write_lines(&text, cases[0].format, 4);     /* of so few cells all may be citations */
    assert_int_equal(found(&text).quoted, 0);
    buf_free(&text);
}

static void only_quoted_cells_should_be_unquoted(void **state)
{
    (void)state;
    static const struct { const char *cell, *text; } cases[] = {
        { "\"a b\"", "a b" }, { "\"\"", "" }, { "\"\"\"\"", "\"" }, { "\"a \"\"b\"\"\"", "a \"b\"" },
        { "", "" }, { "\"", "\"" }, { "\"\"\"", "\"\"\"" }, { "a", "a" }, { "\"a", "\"a" }, { "a\"", "a\"" },
        { "\"a\" b\"", "\"a\" b\"" }, { "\"a\"b\"\"", "\"a\"b\"\"" }, { " \"a\"", " \"a\"" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char cell[16];
        strcpy(cell, cases[i].cell);
        const Slice text = layout_unquoted((Slice){ cell, strlen(cell) });
        assert_int_equal(text.length, strlen(cases[i].text));
        assert_memory_equal(text.text, cases[i].text, text.length);
    }
}

static void cells_should_be_counted_from_one(void **state)
{
    (void)state;
    static const char text[] = "a\t\tcd";
    const Slice line = { text, strlen(text) };
    assert_ptr_equal(layout_cell(line, 1).text, text);
    assert_int_equal(layout_cell(line, 1).length, 1);
    assert_int_equal(layout_cell(line, 2).length, 0);
    assert_ptr_equal(layout_cell(line, 3).text, text + 3);
    assert_int_equal(layout_cell(line, 3).length, 2);
    assert_null(layout_cell(line, 4).text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_that_are_no_text_should_be_refused_where_others_are),
        cmocka_unit_test(other_sequences_should_be_taken_as_they_are),
        cmocka_unit_test(nearly_all_lines_should_decide),
        cmocka_unit_test(marks_should_be_left_out_only_where_they_quote_cells),
        cmocka_unit_test(only_quoted_cells_should_be_unquoted),
        cmocka_unit_test(cells_should_be_counted_from_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
