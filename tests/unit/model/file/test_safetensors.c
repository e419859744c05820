/* test_safetensors.c - the format to the byte, and the files that must be refused. */
#include "model/file/safetensors.h"

#include "base/buf.h"
#include "base/files/files.h"
#include "base/mem.h"
#include "read_table.h"
#include "scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

static const char *path_of(void **state)
{
    return scratch_path(*state, "file.safetensors");
}

/* ---- Files by hand ---- */

static void write_bytes(void **state, const char *bytes, size_t size)
{
    scratch_write(*state, "file.safetensors", bytes, size);
}

/* The header (length bytes) with its length before it, then `data` zero bytes. */
static void write_file(void **state, const char *header, uint64_t length, size_t data)
{
    Buf file = { 0 };
    buf_add(&file, (const char *)&length, sizeof length);
    buf_add(&file, header, length);
    while (data--)
        buf_putc(&file, '\0');
    write_bytes(state, file.text, file.length);
    buf_free(&file);
}

static Safetensors *opened(const char *path)
{
    Err e = { "" };
    Safetensors *file = safetensors_open(path, &e);
    if (!file) fail_msg("%s", e.text);
    return file;
}

/* The file is refused with "PATH: message". */
static void assert_refused(void **state, const char *message)
{
    const char *path = path_of(state);
    Err e = { "" };
    Safetensors *file = safetensors_open(path, &e);
    safetensors_close(file);
    assert_null(file);
    assert_memory_equal(e.text, path, strlen(path));
    assert_string_equal(e.text + strlen(path), message);
}

/* ---- Tensors in memory ---- */

#define VECTOR(n) .rank = 1, .shape = { n }
#define MATRIX(m, n) .rank = 2, .shape = { m, n }

static cJSON *some_metadata(void)
{
    cJSON *metadata = cJSON_CreateObject();
    cJSON_AddStringToObject(metadata, "k", "v");
    return metadata;
}

static void write_tensors(const char *path, const Tensor *tensors, size_t count)
{
    Err e = { "" };
    cJSON *metadata = some_metadata();
    int rc = safetensors_write(path, tensors, count, metadata, &e);
    cJSON_Delete(metadata);
    if (rc) fail_msg("%s", e.text);
}

static const Tensor *found(const Safetensors *file, Tensor wanted)
{
    Err e = { "" };
    const Tensor *t = safetensors_find(file, &wanted, &e);
    if (!t) fail_msg("%s", e.text);
    return t;
}

static void read_values(const Safetensors *file, Tensor wanted, Dtype dtype, void *out)
{
    Err e = { "" };
    if (safetensors_read(file, found(file, wanted), dtype, out, &e)) fail_msg("%s", e.text);
}

static void write_small_file(const char *path)
{
    const real values[6] = { 1, 2, 3, 4, 5, 6 };
    const Tensor tensors[] = { { .name = "a", .dtype = DTYPE_F32, MATRIX(2, 3), .data = values },
                               { .name = "b", .dtype = DTYPE_F32, VECTOR(2), .data = values } };
    write_tensors(path, tensors, 2);
}

/* ---- Writing ---- */

static void a_written_file_should_be_the_format_to_the_byte(void **state)
{
    static const char header[] =
        "{\"__metadata__\":{\"k\":\"v\"},\"b\":{\"dtype\":\"F32\",\"shape\":[2,1],"
        "\"data_offsets\":[0,8]},\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[8,12]}}";
    static const unsigned char data[] = { 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f };
    const real b[] = { 1, -2 }, a[] = { 0.5 };
    const Tensor tensors[] = { { .name = "b", .dtype = DTYPE_F32, MATRIX(2, 1), .data = b },
                               { .name = "a", .dtype = DTYPE_F32, .data = a } };
    Err e;
    Content m;
    write_tensors(path_of(state), tensors, 2);
    assert_int_equal(content_read(&m, path_of(state), &e), 0);
    const size_t start = 192;                                       /* the next multiple of 64 */
    assert_int_equal(m.size, start + sizeof data);
    const unsigned char length[8] = { start - 8 };
    assert_memory_equal(m.data, length, 8);
    assert_memory_equal(m.data + 8, header, strlen(header));
    assert_true(strlen(header) > 120 && strlen(header) < start - 8);
    for (size_t i = 8 + strlen(header); i < start; i++)
        assert_int_equal(m.data[i], ' ');
    assert_memory_equal(m.data + start, data, sizeof data);
    content_free(&m);
}

