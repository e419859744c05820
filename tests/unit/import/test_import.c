/* test_import.c - damaged files of every format: the seeds of tests/fuzz/fuzz_import.c, cut short and changed. */
#include "import/import.h"

#include "../../fuzz/files.h"
#include "base/mem.h"
#include "import/formats.h"
#include "import/zip.h"
#include "scratch.h"
#include "test.h"

#include <dirent.h>
#include <math.h>
#include <zlib.h>

#define SEEDS "tests/fuzz/seeds/import"

/* Imports these bytes; a failure has a message. */
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

/* ---- What single readers refuse ---- */

static void assert_refused(int failed, const Err *e, const char *message)
{
    assert_int_equal(failed, -1);
    assert_string_equal(e->text, message);
}

/* A zip archive of one stored member, "a", and as many entries of its directory. */
static Buf zip_of(const char *bytes, size_t length, uint32_t check, int entries)
{
    const uint32_t size = (uint32_t)length;
    Buf zip = { 0 };
    char local[31] = "PK\3\4", entry[47] = "PK\1\2", end[22] = "PK\5\6";
    memcpy(local + 14, &check, 4);
    memcpy(local + 18, &size, 4);
    memcpy(local + 22, &size, 4);
    local[26] = entry[28] = 1;
    local[30] = entry[46] = 'a';
    memcpy(entry + 16, local + 14, 12);
    buf_add(&zip, local, sizeof local);
    buf_add(&zip, bytes, length);
    const uint32_t start = (uint32_t)zip.length;
    for (int i = 0; i < entries; i++)
        buf_add(&zip, entry, sizeof entry);
    end[10] = (char)entries;
    memcpy(end + 16, &start, 4);
    buf_add(&zip, end, sizeof end);
    return zip;
}

UNIT_TEST(a_member_of_a_zip_archive_should_have_its_check_and_bytes_of_its_own)
{
    enum { CHECK = 0xCBF43926 };        /* the CRC-32 of "123456789", as every description has it */
    Err e = { "" };
    Zip zip;
    Slice content;
    Region memory = { 0 };
    Buf file = zip_of("123456789", 9, CHECK, 1);
    assert_int_equal(zip_open(&zip, buf_slice(&file), &e), 0);
    assert_int_equal(zip_read(&zip.member[0], &content, &memory, &e), 0);
    assert_true(slices_equal(content, slice_of("123456789")) && !memory.slab);
    file.text[31] = '2';
    assert_refused(zip_read(&zip.member[0], &content, &memory, &e), &e, "member \"a\" is damaged");
    zip_close(&zip);
    buf_free(&file);
    file = zip_of("123456789123456789123456789123456789", 36, 0, 20);
    assert_refused(zip_open(&zip, buf_slice(&file), &e), &e,
                   "is a damaged zip archive: its members overlap");
    zip_close(&zip);
    buf_free(&file);
}

/* Its directory says that the member is deflated, and has so many bytes. */
UNIT_TEST(a_member_should_have_no_more_bytes_than_deflate_can_give)
{
    Err e = { "" };
    Zip zip;
    Buf file = zip_of("123456789", 9, 0, 1);
    char *entry = file.text + 31 + 9;
    const uint32_t size = 1 << 30;
    entry[10] = 8;
    memcpy(entry + 24, &size, 4);
    assert_refused(zip_open(&zip, buf_slice(&file), &e), &e,
                   "member \"a\" cannot have 1073741824 bytes: damaged?");
    zip_close(&zip);
    buf_free(&file);
}

/* An archive with an array of one float, 1. */
static int read_npy(const char *header, Err *e)
{
    const uint16_t length = (uint16_t)strlen(header);
    Buf npy = { 0 };
    Arrays all = { 0 };
    buf_add(&npy, "\x93NUMPY\1\0", 8);
    buf_add(&npy, (const char *)&length, 2);
    buf_puts(&npy, header);
    buf_add(&npy, "\0\0\x80\x3F", 4);
    const uint32_t check = (uint32_t)crc32(0, (const unsigned char *)npy.text, (unsigned)npy.length);
    Buf file = zip_of(npy.text, npy.length, check, 1);
    const int failed = npz_read(&all, buf_slice(&file), e);
    real x = 0;
    if (!failed) array_reals(arrays_find(&all, "a"), 0, &x);
    assert_true(failed || x == 1);
    arrays_free(&all);
    buf_free(&file);
    buf_free(&npy);
    return failed;
}

