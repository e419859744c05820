/* test_string_table.c - numbering, counting and finding of strings. */
#include "text/string_table.h"

#include "base/mem.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

UNIT_TEST(strings_should_be_numbered_in_the_order_they_came)
{
    SCOPED(string_table_free) StringTable l = { 0 };
    assert_int_equal(string_table_find(&l, slice_of("a")), -1);
    assert_int_equal(string_table_add(&l, slice_of("b")), 0);
    assert_int_equal(string_table_add(&l, slice_of("a")), 1);
    assert_int_equal(string_table_add(&l, slice_of("b")), 0);
    assert_int_equal(string_table_add(&l, slice_of("")), 2);
    assert_int_equal(l.count, 3);
    assert_string_equal(string_table_text(&l, 1), "a");
    assert_int_equal(string_table_find(&l, slice_of("a")), 1);
    assert_int_equal(string_table_find(&l, slice_of("")), 2);
    assert_int_equal(string_table_find(&l, slice_of("ab")), -1);
}

UNIT_TEST(any_bytes_should_be_a_string)
{
    SCOPED(string_table_free) StringTable l = { 0 };
    assert_int_equal(string_table_add(&l, (Slice){ "a\0b", 3 }), 0);
    assert_int_equal(string_table_add(&l, (Slice){ "a\0c", 3 }), 1);
    assert_int_equal(string_table_add(&l, slice_of("a")), 2);
    assert_int_equal(string_table_add(&l, (Slice){ "a\0", 2 }), 3);
    assert_int_equal(string_table_at(&l, 1).length, 3);
    assert_memory_equal(string_table_text(&l, 1), "a\0c", 4);
}

UNIT_TEST(many_strings_should_all_be_found_again)
{
    enum { STRINGS = 100000 };
    SCOPED(string_table_free) StringTable l = { 0 };
    char name[16];
    for (int i = 0; i < STRINGS; i++)
        assert_int_equal(string_table_add(&l, (Slice){ name, (size_t)sprintf(name, "%d", i * 7) }), i);
    for (int i = 0; i < STRINGS; i++) {
        int length = sprintf(name, "%d", i * 7);
        assert_int_equal(string_table_find(&l, (Slice){ name, (size_t)length }), i);
        assert_string_equal(string_table_text(&l, i), name);
        assert_int_equal(string_table_at(&l, i).length, length);
    }
    assert_int_equal(string_table_find(&l, slice_of("8")), -1);
}

UNIT_TEST(most_common_should_go_first_and_of_equals_the_lower_bytes)
{
    static const struct { const char *word; long times; } counted[] = {
        { "c", 1 }, { "a", 2 }, { "b", 1 }, { "c", 1 }, { "d", 5 }, { "b", 1 }, { "ea", 1 },
        { "e", 1 },
    };
    static const char *const falling[] = { "d", "a", "b", "c", "e", "ea" };
    SCOPED(string_table_free) StringTable l = { 0 };
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        string_table_count(&l, slice_of(counted[i].word), counted[i].times);
    int *order = string_table_most_common(&l);
    for (size_t i = 0; i < l.count; i++)
        assert_string_equal(string_table_text(&l, order[i]), falling[i]);
    assert_int_equal(l.tally[order[0]], 5);
    free(order);
}

int main(void) { return run_unit_tests(); }
