/* test_vector.c - the elementwise kernels against plain C in double: lengths around the width of a vector register,
 * arguments far out where exp overflows, and the gradients.
 */
#include "gradient.h"
#include "linalg/vector.h"
#include "naive.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Vector exp and tanh are up to 4 units in the last place off (vector.h): as much as 16 operations. */
enum { LIBRARY = 16 };

static const size_t lengths[] = { 1, 2, 7, 8, 15, 16, 17, 31, 33, 100 };
enum { LENGTHS = sizeof lengths / sizeof *lengths, LONGEST = 100 };

/* From -reach to reach. */
static void spread(real *x, size_t n, double reach)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(reach * (2 * ((double)i + 0.5) / (double)n - 1));
}

static void tanh_should_be_right_to_the_last_places_wherever_it_is(void **state)
{
    (void)state;
    enum { N = 4001 };
    const double epsilon = REAL_IS_DOUBLE ? DBL_EPSILON : FLT_EPSILON;
    const double reaches[] = { 1e-6, 0.1, 2, 20, 1e4 };
    Heap heap = { 0 };
    real *x = heap_zeros(&heap, N), *y = heap_zeros(&heap, N);
    for (size_t r = 0; r < sizeof reaches / sizeof *reaches; r++) {
        spread(x, N, reaches[r]);
        memcpy(y, x, N * sizeof *y);
        vector_tanh(y, N);
        for (size_t i = 0; i < N; i++) {
            double right = tanh((double)x[i]);
            assert_true(fabs((double)y[i] - right) <= 4 * epsilon * fabs(right));
        }
    }
    heap_free(&heap);
}

/* Everything that is linear: y += x, y *= a, y = a y + b, y += a x, and the sums. */
static void linear_kernels_should_match_their_formulas_at_every_length(void **state)
{
    (void)state;
    const double a = -0.75, b = 0.375;
    for (int l = 0; l < LENGTHS; l++) {
        Heap heap = { 0 };
        const size_t n = lengths[l];
        real *x = heap_random(&heap, n), *start = heap_random(&heap, n);
        real *sum = heap_zeros(&heap, n), *scaled = heap_zeros(&heap, n), *affine = heap_zeros(&heap, n);
        double *want_sum = heap_doubles(&heap, n), *want_scaled = heap_doubles(&heap, n);
        double *want_affine = heap_doubles(&heap, n), product = 0, squares = 0, total = 0;
        for (size_t i = 0; i < n; i++) {
            double xi = (double)x[i], yi = (double)start[i];
            sum[i] = scaled[i] = affine[i] = start[i];
            want_sum[i] = yi + xi + a * xi;
            want_scaled[i] = a * yi;
            want_affine[i] = a * yi + b;
            product += xi * yi;
            squares += xi * xi;
            total += xi;
        }
        vector_add(sum, x, n);
        vector_axpy(sum, (real)a, x, n);
        vector_scale(scaled, (real)a, n);
        vector_affine(affine, (real)a, (real)b, n);
        assert_near(sum, want_sum, n, 3);
        assert_near(scaled, want_scaled, n, 1);
        assert_near(affine, want_affine, n, 2);
        assert_near(&(real){ vector_dot(x, start, n) }, &product, 1, n);
        assert_near(&(real){ vector_sum(x, (int)n) }, &total, 1, n);
        assert_true(fabs(vector_square_sum(x, n) - squares) <= (double)n * DBL_EPSILON * (1 + squares));
        heap_free(&heap);
    }
}

static void square_sum_should_not_overflow_a_float(void **state)
{
    (void)state;
    const real x[] = { (real)1e30, (real)1e30 };
    assert_true(fabs(vector_square_sum(x, 2) / 2e60 - 1) < 1e-6);
}

/* ---- GRU gates: as a step of the twin whose input product is the identity ---- */

typedef struct {
    Heap  heap;
    int   H;
    real *input, *u, *previous, *dh;    /* (3H) (3H) (H) (H) */
    real *gates, *un, *h;               /* (3H) (H) (H)  forward's outputs */
} Gates;

static Gates gates_new(int H)
{
    Gates g = { .H = H };
    const size_t n = (size_t)H;
    g.input = heap_random(&g.heap, 3 * n);
    g.u = heap_random(&g.heap, 3 * n);
    g.previous = heap_random(&g.heap, n);
    g.dh = heap_random(&g.heap, n);
    g.gates = heap_zeros(&g.heap, 3 * n);
    g.un = heap_zeros(&g.heap, n);
    g.h = heap_zeros(&g.heap, n);
    return g;
}