UNIT_TEST(an_array_of_numpy_should_be_stored_by_rows_in_a_known_type)
{
    Err e = { "" };
    assert_int_equal(read_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", &e), 0);
    assert_int_equal(read_npy("{'shape': (1, 1), 'fortran_order': False, 'descr': '<f4'}", &e), 0);
    assert_refused(read_npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", &e), &e,
                   "array \"a\": it is stored by columns; save it with numpy.ascontiguousarray");
    assert_refused(read_npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", &e), &e,
                   "array \"a\": its type '>f4' is none that is read");
    assert_refused(read_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", &e), &e,
                   "array \"a\": its shape is none that is read");
    assert_refused(read_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", &e), &e,
                   "array \"a\": its shape takes 8 bytes, of which 4 are there: truncated?");
    assert_refused(read_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999), }", &e), &e,
                   "array \"a\": its shape is too large for any memory");
}

/* CTranslate2's version 2: a matrix "a" of (2, 2) bytes, and floats "a_scale" (count). */
static Buf ctranslate2_of(const float *scales, int count)
{
    static const char start[] = "\2\0\0\0\1\0\0\0\0\0\0\2\0\0\0"
                                "\2\0a\0\2\2\0\0\0\2\0\0\0\1\4\0\0\0\1\2\3\4"
                                "\10\0a_scale\0\1";
    const uint32_t number = (uint32_t)count;
    Buf file = { 0 };
    buf_add(&file, start, sizeof start - 1);
    buf_add(&file, (const char *)&number, 4);
    buf_putc(&file, 4);
    buf_add(&file, (const char *)&number, 4);
    buf_add(&file, (const char *)scales, (size_t)count * sizeof *scales);
    return file;
}

static int read_ctranslate2(const float *scales, int count, real x[4], Err *e)
{
    SCOPED(buf_free) Buf file = ctranslate2_of(scales, count);
    Arrays all = { 0 };
    const int failed = ctranslate2_read(&all, buf_slice(&file), e);
    if (!failed) array_reals(&all.array[0], 0, x);
    if (!failed) assert_int_equal(all.count, 1);
    arrays_free(&all);
    return failed;
}

UNIT_TEST(scales_should_fit_their_matrix)
{
    static const float scales[] = { 2, 4, 8 }, zero[] = { 2, 0 };
    real x[4];
    Err e = { "" };
    assert_int_equal(read_ctranslate2(scales, 2, x, &e), 0);
    assert_true(x[0] == 0.5F && x[1] == 1 && x[2] == 0.75F && x[3] == 1);
    assert_int_equal(read_ctranslate2(scales, 1, x, &e), 0);
    assert_true(x[3] == 2);
    assert_refused(read_ctranslate2(scales, 3, x, &e), &e,
                   "array \"a_scale\" does not fit its matrix");
    assert_refused(read_ctranslate2(zero, 2, x, &e), &e,
                   "array \"a_scale\" has a scale that is no positive number");
}

UNIT_TEST(an_array_of_ctranslate2_should_have_the_bytes_of_its_shape)
{
    enum { COUNT = 29 };                /* the byte that says how many values "a" has */
    static const float scales[] = { 2, 4 };
    SCOPED(buf_free) Buf file = ctranslate2_of(scales, 2);
    SCOPED(arrays_free) Arrays all = { 0 };
    Err e = { "" };
    file.text[COUNT]++;
    assert_refused(ctranslate2_read(&all, buf_slice(&file), &e), &e,
                   "array \"a\": its shape and its bytes contradict each other");
}

/* The names of the source's and the target's file of two. */
static void check_sides(const char *one, const char *other, const char *source, const char *target)
{
    static const char spm[] = "\x0A\x03\x0A\x01" "a";
    Err e = { "" };
    Package package = { 0 };
    const Slice bytes = { spm, sizeof spm - 1 };
    assert_int_equal(package_add(&package, one, bytes, 0, &e), 0);
    assert_int_equal(package_add(&package, other, bytes, 0, &e), 0);
    assert_string_equal(package_side(&package, FILE_SENTENCEPIECE, 0)->name, source);
    assert_string_equal(package_side(&package, FILE_SENTENCEPIECE, 1)->name, target);
    package_free(&package);
}

UNIT_TEST(the_target_should_be_what_says_so_or_comes_last)
{
    check_sides("m/a.spm", "m/b.spm", "a.spm", "b.spm");
    check_sides("source.spm", "target.spm", "source.spm", "target.spm");
    check_sides("a.trg.spm", "b.src.spm", "b.src.spm", "a.trg.spm");
    check_sides("tgtvocab.spm", "z.spm", "z.spm", "tgtvocab.spm");
}

/* What a file of these bytes is, which end where their block does. */
static void check_kind(const char *bytes, size_t length, FileKind kind)
{
    Err e = { "" };
    Package package = { 0 };
    char *copy = xmalloc(length, 1);
    memcpy(copy, bytes, length);
    assert_int_equal(package_add(&package, "file", (Slice){ copy, length }, 0, &e), 0);
    assert_int_equal(package.file[0].kind, kind);
    package_free(&package);
    xfree(copy);
}

