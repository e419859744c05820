/* test_layer_norm.c - normalised rows: against the twin of one row, and differences of that twin.
 * test_network_torch.c compares with PyTorch. */
#include "gradient.h"
#include "naive.h"
#include "nn/layer_norm.h"

#include <math.h>
#include <string.h>

typedef struct { int rows, n, ld, at; } Shape;

static const Shape shapes[] = { { 4, 6, 6, 0 }, { 1, 1, 1, 0 }, { 3, 17, 20, 2 }, { 5, 7, 9, 1 } };
enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef struct {
    Heap         heap;
    const Shape *shape;
    NormWeights  w, dw;
    NormSave     save;
    real        *x, *y, *dy, *dx;       /* (rows, n) row distance ld */
} Layer;

static Layer layer_of(const Shape *shape)
{
    Layer l = { .shape = shape };
    const size_t n = (size_t)shape->n, all = (size_t)(shape->rows * shape->ld);
    const size_t saved = (size_t)(shape->at + shape->rows);
    l.w.gain = heap_random(&l.heap, n);
    l.w.bias = heap_random(&l.heap, n);
    l.dw.gain = heap_zeros(&l.heap, n);
    l.dw.bias = heap_zeros(&l.heap, n);
    l.save.u = heap_random(&l.heap, saved * n);
    l.save.rstd = heap_random(&l.heap, saved);
    l.x = heap_random(&l.heap, all);
    l.y = heap_random(&l.heap, all);
    l.dy = heap_random(&l.heap, all);
    l.dx = heap_random(&l.heap, all);
    return l;
}

static NormLayer norm_of(const Layer *l)
{
    return (NormLayer){ &l->w, &l->dw, &l->save, l->shape->n };
}

static void forward(Layer *l)
{
    const NormLayer norm = norm_of(l);
    layer_norm_forward(&norm, l->y, l->x, l->shape->ld, l->shape->at, l->shape->rows);
}

static void backward(Layer *l, real *dx)
{
    const NormLayer norm = norm_of(l);
    layer_norm_backward(&norm, dx, l->dy, l->shape->ld, l->shape->at, l->shape->rows);
}

/* The rows of the twin, in an array that is otherwise `elsewhere`. */
static double *twin(Heap *heap, const Layer *l, const real *elsewhere)
{
    const Shape *s = l->shape;
    double *y = heap_widened(heap, elsewhere, (size_t)(s->rows * s->ld));
    double *x = heap_widened(heap, l->x, (size_t)(s->rows * s->ld));
    for (int i = 0; i < s->rows; i++)
        naive_layer_norm(y + i * s->ld, x + i * s->ld, &l->w, s->n);
    return y;
}

static double objective(void *context)
{
    const Layer *l = context;
    const Shape *s = l->shape;
    Heap heap = { 0 };
    double *y = twin(&heap, l, l->y), sum = 0;
    for (int i = 0; i < s->rows; i++)
        for (int j = 0; j < s->n; j++)
            sum += (double)l->dy[i * s->ld + j] * y[i * s->ld + j];
    heap_free(&heap);
    return sum;
}

/* The roundings of mean and variance, which rstd (here below 16) makes larger. */
static double operations(const Shape *shape)
{
    return 256 * (2 * shape->n + 4);
}

static void rows_should_match_those_of_the_twin_and_nothing_else_be_touched(void **state)
{
    for (int i = 0; i < SHAPES; i++) {
        Layer l = layer_of(&shapes[i]);
        double *expected = twin(&l.heap, &l, l.y);
        forward(&l);
        assert_near(l.y, expected, (size_t)(shapes[i].rows * shapes[i].ld), operations(&shapes[i]));
        heap_free(&l.heap);
    }
}

/* dx is compared as a whole, so what lies between the rows must have no slope, and is set to 0. */
static void backward_should_be_the_gradient_of_input_gain_and_bias(void **state)
{
    for (int i = 0; i < SHAPES; i++) {
        const Shape *s = &shapes[i];
        Layer l = layer_of(s);
        memset(l.dx, 0, (size_t)(s->rows * s->ld) * sizeof *l.dx);
        forward(&l);
        backward(&l, l.dx);
        assert_gradient(l.dx, l.x, (size_t)(s->rows * s->ld), objective, &l, 4 * operations(s));
        assert_gradient(l.dw.gain, l.w.gain, (size_t)s->n, objective, &l, operations(s));
        assert_gradient(l.dw.bias, l.w.bias, (size_t)s->n, objective, &l, operations(s));
        heap_free(&l.heap);
    }
}

static void a_row_of_equal_values_should_become_the_bias(void **state)
{
    Layer l = layer_of(&shapes[0]);
    for (int j = 0; j < shapes[0].n; j++)
        l.x[j] = 0.25;
    forward(&l);
    assert_memory_equal(l.y, l.w.bias, (size_t)shapes[0].n * sizeof *l.y);
    heap_free(&l.heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_should_match_those_of_the_twin_and_nothing_else_be_touched),
        cmocka_unit_test(backward_should_be_the_gradient_of_input_gain_and_bias),
        cmocka_unit_test(a_row_of_equal_values_should_become_the_bias),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