static void gates_forward(Gates *g)
{
    memcpy(g->gates, g->input, 3 * (size_t)g->H * sizeof *g->gates);
    vector_gru(g->h, g->gates, g->un, g->u, g->previous, g->H);
}

/* With W = 0, b = input, U = 0 and c = u the twin's step is this row. */
static void gates_twin(double *h, const Gates *g)
{
    Heap heap = { 0 };
    const size_t n = (size_t)g->H;
    const CellWeights w = { .W = { .weights = heap_zeros(&heap, 3 * n) }, .U = { .weights = heap_zeros(&heap, 3 * n * n) },
                            .b = g->input, .c = g->u };
    naive_gru(h, heap_zeros(&heap, 1), g->previous, &w, 1, 0, 1, g->H);
    heap_free(&heap);
}

static double gates_objective(void *context)
{
    const Gates *g = context;
    Heap heap = { 0 };
    double *h = heap_doubles(&heap, (size_t)g->H), sum = 0;
    gates_twin(h, g);
    for (int j = 0; j < g->H; j++)
        sum += (double)g->dh[j] * h[j];
    heap_free(&heap);
    return sum;
}

static void gru_gates_should_match_the_equations_at_every_width(void **state)
{
    (void)state;
    for (int l = 0; l < LENGTHS; l++) {
        Gates g = gates_new((int)lengths[l]);
        double *h = heap_doubles(&g.heap, lengths[l]);
        gates_twin(h, &g);
        gates_forward(&g);
        assert_near(g.h, h, lengths[l], 2 * LIBRARY);
        assert_memory_equal(g.un, g.u + 2 * g.H, lengths[l] * sizeof(real));
        heap_free(&g.heap);
    }
}

static void gru_gates_should_saturate_without_overflow(void **state)
{
    (void)state;
    const real far = 1000, previous = (real)0.25;
    const struct { real r, z, n, h; } cases[] = {
        { far, -far, far, 1 }, { -far, -far, -far, -1 }, { far, far, far, previous }, { -far, far, -far, previous },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        real gates[] = { cases[i].r, cases[i].z, cases[i].n }, u[] = { 0, 0, 0 }, un, h;
        vector_gru(&h, gates, &un, u, &previous, 1);
        assert_true(h == cases[i].h);
        assert_true(gates[0] == (cases[i].r > 0 ? 1 : 0));
    }
}

static void gru_gates_backward_should_be_the_gradient(void **state)
{
    (void)state;
    for (int l = 0; l < LENGTHS; l++) {
        Gates g = gates_new((int)lengths[l]);
        const size_t n = lengths[l];
        real *dgates = heap_zeros(&g.heap, 3 * n), *du = heap_zeros(&g.heap, 3 * n);
        real *dprevious = heap_random(&g.heap, n);
        gates_forward(&g);
        vector_gru_backward(dgates, du, dprevious, g.dh, g.gates, g.un, g.previous, g.H);
        assert_gradient(dgates, g.input, 3 * n, gates_objective, &g, 4 * LIBRARY);
        assert_gradient(du, g.u, 3 * n, gates_objective, &g, 4 * LIBRARY);
        assert_gradient(dprevious, g.previous, n, gates_objective, &g, 4 * LIBRARY);

        /* in place, as the layers call it */
        vector_gru_backward(g.gates, du, g.dh, g.dh, g.gates, g.un, g.previous, g.H);
        assert_near(g.gates, heap_widened(&g.heap, dgates, 3 * n), 3 * n, 4);
        assert_near(g.dh, heap_widened(&g.heap, dprevious, n), n, 4);
        heap_free(&g.heap);
    }
}

/* ---- tanh, additive score, softmax ---- */

typedef struct { real *x; const real *dy; size_t n; } Row;

static double tanh_objective(void *context)
{
    const Row *row = context;
    double sum = 0;
    for (size_t i = 0; i < row->n; i++)
        sum += (double)row->dy[i] * tanh((double)row->x[i]);
    return sum;
}

static void tanh_backward_should_be_the_gradient(void **state)
{
    (void)state;
    Heap heap = { 0 };
    real *x = heap_random(&heap, LONGEST), *y = heap_zeros(&heap, LONGEST), *dx = heap_random(&heap, LONGEST);
    real *dy = heap_zeros(&heap, LONGEST);
    memcpy(y, x, LONGEST * sizeof *y);
    memcpy(dy, dx, LONGEST * sizeof *dy);
    vector_tanh(y, LONGEST);
    vector_tanh_backward(dx, y, LONGEST);
    Row row = { x, dy, LONGEST };
    assert_gradient(dx, x, LONGEST, tanh_objective, &row, LIBRARY);
    heap_free(&heap);
}