UNIT_TEST(a_file_should_be_known_by_its_first_bytes)
{
    static const char pickle[] = "PK\3\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\21\0\0\0archive1/data.pkl";
    static const char marian[] = "\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", ctranslate2[] = "\6\0\0\0\20\0TransformerSpec";
    check_kind(pickle, sizeof pickle - 1, FILE_PICKLE);
    check_kind(marian, sizeof marian - 1, FILE_MARIAN_BIN);
    check_kind(ctranslate2, sizeof ctranslate2, FILE_CTRANSLATE2);
    check_kind("x", 1, FILE_VOCABULARY);
    check_kind("\n", 1, FILE_VOCABULARY);
    check_kind("#", 1, FILE_YAML);
    check_kind("beam-size: 4\n", 13, FILE_YAML);
    check_kind("</s>: 0\n", 8, FILE_VOCABULARY);
    check_kind("{\"</s>\" : 0}", 12, FILE_VOCABULARY);
    check_kind("{\"eos_token\": \"</s>\"}", 21, FILE_JSON);
    check_kind("[\"a\"]", 5, FILE_VOCABULARY);
    check_kind("\x1F\x8B\x08\0", 4, FILE_PACKED);
    check_kind("\x80\2}", 3, FILE_PICKLE);
    check_kind("\0\0\0\0", 4, FILE_OTHER);
    check_kind("", 0, FILE_OTHER);
}

/* ---- Tables of positions ---- */

/* How Vaswani et al. (2017), Marian, Hugging Face's MarianMT and OpenNMT-tf place words. */
static float sinusoid(int kind, int t, int k, int width)
{
    const int half = width / 2;
    switch (kind) {
    case POSITIONS_SINUSOIDAL:
        return (float)(k % 2 ? cos(t / pow(10000, (k - 1.0) / width)) : sin(t / pow(10000, (double)k / width)));
    case POSITIONS_HUGGING_FACE:
        return (float)(k < half ? sin(t / pow(10000, 2.0 * k / width)) : cos(t / pow(10000, 2.0 * (k - half) / width)));
    default:
        t += kind == POSITIONS_CTRANSLATE2;
        return (float)(k < half ? sin(t * exp(-log(10000) * k / (half - 1)))
                                : cos(t * exp(-log(10000) * (k - half) / (half - 1))));
    }
}

static void check_positions(const Array *table, int width, int kind, int learned)
{
    NetworkOptions o = { .embedding = width };
    read_positions(table, &o);
    assert_int_equal(o.positions, kind);
    assert_int_equal(o.attention_positions, learned);
}

UNIT_TEST(a_table_of_sinusoids_should_be_told_by_its_values)
{
    static const int kinds[] = { POSITIONS_SINUSOIDAL, POSITIONS_MARIAN, POSITIONS_HUGGING_FACE, POSITIONS_CTRANSLATE2 };
    enum { WIDTH = 8, ROWS = 100 };
    float x[ROWS * WIDTH];
    Array table = { .type = ARRAY_F32, .rank = 3, .shape = { 1, ROWS, WIDTH }, .values = (const char *)x };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (int j = 0; j < ROWS * WIDTH; j++)
            x[j] = sinusoid(kinds[i], j / WIDTH, j % WIDTH, WIDTH);
        check_positions(&table, WIDTH, kinds[i], 0);
        x[3 * WIDTH + 2] += 0.001F;
        check_positions(&table, WIDTH, POSITIONS_LEARNED, ROWS);
        check_positions(&table, WIDTH + 2, POSITIONS_LEARNED, ROWS);
    }
}

/* ---- Types of values ---- */

static void check_value(ArrayType type, uint64_t bits, double wanted)
{
    real x;
    const Array a = { .type = type, .values = (const char *)&bits };
    array_reals(&a, 0, &x);
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
    array_reals(&a, 0, x);
    assert_true(x[0] == 1 && x[1] == -0.5F && fabs(x[2] - 1.0) < 1e-7 && fabs(x[3] - 2.0) < 1e-6);
    a.divisor_count = 1;
    array_reals(&a, 0, x);
    assert_true(x[2] == 0.15625F && x[3] == 0.3125F);
}

static void check_order(int is_transposed, int transposed, const char *wanted)
{
    static const signed char values[] = { 1, 2, 3, 4, 5, 6 };
    const Array a = { .type = ARRAY_I8, .rank = 2, .shape = { 2, 3 }, .values = (const char *)values,
                      .is_transposed = is_transposed };
    SCOPED(buf_free) Buf found = { 0 };
    real x[6];
    array_reals(&a, transposed, x);
    for (int i = 0; i < 6; i++)
        buf_printf(&found, "%g", (double)x[i]);
    assert_string_equal(found.text, wanted);
}

UNIT_TEST(values_should_come_in_the_order_that_is_asked_for)
{
    check_order(0, 0, "123456");
    check_order(0, 1, "142536");
    check_order(1, 0, "135246");
    check_order(1, 1, "123456");
}

int main(void) { return run_unit_tests(); }