static void what_was_written_should_be_read_back(void **state)
{
    static const char text[] = "{\"caf\u00e9\": \"\\\\ \n\"}";
    const real values[] = { 1, 2, 3, 4, 5, 6 };
    const Tensor tensors[] = {
        { .name = "a", .dtype = DTYPE_F32, MATRIX(2, 3), .data = values },
        { .name = "none", .dtype = DTYPE_F32, MATRIX(0, 3), .data = values },
        { .name = "scalar", .dtype = DTYPE_F32, .rank = 0, .data = values + 1 },
    };
    Err e;
    real out[6] = { 0 };
    cJSON *metadata = some_metadata();
    cJSON_AddStringToObject(metadata, "json", text);
    assert_int_equal(safetensors_write(path_of(state), tensors, 3, metadata, &e), 0);
    cJSON_Delete(metadata);

    Safetensors *file = opened(path_of(state));
    assert_int_equal(safetensors_count(file), 3);
    assert_string_equal(safetensors_metadata(file, "k"), "v");
    assert_string_equal(safetensors_metadata(file, "json"), text);
    assert_null(safetensors_metadata(file, "K"));
    read_values(file, (Tensor){ .name = "a", MATRIX(2, 3) }, DTYPE_F32, out);
    assert_memory_equal(out, values, sizeof values);
    read_values(file, (Tensor){ .name = "scalar" }, DTYPE_F32, out);
    assert_true(out[0] == 2);
    assert_int_equal(tensor_count(found(file, (Tensor){ .name = "none", MATRIX(0, 3) })), 0);
    safetensors_close(file);
}

static void integers_should_stay_what_they_are(void **state)
{
    const int8_t values[5] = { -128, -1, 0, 1, 127 };
    const Tensor t = { .name = "x", .dtype = DTYPE_I8, VECTOR(5), .data = values };
    int8_t out[5];
    real others[5];
    Err e = { "" };
    write_tensors(path_of(state), &t, 1);
    Safetensors *file = opened(path_of(state));
    read_values(file, t, DTYPE_I8, out);
    assert_memory_equal(out, values, sizeof values);
    assert_int_equal(safetensors_read(file, found(file, t), DTYPE_F32, others, &e), -1);
    assert_string_equal(e.text, "tensor \"x\" has the type I8, not F32");
    safetensors_close(file);
}

/* By whoever copies another file over it. */
static void a_file_that_is_cut_short_while_it_is_read_should_be_an_error(void **state)
{
    enum { COUNT = 10007 };
    static real values[COUNT], out[COUNT];
    Err e = { "" };
    const Tensor t[] = { { .name = "a", .dtype = DTYPE_F32, VECTOR(COUNT), .data = values },
                         { .name = "b", .dtype = DTYPE_F32, VECTOR(COUNT), .data = values } };
    write_tensors(path_of(state), t, 2);
    Safetensors *file = opened(path_of(state));
    assert_int_equal(truncate(path_of(state), COUNT * 6), 0);
    read_values(file, t[0], DTYPE_F32, out);
    assert_int_equal(safetensors_read(file, found(file, t[1]), DTYPE_F32, out, &e), -1);
    assert_string_equal(e.text, "was cut short while it was read; try again when nobody writes it");
    safetensors_close(file);
}

static void a_write_that_fails_should_be_one_message_and_keep_the_old_file(void **state)
{
    static const real values[5000];
    const Tensor t = { .name = "x", .dtype = DTYPE_F32, VECTOR(5000), .data = values };
    const char *path = path_of(state);
    Err e = { "" };
    struct rlimit all;
    cJSON *metadata = some_metadata();
    write_small_file(path);

    signal(SIGXFSZ, SIG_IGN);                               /* as on a full disk: write() fails */
    getrlimit(RLIMIT_FSIZE, &all);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 4096, all.rlim_max });
    int rc = safetensors_write(path, &t, 1, metadata, &e);
    setrlimit(RLIMIT_FSIZE, &all);

    assert_int_equal(rc, -1);
    assert_memory_equal(e.text, path, strlen(path));
    assert_string_equal(e.text + strlen(path), ": writing failed: File too large");
    assert_int_equal(safetensors_write("/nowhere/at/all", &t, 1, metadata, &e), -1);
    assert_string_equal(e.text, "/nowhere/at/all: cannot be written: No such file or directory");
    Safetensors *old = opened(path);
    assert_int_equal(safetensors_count(old), 2);
    assert_int_equal(scratch_files(*state), 1);
    safetensors_close(old);
    cJSON_Delete(metadata);
}

static void a_header_too_long_to_be_read_back_should_not_be_written(void **state)
{
    const size_t most = 100000000;
    char *text = xmalloc(most + 1, 1);
    memset(text, 'x', most);
    text[most] = '\0';
    cJSON *metadata = cJSON_CreateObject();
    cJSON_AddItemToObject(metadata, "long", cJSON_CreateStringReference(text));
    Err e = { "" };
    write_small_file(path_of(state));
    assert_int_equal(safetensors_write(path_of(state), NULL, 0, metadata, &e), -1);
    assert_non_null(strstr(e.text, ": names and metadata of 1000000"));
    Safetensors *old = opened(path_of(state));
    assert_int_equal(safetensors_count(old), 2);
    safetensors_close(old);
    assert_int_equal(scratch_files(*state), 1);
    cJSON_Delete(metadata);
    free(text);
}

/* ---- Reading ---- */

