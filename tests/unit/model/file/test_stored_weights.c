/* test_stored_weights.c - the weights in a model file: integers, and those of several networks. */
#include "base/files/files.h"
#include "base/mem.h"
#include "base/random/rng.h"
#include "linalg/linear.h"
#include "model_case.h"
#include "toy.h"

#include <math.h>
#include <stdlib.h>

/* ---- Integers ---- */

/* Matrices become what quantise makes of them, vectors stay. */
static void a_file_of_integers_should_hold_the_rounded_matrices(void **state)
{
    const ModelCase *saved = *state;
    Model m = model_case_of(model_case_tiny(), TOKENS_BPE);
    m.stored = PRECISION_INT8;
    model_case_save(&m, saved->path);
    Model again = model_case_load(saved->path);
    assert_int_equal(again.stored, PRECISION_INT8);
    for (int i = 0; i < m.table->count; i++) {
        const Parameter *p = &m.table->row[i];
        const size_t columns = p->columns ? (size_t)p->columns : 1;
        for (size_t j = 0; j < parameter_count(p); j++) {
            const real *row = m.weights + p->at + j / columns * columns;
            double largest = 0;
            for (size_t k = 0; k < columns; k++) largest = fmax(largest, fabs((double)row[k]));
            const double bound = p->columns ? 0.5001 * largest / 127 : 0;
            assert_true(fabs((double)again.weights[p->at + j] - (float)m.weights[p->at + j])
                        <= bound);
        }
    }
    model_free(&m);
    model_free(&again);
}

static void saving_integers_again_should_give_the_same_bytes(void **state)
{
    const ModelCase *saved = *state;
    Model m = model_case_of(model_case_tiny(), TOKENS_BPE);
    m.stored = PRECISION_INT8;
    model_case_save(&m, saved->path);
    Buf before = model_case_bytes(saved->path);
    Model again = model_case_load(saved->path);
    model_case_save(&again, saved->path);
    Buf after = model_case_bytes(saved->path);
    assert_int_equal(before.length, after.length);
    assert_memory_equal(before.text, after.text, before.length);
    buf_free(&before);
    buf_free(&after);
    model_free(&m);
    model_free(&again);
}

enum { ROWS = 40, COLUMNS = 37, COUNT = ROWS * COLUMNS };

typedef struct {
    real   x[COUNT], again[COUNT], scale[ROWS];
    int8_t q[COUNT], q_again[COUNT];
    float  scales[ROWS], scales_again[ROWS];
} Matrix;

/* Rows of magnitudes from 1e-10 to 1e10. */
static void fill(Matrix *c)
{
    for (int i = 0; i < COUNT; i++)
        c->x[i] = (real)((2 * rng_uniform(7, (uint64_t)i) - 1) * pow(10, i / COLUMNS / 2.0 - 10));
}

static void quantise_twice(Matrix *c)
{
    quantise(c->x, ROWS, COLUMNS, c->q, c->scales);
    for (int i = 0; i < ROWS; i++)
        c->scale[i] = c->scales[i];
    dequantise(c->q, c->scale, ROWS, COLUMNS, c->again);
    quantise(c->again, ROWS, COLUMNS, c->q_again, c->scales_again);
}

static void quantising_again_should_give_the_same(void **state)
{
    static Matrix c;
    fill(&c);
    quantise_twice(&c);
    assert_memory_equal(c.q, c.q_again, sizeof c.q);
    assert_memory_equal(c.scales, c.scales_again, sizeof c.scales);
}

/* A double holds the product of two floats. */
static void weights_should_be_exact_in_32_bits(void **state)
{
    static Matrix c;
    fill(&c);
    quantise_twice(&c);
    for (int i = 0; i < COUNT; i++) {
        const double exact = (double)c.scales[i / COLUMNS] * c.q[i];
        assert_true((float)exact == exact);
    }
}

