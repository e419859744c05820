/* test_refused_model.c - any file that is no sound model gives one message, and takes no memory. */
#include "base/buf.h"
#include "model_case.h"
#include "read_table.h"

#include <fcntl.h>
#include <math.h>
#include <sys/resource.h>

static const ModelCase *table_case;

static void check_edit(char *const cell[CELLS_MOST], int count)
{
    Model m = model_case_kind(cell[0]);
    assert_int_equal(count, 4);
    model_case_save(&m, table_case->path);
    model_free(&m);
    model_case_edit(table_case, cell[1], cell[2]);
    assert_model_refused(table_case->path, cell[3]);
}

static void a_header_that_does_not_fit_should_be_refused_with_the_message_of_the_table(void **state)
{
    table_case = *state;
    each_case("tests/data/model/refused_models.tsv", check_edit);
}

static void weights_that_are_not_finite_should_be_refused(void **state)
{
    static const float bad[] = { NAN, INFINITY, -INFINITY };
    static const char *const names[] = { "nan", "inf", "-inf" };
    const ModelCase *saved = *state;
    for (int i = 0; i < 3; i++) {
        Buf bytes = model_case_bytes(saved->path), message = { 0 };
        memcpy(bytes.text + model_case_header_end(&bytes), &bad[i], sizeof bad[i]);
        scratch_write(saved->scratch, "model.safetensors", bytes.text, bytes.length);
        buf_printf(&message, "tensor \"encoder.embedding.weight\" holds a value that is not "
                             "finite (%s, number 0)", names[i]);
        assert_model_refused(saved->path, message.text);
        buf_free(&bytes);
        buf_free(&message);
    }
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* At a width of 4096 the network would take half a gigabyte, all of it cleared before it is
 * read. */
static void options_that_ask_for_more_than_the_file_holds_should_take_no_memory(void **state)
{
    const ModelCase *saved = *state;
    long before = peak_kilobytes();
    model_case_edit(saved, "\\\"hidden\\\":2", "\\\"hidden\\\":4096");
    assert_model_refused(saved->path,
                         "tensor \"encoder.rnn.weight_ih_l0\" has the shape [6, 3], not [12288, 3]");
    assert_true(peak_kilobytes() - before < 50000);
}

static void a_model_cut_at_any_byte_should_be_refused(void **state)
{
    const char *path = ((ModelCase *)*state)->path;
    Buf whole = model_case_bytes(path);
    for (size_t size = whole.length; size--;) {
        Model m;
        Err e = { "" };
        assert_int_equal(truncate(path, (off_t)size), 0);
        assert_int_equal(model_load(&m, path, &e), -1);
    }
    buf_free(&whole);
}

/* Translates a line to ids and back, and reads all weights: for the sanitizers. */
static void use(const Model *m)
{
    Ids ids = { 0 };
    Buf text = { 0 };
    double sum = 0;
    tokenizer_encode(m->source, "I am.", 5, &ids, NULL);
    tokenizer_decode(m->source, ids.id, ids.count, NULL, NULL, &text);
    for (size_t i = 0; i < m->table->size; i++)
        sum += m->weights[i];
    assert_true(isfinite(sum));
    ids_free(&ids);
    buf_free(&text);
}

static void put_byte(int fd, size_t at, char byte)
{
    assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
}

/* Some of these files are models too (another piece, another figure); those must be complete. */
static void a_model_with_any_byte_of_its_header_flipped_should_be_loaded_or_refused(void **state)
{
    static const char masks[] = { 0x01, 0x02, 0x10, 0x20, (char)0x80, (char)0xff };
    const char *path = ((ModelCase *)*state)->path;
    Buf bytes = model_case_bytes(path);
    size_t end = model_case_header_end(&bytes);
    int refused = 0, fd = open(path, O_RDWR);
    for (size_t i = 0; i < end * sizeof masks; i++) {
        Model m;
        Err e = { "" };
        char byte = bytes.text[i / sizeof masks];
        long before = peak_kilobytes();
        put_byte(fd, i / sizeof masks, byte ^ masks[i % sizeof masks]);
        int failed = model_load(&m, path, &e);
        if (!failed) use(&m);
        model_free(&m);
        put_byte(fd, i / sizeof masks, byte);
        refused += failed != 0;
        assert_true(peak_kilobytes() - before < 50000);
    }
    close(fd);
    buf_free(&bytes);
    assert_true(refused > 1000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, model_case_setup, model_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_header_that_does_not_fit_should_be_refused_with_the_message_of_the_table),
        TEST(weights_that_are_not_finite_should_be_refused),
        TEST(options_that_ask_for_more_than_the_file_holds_should_take_no_memory),
        TEST(a_model_cut_at_any_byte_should_be_refused),
        TEST(a_model_with_any_byte_of_its_header_flipped_should_be_loaded_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
