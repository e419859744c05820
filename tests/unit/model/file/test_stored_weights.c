/* test_stored_weights.c - matrices in a model file as integers of 8 bits. */
#include "base/random/rng.h"
#include "linalg/linear.h"
#include "model_case.h"

#include <math.h>

/* ---- Integers ---- */

/* Matrices become what quantise makes of them, vectors stay. */
static void a_file_of_integers_should_hold_the_rounded_matrices(void **state)
{
    const ModelCase *saved = *state;
    Model m = model_case_kind("int8");
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

enum { ROWS = 40, COLUMNS = 37, COUNT = ROWS * COLUMNS };

typedef struct {
    real   x[COUNT], again[COUNT], scales[ROWS], scales_again[ROWS];
    int8_t q[COUNT], q_again[COUNT];
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
    dequantise(c->q, c->scales, ROWS, COLUMNS, c->again);
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

/* ---- Only for products ---- */

/* y (2, rows) = x (2, columns) · w' for two rows of numbers. */
static void multiply(real *y, const Linear *w)
{
    enum { WIDEST = 200 };
    real x[2 * WIDEST];
    assert_true(w->columns <= WIDEST);
    for (int i = 0; i < 2 * w->columns; i++)
        x[i] = (real)(2 * rng_uniform(9, (uint64_t)i) - 1);
    linear_forward(OVERWRITE, y, w->rows, x, w->columns, w, NULL, 2);
}

/* Each network's Linears give the same bits, and so does what is no Linear. */
static void assert_same_products(const Model *packed, const Model *m)
{
    for (int k = 0; k < model_networks(m); k++) {
        Weights want = weights_in(m->table, model_weights(m, k), PRECISION_INT8);
        Weights *w = packed->packed[k].w;
        for (int i = 0; i < m->table->blocks; i++) {
            const size_t field = m->table->block[i].field;
            const Linear *one = (Linear *)((char *)w + field);
            const Linear *other = (Linear *)((char *)&want + field);
            real y[2 * 400], z[2 * 400];
            assert_true(one->rows <= 400);
            multiply(y, one);
            multiply(z, other);
            assert_memory_equal(y, z, (size_t)(2 * one->rows) * sizeof *y);
        }
        for (int i = 0; i < m->table->count; i++) {
            const Parameter *p = &m->table->row[i];
            if (p->field == NO_FIELD) continue;
            assert_memory_equal(*(real **)((char *)w + p->field),
                                *(real **)((char *)&want + p->field),
                                parameter_count(p) * sizeof(real));
        }
    }
}

/* Large enough for products in 8 bits, with matrices of several Linears. */
static Model wide_model(int tie, int decoder)
{
    NetworkOptions o = model_case_tiny();
    o.embedding = o.hidden = 40;
    o.tie = tie;
    o.decoder = decoder;
    Model m = model_case_of(o, TOKENS_BPE);
    m.further[0] = xaligned(m.table->size, sizeof(real));
    parameters_init(m.table, m.further[0], 77);
    return m;
}

static void a_packed_model_should_have_the_same_products(void **state)
{
    const char *path = ((ModelCase *)*state)->path;
    const int ties[] = { TIE_NONE, TIE_TARGET };
    Err e;
    if (!precision_works(PRECISION_INT8)) skip();
    for (int i = 0; i < 4; i++) {
        Model packed, m = wide_model(ties[i % 2], i / 2);
        m.stored = i ? PRECISION_INT8 : PRECISION_FLOAT;
        model_case_save(&m, path);
        Model all = model_case_load(path);
        assert_int_equal(model_load_packed(&packed, path, &e), 0);
        assert_true(packed.table->size < all.table->size / 2);
        assert_same_products(&packed, &all);
        model_free(&packed);
        model_free(&all);
        model_free(&m);
    }
}

/* ---- Ensembles ---- */

static void every_network_should_have_integers_of_its_own(void **state)
{
    const char *path = ((ModelCase *)*state)->path;
    Model m = model_case_kind("int8 ensemble");
    model_case_save(&m, path);
    Model all = model_case_load(path);
    assert_int_equal(all.stored, PRECISION_INT8);
    for (int k = 0; k < model_networks(&m); k++) {
        Model alone = m;
        alone.weights = model_weights(&m, k);
        alone.right_left = 0;
        memset(alone.further, 0, sizeof alone.further);
        model_case_save(&alone, path);
        Model expected = model_case_load(path);
        assert_memory_equal(model_weights(&all, k), expected.weights,
                            all.table->size * sizeof(real));
        model_free(&expected);
    }
    model_free(&all);
    model_free(&m);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, model_case_setup, model_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_of_integers_should_hold_the_rounded_matrices),
        cmocka_unit_test(quantising_again_should_give_the_same),
        cmocka_unit_test(weights_should_be_exact_in_32_bits),
        cmocka_unit_test(zeros_and_tiny_numbers_should_be_possible),
        cmocka_unit_test(products_of_8_bits_should_read_the_same_integers),
        TEST(a_packed_model_should_have_the_same_products),
        TEST(every_network_should_have_integers_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