static void zeros_and_tiny_numbers_should_be_possible(void **state)
{
    static Matrix c;
    memset(&c, 0, sizeof c);
    c.x[COLUMNS] = (real)1e-44;
    quantise_twice(&c);
    for (int i = 0; i < COUNT; i++)
        assert_true(isfinite(c.again[i]) && (c.again[i] == 0) == (c.q[i] == 0));
    assert_true(c.scales[0] == 0);
    assert_int_equal(c.q[0], 0);
}

/* The product of whole rows in 8 bits finds the integers that the file holds: with a vector of one
 * 1, which is exact, each result is a weight, but for the roundings of the result. */
static void products_of_8_bits_should_read_the_same_integers(void **state)
{
    static Matrix c;
    if (!precision_works(PRECISION_INT8)) skip();
    fill(&c);
    quantise_twice(&c);
    for (int j = 0; j < COLUMNS; j++) {
        real unit[COLUMNS] = { 0 }, y[ROWS];
        unit[j] = 1;
        const Linear w = linear_of(c.again, COLUMNS, ROWS, COLUMNS, PRECISION_INT8);
        linear_forward(OVERWRITE, y, ROWS, unit, COLUMNS, &w, NULL, 1);
        for (int i = 0; i < ROWS; i++)
            assert_true(fabs((double)y[i] - (double)c.again[i * COLUMNS + j])
                        <= 0x1p-21 * 127 * c.scales[i]);
    }
}

/* ---- Ensembles: a file holds the weights of each of its networks ---- */

enum { NETWORKS = 3 };

/* A toy whose model has three networks, each with other weights. */
static Toy *ensemble_toy(Scratch *scratch)
{
    Toy *toy = toy_new(scratch, TOKENS_CHAR, 1);
    Model *m = &toy->model;
    for (int k = 1; k < NETWORKS; k++) {
        m->further[k - 1] = xaligned(m->table->size, sizeof(real));
        parameters_init(m->table, m->further[k - 1], (uint64_t)(100 + k));
    }
    return toy;
}

static const char *saved_toy(Toy *toy, Scratch *scratch)
{
    const char *path = scratch_path(scratch, "ensemble.safetensors");
    model_case_save(&toy->model, path);
    return path;
}

static void assert_same_networks(const Model *one, const Model *other)
{
    assert_int_equal(model_networks(one), model_networks(other));
    for (int k = 0; k < model_networks(one); k++)
        assert_memory_equal(model_weights(one, k), model_weights(other, k),
                            one->table->size * sizeof(real));
}

static void every_network_should_be_saved_and_loaded(void **state)
{
    Toy *toy = ensemble_toy(*state);
    toy->model.right_left = 2;
    const char *path = saved_toy(toy, *state);
    Model first = model_case_load(path), again;
    assert_int_equal(model_networks(&first), NETWORKS);
    assert_int_equal(first.right_left, 2);
    for (int k = 0; k < NETWORKS; k++)
        for (size_t i = 0; i < first.table->size; i++)
            assert_true((float)model_weights(&first, k)[i]
                        == (float)model_weights(&toy->model, k)[i]);
    Err e;
    assert_int_equal(model_save(&first, path, &e), 0);
    again = model_case_load(path);
    assert_same_networks(&first, &again);
    model_free(&first);
    model_free(&again);
    toy_free(toy);
}

static void every_network_should_have_integers_of_its_own(void **state)
{
    Toy *toy = ensemble_toy(*state);
    toy->model.stored = PRECISION_INT8;
    Model all = model_case_load(saved_toy(toy, *state));
    assert_int_equal(all.stored, PRECISION_INT8);
    for (int k = 0; k < NETWORKS; k++) {
        Model alone = toy->model, expected;
        Err e;
        alone.weights = model_weights(&toy->model, k);
        memset(alone.further, 0, sizeof alone.further);
        const char *path = scratch_path(*state, "alone.safetensors");
        assert_int_equal(model_save(&alone, path, &e), 0);
        expected = model_case_load(path);
        assert_memory_equal(model_weights(&all, k), expected.weights,
                            all.table->size * sizeof(real));
        model_free(&expected);
    }
    model_free(&all);
    toy_free(toy);
}

