/* test_merges.c - the table of merges, and subword-nmt's files: what is read, what is refused, what
 * is written. */
#include "text/tokenizer/bpe.h"

#include "scratch.h"

static void assert_merge(const Merges *m, size_t rank, const char *expected)
{
    Buf line = { 0 };
    merges_line(m, rank, &line);
    assert_string_equal(line.text, expected);
    buf_free(&line);
}

static Merges read_codes(Scratch *s, const char *text)
{
    Err e = { "" };
    Merges m = { 0 };
    if (merges_read(&m, scratch_puts(s, "codes", text), &e)) fail_msg("%s", e.text);
    return m;
}

static int add(Merges *m, const char *left, const char *right)
{
    return merges_add_text(m, left, strlen(left), right, strlen(right));
}

static int symbol(const Merges *m, const char *text)
{
    return string_table_find(&m->symbols, text, strlen(text));
}

/* ---- The table ---- */

static void merge_should_make_the_symbol_of_both_texts(void **state)
{
    (void)state;
    Merges m = { 0 };
    assert_int_equal(add(&m, "a", "b"), 0);
    assert_int_equal(add(&m, "ab", "c"), 0);
    assert_int_equal(add(&m, "b", "c"), 0);
    assert_int_equal(add(&m, "a", "bc"), 0);
    assert_int_equal(m.pairs.count, 4);
    assert_int_equal(m.product[1], symbol(&m, "abc"));
    assert_int_equal(m.product[3], m.product[1]);
    assert_int_equal(merges_rank(&m, symbol(&m, "b"), symbol(&m, "c")), 2);
    assert_int_equal(merges_rank(&m, symbol(&m, "c"), symbol(&m, "b")), -1);
    assert_int_equal(merges_rank(&m, -1, -1), -1);
    merges_free(&m);
}

static void merge_should_be_added_only_once(void **state)
{
    (void)state;
    Merges m = { 0 };
    assert_int_equal(add(&m, "a", "b"), 0);
    assert_int_equal(add(&m, "b", "a"), 0);
    assert_int_equal(add(&m, "a", "b"), -1);
    assert_int_equal(m.pairs.count, 2);
    merges_free(&m);
}

static void table_should_know_whether_the_mark_is_in_it(void **state)
{
    (void)state;
    Merges m = { 0 };
    add(&m, "a", "b");
    assert_false(m.marked);
    add(&m, "\u2581", "ab");
    assert_true(m.marked);
    merges_free(&m);
}

/* ---- Reading ---- */

static void first_line_should_tell_how_words_end(void **state)
{
    static const struct { const char *text; WordEnd end; } cases[] = {
        { "#version: 0.1\na b\nab </w>\n", WORD_END_SEPARATE },
        { "a b\nab </w>\n", WORD_END_SEPARATE },
        { "#version: 0.2\na b\nab c</w>\n", WORD_END_ATTACHED },
        { "#version:0.2\r\na b\r\nab c</w>", WORD_END_ATTACHED },
        { " #version: 0.2 \na b\nab c</w>", WORD_END_ATTACHED },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Merges m = read_codes(*state, cases[i].text);
        assert_int_equal(m.end, cases[i].end);
        assert_int_equal(m.pairs.count, 2);
        assert_merge(&m, 0, "a b");
        assert_merge(&m, 1, cases[i].end == WORD_END_SEPARATE ? "ab </w>" : "ab c</w>");
        merges_free(&m);
    }
}

static void of_a_pair_that_comes_twice_the_first_line_should_count(void **state)
{
    Merges m = read_codes(*state, "a b\n\n b c\na b \nc d\n");
    assert_int_equal(m.pairs.count, 3);
    assert_merge(&m, 0, "a b");
    assert_merge(&m, 1, "b c");
    assert_merge(&m, 2, "c d");
    merges_free(&m);
}

static void what_is_no_file_of_codes_should_be_refused_with_its_line(void **state)
{
    static const struct { const char *text, *message; } cases[] = {
        { "a b\nab\n", "codes:2: 'ab' is not a merge" },
        { "a b c\n", "codes:1: 'a b c' is not a merge" },
        { "a  b\n", "codes:1: 'a  b' is not a merge" },
        { "Go.\tVa !\n", "codes:1: 'Go.\tVa !' is not a merge" },
        { "a \xFF\n", "codes:1: 'a \xFF' is not a merge" },
        { "a b\n #version: 0.2 \nb c", "codes:2: a version belongs into the first line" },
        { "a b\n#version: 0.2\nb c", "codes:2: a version belongs into the first line" },
        { "#version: 0.3\na b\n", "codes:1: version '0.3' of subword-nmt's codes is not known" },
        { "#version: \na b\n", "codes:1: version ''" },
        { "#version: 0.2\n", "codes: no merges in it" }, { "", "codes: no merges in it" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err e = { "" };
        Merges m = { 0 };
        int failed = merges_read(&m, scratch_puts(*state, "codes", cases[i].text), &e);
        if (!failed) fail_msg("accepted: %s", cases[i].text);
        if (!strstr(e.text, cases[i].message))
            fail_msg("'%s' does not say '%s'", e.text, cases[i].message);
        assert_null(m.pairs.slot);
    }
    Err e = { "" };
    Merges m = { 0 };
    assert_int_equal(merges_read(&m, scratch_path(*state, "missing"), &e), -1);
    assert_non_null(strstr(e.text, "missing"));
}

/* ---- Writing ---- */

static void what_was_read_should_be_written(void **state)
{
    static const char *const files[] = { "#version: 0.1\na b\nab </w>\n",
                                         "#version: 0.2\na b\nab \u00E9</w>\n",
                                         "#version: 0.1\n#version :\n#version: </w>\n" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        Merges m = read_codes(*state, files[i]), copy = { 0 };
        Buf text = { 0 };
        merges_copy(&copy, &m);
        merges_write(&copy, &text);
        assert_string_equal(text.text, files[i]);
        buf_free(&text);
        merges_free(&copy);
        merges_free(&m);
    }
}

static void merges_without_word_ends_should_be_written_as_version_01(void **state)
{
    (void)state;
    Merges m = { 0 };
    Buf text = { 0 };
    add(&m, "\u2581", "a");
    merges_write(&m, &text);
    assert_string_equal(text.text, "#version: 0.1\n\u2581 a\n");
    buf_free(&text);
    merges_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merge_should_make_the_symbol_of_both_texts),
        cmocka_unit_test(merge_should_be_added_only_once),
        cmocka_unit_test(table_should_know_whether_the_mark_is_in_it),
        in_scratch(first_line_should_tell_how_words_end),
        in_scratch(of_a_pair_that_comes_twice_the_first_line_should_count),
        in_scratch(what_is_no_file_of_codes_should_be_refused_with_its_line),
        in_scratch(what_was_read_should_be_written),
        cmocka_unit_test(merges_without_word_ends_should_be_written_as_version_01),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
