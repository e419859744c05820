/* test_import.c - damaged files of every format: the seeds of tests/fuzz/fuzz_import.c, cut short and changed. */
#include "import/import.h"

#include "../../fuzz/files.h"
#include "base/mem.h"
#include "import/arrays.h"
#include "scratch.h"
#include "test.h"

#include <dirent.h>
#include <math.h>

#define SEEDS "tests/fuzz/seeds/import"

/* Imports these bytes; a failure has one line. */
static int import_bytes(const char *bytes, size_t length)
{
    Err e = { "" };
    Package package = { 0 };
    Model model = { 0 };
    char *copy = xmalloc(length + 1, 1);        /* its end is the end of the block */
    memcpy(copy + 1, bytes, length);
    const int failed = files_add(&package, copy + 1, length, &e)
                       || import_package(&model, &package, &e);
    assert_true(!failed == !e.text[0]);
    assert_null(strchr(e.text, '\n'));
    model_free(&model);
    package_free(&package);
    xfree(copy);
    return failed;
}

static void each_seed(void (*check)(char *bytes, size_t length, const char *name))
{
    int count = 0;
    DIR *folder = opendir(SEEDS);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        Buf path = { 0 };
        buf_printf(&path, SEEDS "/%s", entry->d_name);
        if (entry->d_name[0] != '.') {
            Content seed = read_file(path.text);
            check(seed.data, seed.size, entry->d_name);
            content_free(&seed);
            count++;
        }
        buf_free(&path);
    }
    closedir(folder);
    assert_true(count > 10);
}

static void check_whole(char *bytes, size_t length, const char *name)
{
    if (import_bytes(bytes, length)) fail_msg("%s is refused", name);
}

UNIT_TEST(each_format_should_be_imported)
{
    each_seed(check_whole);
}

/* Marian's values end in padding that nobody misses, and the last file may be one that can lack its
 * end: so not all cuts fail. */
static void check_cut(char *bytes, size_t length, const char *name)
{
    size_t refused = 0, cuts = 0;
    for (size_t end = 0; end < length; end += end < 600 ? 1 : 97, cuts++)
        refused += import_bytes(bytes, end) != 0;
    if (refused < cuts / 2) fail_msg("%s: only %zu of %zu cuts are refused", name, refused, cuts);
}

UNIT_TEST(a_truncated_file_should_be_refused_in_one_line)
{
    each_seed(check_cut);
}

static void check_changed(char *bytes, size_t length, const char *name)
{
    static const char values[] = { '\0', '\1', '\x7F', '\xFF' };
    (void)name;
    for (size_t at = 0; at < length; at += at < 400 ? 1 : 211)
        for (size_t i = 0; i < sizeof values; i++) {
            const char before = bytes[at];
            bytes[at] = values[i];
            import_bytes(bytes, length);
            bytes[at] = before;
        }
}

UNIT_TEST(a_changed_byte_should_do_no_harm)
{
    each_seed(check_changed);
}

/* ---- Types of values ---- */

static void check_value(ArrayType type, uint64_t bits, double wanted)
{
    real x;
    const Array a = { .type = type, .values = (const char *)&bits };
    array_reals(&a, &x);
    assert_true(x == (real)wanted);
}

UNIT_TEST(each_type_should_give_its_value)
{
    check_value(ARRAY_F16, 0x3C00, 1);
    check_value(ARRAY_F16, 0xC580, -5.5);
    check_value(ARRAY_F16, 0x7BFF, 65504);
    check_value(ARRAY_F16, 0x0001, 0x1p-24);            /* the smallest */
    check_value(ARRAY_F16, 0x8200, -0x1p-15);
    check_value(ARRAY_F16, 0x7C00, (double)INFINITY);
    check_value(ARRAY_BF16, 0x3FC0, 1.5);
    check_value(ARRAY_BF16, 0xC2F7, -123.5);
    check_value(ARRAY_F32, 0xBE200000, -0.15625);
    check_value(ARRAY_F64, 0x4004000000000000, 2.5);
    check_value(ARRAY_I8, 0xFE, -2);
    check_value(ARRAY_U8, 0xFE, 254);
    check_value(ARRAY_I16, 0xFFFE, -2);
    check_value(ARRAY_I32, 0xFFFFFFFE, -2);
    check_value(ARRAY_I64, (uint64_t)-2, -2);
}

UNIT_TEST(each_row_should_be_divided_by_its_scale)
{
    static const signed char q[] = { 64, -32, 10, 20 };
    static const float scales[] = { 64, 10 };
    real x[4];
    Array a = { .type = ARRAY_I8, .rank = 2, .shape = { 2, 2 }, .values = (const char *)q,
                .divisors = (const char *)scales, .divisor_count = 2 };
    array_reals(&a, x);
    assert_true(x[0] == 1 && x[1] == -0.5F && fabs(x[2] - 1.0) < 1e-7 && fabs(x[3] - 2.0) < 1e-6);
    a.divisor_count = 1;
    array_reals(&a, x);
    assert_true(x[2] == 0.15625F && x[3] == 0.3125F);
}

int main(void) { return run_unit_tests(); }