typedef struct { real *q, *k, *v; double de; int A; } Additive;

static double additive_objective(void *context)
{
    const Additive *s = context;
    double sum = 0;
    for (int a = 0; a < s->A; a++)
        sum += (double)s->v[a] * tanh((double)s->q[a] + (double)s->k[a]);
    return s->de * sum;
}

static void additive_score_and_its_gradients_should_match_at_every_width(void **state)
{
    (void)state;
    for (int l = 0; l < LENGTHS; l++) {
        Heap heap = { 0 };
        const size_t n = lengths[l];
        const double operations = LIBRARY + (double)n;
        Additive s = { heap_random(&heap, n), heap_random(&heap, n), heap_random(&heap, n), -1.25, (int)n };
        real *dq = heap_zeros(&heap, n), *dk = heap_zeros(&heap, n), *dv = heap_zeros(&heap, n);
        double score = additive_objective(&s) / s.de;
        assert_near(&(real){ vector_additive(s.q, s.k, s.v, s.A) }, &score, 1, operations);
        vector_additive_backward(dq, dk, dv, (real)s.de, s.q, s.k, s.v, s.A);
        assert_gradient(dq, s.q, n, additive_objective, &s, operations);
        assert_gradient(dk, s.k, n, additive_objective, &s, operations);
        assert_gradient(dv, s.v, n, additive_objective, &s, operations);

        /* all three accumulate: again, and it is twice as much */
        vector_additive_backward(dq, dk, dv, (real)s.de, s.q, s.k, s.v, s.A);
        s.de *= 2;
        assert_gradient(dq, s.q, n, additive_objective, &s, operations);
        assert_gradient(dk, s.k, n, additive_objective, &s, operations);
        assert_gradient(dv, s.v, n, additive_objective, &s, operations);
        heap_free(&heap);
    }
}

static void softmax_should_match_plain_c_at_every_length(void **state)
{
    (void)state;
    for (int l = 0; l < LENGTHS; l++) {
        Heap heap = { 0 };
        const size_t n = lengths[l];
        real *x = heap_random(&heap, n);
        double *p = heap_widened(&heap, x, n), log_sum = (double)x[n - 1];
        naive_softmax(p, p, (int)n);
        log_sum -= log(p[n - 1]);
        real *largest = heap_take(&heap, n / VECTOR_BLOCK + 1, sizeof *largest);
        double greatest = (double)x[0];
        for (size_t i = 1; i < n; i++) greatest = (double)x[i] > greatest ? (double)x[i] : greatest;
        assert_true((double)vector_largest(largest, x, (int)n) == greatest);
        const real alone = vector_log_sum_exp(largest, x, (int)n), returned = vector_softmax(x, (int)n);
        assert_near(x, p, n, LIBRARY + (double)n);
        assert_near(&returned, &log_sum, 1, LIBRARY + (double)n);
        assert_near(&alone, &log_sum, 1, LIBRARY + (double)n);
        heap_free(&heap);
    }
}

static void softmax_should_bear_numbers_whose_exp_overflows(void **state)
{
    (void)state;
    real x[] = { 5000, 4999, -5000 };
    const double p[] = { 1 / (1 + exp(-1)), exp(-1) / (1 + exp(-1)), 0 }, log_sum = 5000 + log1p(exp(-1));
    real largest[1];
    const real alone = vector_log_sum_exp(largest, x, 3), returned = vector_softmax(x, 3);
    assert_near(x, p, 3, LIBRARY);
    assert_near(&returned, &log_sum, 1, 2);
    assert_near(&alone, &log_sum, 1, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tanh_should_be_right_to_the_last_places_wherever_it_is),
        cmocka_unit_test(linear_kernels_should_match_their_formulas_at_every_length),
        cmocka_unit_test(square_sum_should_not_overflow_a_float),
        cmocka_unit_test(gru_gates_should_match_the_equations_at_every_width),
        cmocka_unit_test(gru_gates_should_saturate_without_overflow),
        cmocka_unit_test(gru_gates_backward_should_be_the_gradient),
        cmocka_unit_test(tanh_backward_should_be_the_gradient),
        cmocka_unit_test(additive_score_and_its_gradients_should_match_at_every_width),
        cmocka_unit_test(softmax_should_match_plain_c_at_every_length),
        cmocka_unit_test(softmax_should_bear_numbers_whose_exp_overflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
