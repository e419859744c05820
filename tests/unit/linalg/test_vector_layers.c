/* test_vector_layers.c - one row of each layer, at every width: gates, normalisation, tanh, scores
 * and softmax against their equations, and their gradients against differences.
 */
#include "gradient.h"
#include "naive.h"
#include "vector_case.h"

#include <string.h>

/* exp, tanh, sigmoid and log are up to 4 units in the last place off (vector.h): as much as 16
 * operations. */
enum { LIBRARY = 16 };

/* ---- GRU gates ---- */

typedef struct {
    Heap  heap;
    int   H;
    real *input, *u, *previous, *dh;    /* (3H) (3H) (H) (H) */
    real *gates, *un, *h;               /* (3H) (H) (H)  forward's outputs */
} Gates;

static Gates gates_of(int H)
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

/* h (H) by the equations of nn/cell.c */
static void gates_twin(double *h, const Gates *g)
{
    const int H = g->H;
    for (int j = 0; j < H; j++) {
        const double r = (double)sigmoid((long double)g->input[j] + (long double)g->u[j]);
        const double z = (double)sigmoid((long double)g->input[H + j] + (long double)g->u[H + j]);
        const double n = tanh((double)g->input[2 * H + j] + r * (double)g->u[2 * H + j]);
        h[j] = (1 - z) * n + z * (double)g->previous[j];
    }
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
    for (size_t n = 1; n <= WIDEST; n++) {
        Gates g = gates_of((int)n);
        double *h = heap_doubles(&g.heap, n);
        gates_twin(h, &g);
        gates_forward(&g);
        assert_near(g.h, h, n, 2 * LIBRARY);
        assert_memory_equal(g.un, g.u + 2 * g.H, n * sizeof(real));
        heap_free(&g.heap);
    }
}

