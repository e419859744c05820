/* test_files.c - whether two names mean one file. */
#include "base/files/files.h"

#include "base/strings.h"
#include "scratch.h"

static void two_names_of_one_file_should_be_the_same(void **state)
{
    const char *file = scratch_puts(*state, "file", "text"), *link = scratch_path(*state, "link");
    const char *other = scratch_puts(*state, "other", "text"), *none = scratch_path(*state, "none");
    const char *roundabout = scratch_path(*state, "./none"), *dangling = scratch_path(*state, "to");
    assert_int_equal(symlink(file, link), 0);
    assert_int_equal(symlink("none", dangling), 0);
    assert_true(file_same(file, file) && file_same(file, link) && file_same(link, file));
    assert_false(file_same(file, other) || file_same(file, none) || file_same(none, file));
    assert_true(file_same(none, none) && file_same(none, roundabout) && file_same(dangling, none));
    assert_false(file_same(none, "/nowhere/none") || file_same(none, "none"));
    assert_false(file_same("/dev/null", "/dev/null"));
}

static void suffix_should_be_the_last_bytes(void **state)
{
    assert_true(ends_with("pairs.tsv", ".tsv") && ends_with(".tsv", ".tsv") && ends_with("a", ""));
    assert_false(ends_with("pairs.TSV", ".tsv") || ends_with("sv", ".tsv") || ends_with("", "a"));
}

static void extension_should_have_a_name_before_it_and_any_case(void **state)
{
    assert_true(has_extension("a.svg", ".svg") && has_extension("a.SVG", ".svg"));
    assert_false(has_extension(".svg", ".svg") || has_extension("asvg", ".svg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(two_names_of_one_file_should_be_the_same),
        cmocka_unit_test(suffix_should_be_the_last_bytes),
        cmocka_unit_test(extension_should_have_a_name_before_it_and_any_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