static void a_header_in_another_order_and_style_should_be_accepted(void **state)
{
    static const char header[] =
        "{ \"late\": {\"data_offsets\": [4, 12], \"shape\": [2], \"dtype\": \"F32\"},\n"
        "  \"empty\": {\"dtype\": \"F32\", \"shape\": [7, 0], \"data_offsets\": [4, 4]},\n"
        "  \"early\": {\"dtype\": \"F32\", \"shape\": [1, 1], \"data_offsets\": [0, 4]} }  ";
    write_file(state, header, strlen(header), 12);
    Safetensors *file = opened(path_of(state));
    const Tensor *early = found(file, (Tensor){ .name = "early", MATRIX(1, 1) });
    const Tensor *late = found(file, (Tensor){ .name = "late", VECTOR(2) });
    assert_int_equal(safetensors_count(file), 3);
    assert_int_equal(late->at - early->at, 4);
    assert_null(safetensors_metadata(file, "format"));
    safetensors_close(file);
}

static void a_tensor_of_another_name_or_shape_should_not_be_found(void **state)
{
    static const struct { Tensor wanted; const char *message; } rows[] = {
        { { .name = "c", MATRIX(2, 3) }, "tensor \"c\" of shape [2, 3] is missing" },
        { { .name = "a", MATRIX(3, 2) }, "tensor \"a\" has the shape [2, 3], not [3, 2]" },
        { { .name = "a", VECTOR(2) },    "tensor \"a\" has the shape [2, 3], not [2]" },
        { { .name = "b", MATRIX(2, 3) }, "tensor \"b\" has the shape [2], not [2, 3]" },
        { { .name = "b" },               "tensor \"b\" has the shape [2], not []" },
    };
    write_small_file(path_of(state));
    Safetensors *file = opened(path_of(state));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Err e = { "" };
        assert_null(safetensors_find(file, &rows[i].wanted, &e));
        assert_string_equal(e.text, rows[i].message);
    }
    safetensors_close(file);
}

static void what_is_no_such_file_should_be_refused(void **state)
{
    Err e = { "" };
    assert_null(safetensors_open("/nowhere", &e));
    assert_string_equal(e.text, "/nowhere: cannot be opened: No such file or directory");
    assert_null(safetensors_open("/tmp", &e));
    assert_string_equal(e.text, "/tmp: is a directory, not a file");
    write_bytes(state, "", 0);
    assert_refused(state, ": is not a safetensors file: it has only 0 bytes");
    write_bytes(state, "\2\0\0\0\0\0\0", 7);
    assert_refused(state, ": is not a safetensors file: it has only 7 bytes");
    write_bytes(state, "Go.\tVa !\nHi.\tSalut !\n", 21);
    assert_refused(state,
                   ": is not a safetensors file: it doesn't begin with the length of a header");
    write_bytes(state, "\1\xe1\xf5\5\0\0\0\0{}", 10);                /* 100,000,001 */
    assert_refused(state,
                   ": is not a safetensors file: it doesn't begin with the length of a header");
    write_bytes(state, "\3\0\0\0\0\0\0\0{}", 10);
    assert_refused(state, ": is truncated: its header has 3 bytes, of which 2 are there");
}

static void a_header_with_bytes_that_are_no_text_should_be_refused(void **state)
{
    write_file(state, "{\"a\xff\": 1}", 9, 0);
    assert_refused(state, ": the header is not valid UTF-8");
    write_file(state, "{}\0", 3, 0);
    assert_refused(state, ": the header is not valid UTF-8");
}

static void nesting_without_end_should_be_refused(void **state)
{
    Buf header = { 0 };
    for (int i = 0; i < 100000; i++)
        buf_puts(&header, "{\"a\":");
    write_file(state, header.text, header.length, 0);
    assert_refused(state, ": the header: line 1: not valid JSON");
    buf_free(&header);
}

static void **table_state;

static void check_header(char *const cell[CELLS_MOST], int cells)
{
    Buf message = { 0 };
    assert_int_equal(cells, 3);
    buf_printf(&message, ": %s", cell[2]);
    write_file(table_state, cell[1], strlen(cell[1]), strtoul(cell[0], NULL, 10));
    assert_refused(table_state, message.text);
    buf_free(&message);
}

/* JSON, keys, each tensor, then gaps, overlaps and trailing bytes. */
static void a_header_that_is_wrong_should_be_refused_with_the_message_of_the_table(void **state)
{
    table_state = state;
    each_case("tests/data/model/refused_headers.tsv", check_header);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_written_file_should_be_the_format_to_the_byte),
        TEST(what_was_written_should_be_read_back),
        TEST(integers_should_stay_what_they_are),
        TEST(a_file_that_is_cut_short_while_it_is_read_should_be_an_error),
        TEST(a_write_that_fails_should_be_one_message_and_keep_the_old_file),
        TEST(a_header_too_long_to_be_read_back_should_not_be_written),
        TEST(a_header_in_another_order_and_style_should_be_accepted),
        TEST(a_tensor_of_another_name_or_shape_should_not_be_found),
        TEST(what_is_no_such_file_should_be_refused),
        TEST(a_header_with_bytes_that_are_no_text_should_be_refused),
        TEST(nesting_without_end_should_be_refused),
        TEST(a_header_that_is_wrong_should_be_refused_with_the_message_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