static void gru_gates_backward_should_be_the_gradient(void **state)
{
    for (size_t n = 1; n <= WIDEST; n++) {
        Gates g = gates_of((int)n);
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

/* ---- LSTM gates ---- */

typedef struct {
    int   H;
    real *input, *previous, *dstate;    /* (4H) (2H) (2H) */
} Lstm;

/* state (2H) by the equations of nn/cell.c, the state's part zero */
static void lstm_twin(double *state, const Lstm *g)
{
    const int H = g->H;
    for (int j = 0; j < H; j++) {
        const double i = (double)sigmoid((long double)g->input[j]);
        const double f = (double)sigmoid((long double)g->input[H + j]);
        const double o = (double)sigmoid((long double)g->input[3 * H + j]);
        state[H + j] = f * (double)g->previous[H + j] + i * tanh((double)g->input[2 * H + j]);
        state[j] = o * tanh(state[H + j]);
    }
}

static double lstm_objective(void *context)
{
    const Lstm *g = context;
    double state[2 * WIDEST], sum = 0;
    lstm_twin(state, g);
    for (int j = 0; j < 2 * g->H; j++) sum += (double)g->dstate[j] * state[j];
    return sum;
}

static void lstm_gates_and_their_gradients_should_match_at_every_width(void **unused)
{
    for (int H = 1; H <= WIDEST; H++) {
        Heap heap = { 0 };
        const size_t n = (size_t)H;
        Lstm g = { H, heap_random(&heap, 4 * n), heap_random(&heap, 2 * n),
                   heap_random(&heap, 2 * n) };
        real *gates = heap_zeros(&heap, 4 * n), *zeros = heap_zeros(&heap, 4 * n);
        real *state = heap_zeros(&heap, 2 * n), *tanh_m = heap_zeros(&heap, n);
        real *dstate = heap_zeros(&heap, 2 * n);
        double *want = heap_doubles(&heap, 2 * n);
        memcpy(gates, g.input, 4 * n * sizeof *gates);
        memcpy(dstate, g.dstate, 2 * n * sizeof *dstate);
        lstm_twin(want, &g);
        vector_lstm(state, gates, tanh_m, zeros, g.previous, H);
        assert_near(state, want, 2 * n, 2 * LIBRARY);
        vector_lstm_backward(gates, dstate, tanh_m, g.previous, H);
        assert_gradient(gates, g.input, 4 * n, lstm_objective, &g, 4 * LIBRARY);
        assert_gradient(dstate + n, g.previous + n, n, lstm_objective, &g, 4 * LIBRARY);
        for (size_t j = 0; j < n; j++) assert_true(dstate[j] == 0);
        heap_free(&heap);
    }
}

/* ---- layer normalisation ---- */

typedef struct { real *x; NormWeights w; const real *dy; int n; } Norm;

static double norm_objective(void *context)
{
    const Norm *g = context;
    double y[WIDEST], sum = 0;
    for (int i = 0; i < g->n; i++) y[i] = (double)g->x[i];
    naive_layer_norm(y, y, &g->w, g->n);
    for (int i = 0; i < g->n; i++) sum += (double)g->dy[i] * y[i];
    return sum;
}

/* From width 3 on: of two numbers only the sign of their difference is left. */
static void normalisation_and_its_gradients_should_match_at_every_width(void **state)
{
    for (size_t n = 3; n <= WIDEST; n++) {
        Heap heap = { 0 };
        const double operations = 4 * LIBRARY + (double)n;
        const NormWeights w = { heap_random(&heap, n), heap_random(&heap, n) };
        Norm g = { heap_random(&heap, n), w, heap_random(&heap, n), (int)n };
        for (size_t i = 0; i < n; i++) g.x[i] = (real)(i % 3) - g.x[i] / 4;
        real *y = heap_zeros(&heap, n), *u = heap_zeros(&heap, n), *dx = heap_zeros(&heap, n);
        real *dgain = heap_zeros(&heap, n), *dbias = heap_zeros(&heap, n);
        double *want = heap_widened(&heap, g.x, n);
        naive_layer_norm(want, want, &w, (int)n);
        const real rstd = vector_normalize(y, u, g.x, w.gain, w.bias, (int)n);
        assert_near(y, want, n, operations);
        vector_normalize_backward(dx, dgain, dbias, g.dy, u, rstd, w.gain, (int)n);
        assert_gradient(dx, g.x, n, norm_objective, &g, operations);
        assert_gradient(dgain, w.gain, n, norm_objective, &g, operations);
        assert_gradient(dbias, w.bias, n, norm_objective, &g, operations);
        heap_free(&heap);
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

static void tanh_backward_should_be_the_gradient_at_every_width(void **state)
{
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *x = heap_random(&heap, n), *y = heap_zeros(&heap, n), *dx = heap_random(&heap, n);
        real *dy = heap_zeros(&heap, n);
        memcpy(y, x, n * sizeof *y);
        memcpy(dy, dx, n * sizeof *dy);
        vector_tanh(y, n);
        vector_tanh_backward(dx, y, n);
        Row row = { x, dy, n };
        assert_gradient(dx, x, n, tanh_objective, &row, LIBRARY);
        heap_free(&heap);
    }
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
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        const double operations = LIBRARY + (double)n;
        Additive s = { heap_random(&heap, n), heap_random(&heap, n), heap_random(&heap, n), -1.25,
                       (int)n };
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
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *x = heap_random(&heap, n);
        double *p = heap_widened(&heap, x, n), log_sum = (double)x[n - 1];
        naive_softmax(p, p, (int)n);
        log_sum -= log(p[n - 1]);
        real *largest = heap_take(&heap, n / VECTOR_BLOCK + 1, sizeof *largest);
        double greatest = (double)x[0];
        for (size_t i = 1; i < n; i++) greatest = (double)x[i] > greatest ? (double)x[i] : greatest;
        assert_true((double)vector_largest(largest, x, (int)n) == greatest);
        const real alone = vector_log_sum_exp(largest, x, (int)n);
        const real returned = vector_softmax(x, (int)n);
        assert_near(x, p, n, LIBRARY + (double)n);
        assert_near(&returned, &log_sum, 1, LIBRARY + (double)n);
        assert_near(&alone, &log_sum, 1, LIBRARY + (double)n);
        heap_free(&heap);
    }
}

static double softmax_objective(void *context)
{
    const Row *row = context;
    double p[WIDEST], sum = 0;
    for (size_t i = 0; i < row->n; i++) p[i] = (double)row->x[i];
    naive_softmax(p, p, (int)row->n);
    for (size_t i = 0; i < row->n; i++) sum += (double)row->dy[i] * p[i];
    return sum;
}

static void softmax_backward_should_be_the_gradient_at_every_width(void **state)
{
    for (size_t n = 1; n <= WIDEST; n++) {
        Heap heap = { 0 };
        real *x = heap_random(&heap, n), *y = heap_zeros(&heap, n), *dx = heap_random(&heap, n);
        real *dy = heap_zeros(&heap, n);
        memcpy(y, x, n * sizeof *y);
        memcpy(dy, dx, n * sizeof *dy);
        vector_softmax(y, (int)n);
        vector_softmax_backward(dx, y, (int)n);
        Row row = { x, dy, n };
        assert_gradient(dx, x, n, softmax_objective, &row, LIBRARY + (double)n);
        heap_free(&heap);
    }
}

static void softmax_should_bear_numbers_whose_exp_overflows(void **state)
{
    real x[] = { 5000, 4999, -5000 };
    const double p[] = { 1 / (1 + exp(-1)), exp(-1) / (1 + exp(-1)), 0 };
    const double log_sum = 5000 + log1p(exp(-1));
    real largest[1];
    const real alone = vector_log_sum_exp(largest, x, 3), returned = vector_softmax(x, 3);
    assert_near(x, p, 3, LIBRARY);
    assert_near(&returned, &log_sum, 1, 2);
    assert_near(&alone, &log_sum, 1, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gru_gates_should_match_the_equations_at_every_width),
        cmocka_unit_test(gru_gates_backward_should_be_the_gradient),
        cmocka_unit_test(lstm_gates_and_their_gradients_should_match_at_every_width),
        cmocka_unit_test(normalisation_and_its_gradients_should_match_at_every_width),
        cmocka_unit_test(tanh_backward_should_be_the_gradient_at_every_width),
        cmocka_unit_test(additive_score_and_its_gradients_should_match_at_every_width),
        cmocka_unit_test(softmax_should_match_plain_c_at_every_length),
        cmocka_unit_test(softmax_backward_should_be_the_gradient_at_every_width),
        cmocka_unit_test(softmax_should_bear_numbers_whose_exp_overflows),
    };
    return run_with_each_vector_row(tests, sizeof tests / sizeof *tests);
}