/* Replaces text in the file by text of the same length, and returns the message of loading it. */
static void refused(Scratch *scratch, const char *path, const char *old, const char *new, Err *e)
{
    Content file;
    Model m;
    assert_int_equal(strlen(old), strlen(new));
    assert_int_equal(content_read(&file, path, e), 0);
    char *bytes = xcalloc(file.size + 1, 1);
    memcpy(bytes, file.data, file.size);
    char *at = strstr(bytes + sizeof(uint64_t), old);       /* behind the length of the header */
    assert_non_null(at);
    memcpy(at, new, strlen(new));
    const char *changed = scratch_write(scratch, "changed.safetensors", bytes, file.size);
    assert_int_equal(model_load(&m, changed, e), -1);
    assert_null(m.further[0]);
    content_free(&file);
    free(bytes);
}

static void a_file_with_other_networks_than_it_says_should_be_refused(void **state)
{
    static const char no_number[] = "metadata \"networks\": is no whole number from 2 to 8";
    static const char no_right_left[] = "metadata \"right_left\": is no whole number from 0 to 2";
    const struct { const char *old, *new, *message; } rows[] = {
        { "\"networks\":\"3\"", "\"networks\":\"2\"", "tensors that are no part of the network: " },
        { "\"networks\":\"3\"", "\"networks\":\"4\"", "tensor \"4.encoder.embedding.weight\" of " },
        { "\"networks\":\"3\"", "\"networks\":\"1\"", no_number },
        { "\"networks\":\"3\"", "\"networks\":\"9\"", no_number },
        { "\"networks\":\"3\"", "\"networks\":\"{\"", no_number },
        { "\"networks\":\"3\"", "\"netwerks\":\"3\"", "metadata \"right_left\": is no whole number from 0 to 0" },
        { "\"format_version\":\"3\"", "\"format_version\":\"4\"", "is a model of format 4" },
        { "\"right_left\":\"1\"", "\"right_left\":\"3\"", no_right_left },
        { "\"right_left\":\"1\"", "\"right_left\":\"{\"", no_right_left },
        { "\"2.bridge.bias\":", "\"2.bridge.byas\":", "tensor \"2.bridge.bias\" of " },
    };
    Toy *toy = ensemble_toy(*state);
    toy->model.right_left = 1;
    char *path = xstrdup(saved_toy(toy, *state));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Err e;
        refused(*state, path, rows[i].old, rows[i].new, &e);
        if (!strstr(e.text, rows[i].message)) fail_msg("%s: %s", rows[i].new, e.text);
    }
    free(path);
    toy_free(toy);
}

static void a_network_whose_weights_are_not_finite_should_not_be_saved(void **state)
{
    Toy *toy = ensemble_toy(*state);
    const char *path = scratch_path(*state, "ensemble.safetensors");
    Err e;
    model_weights(&toy->model, 2)[0] = (real)NAN;
    assert_int_equal(model_save(&toy->model, path, &e), -1);
    assert_non_null(strstr(e.text, "not written: tensor \""));
    assert_false(exists(path));
    toy_free(toy);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, model_case_setup, model_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_of_integers_should_hold_the_rounded_matrices),
        TEST(saving_integers_again_should_give_the_same_bytes),
        cmocka_unit_test(quantising_again_should_give_the_same),
        cmocka_unit_test(weights_should_be_exact_in_32_bits),
        cmocka_unit_test(zeros_and_tiny_numbers_should_be_possible),
        cmocka_unit_test(products_of_8_bits_should_read_the_same_integers),
        in_scratch(every_network_should_be_saved_and_loaded),
        in_scratch(every_network_should_have_integers_of_its_own),
        in_scratch(a_file_with_other_networks_than_it_says_should_be_refused),
        in_scratch(a_network_whose_weights_are_not_finite_should_not_be_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
