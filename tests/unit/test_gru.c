/* test_gru.c - one GRU layer over packed sequences: against the twin that reads one sentence at a time, differences of
 * that twin, and PyTorch's nn.GRU in both directions; and the cell alone, from a state that is not zero.
 */
#include "gradient.h"
#include "naive.h"
#include "nn/gru.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

typedef struct { int B, I, H, lengths[6]; } Shape;

static const Shape shapes[] = {
    { 3, 3, 5, { 4, 2, 1 } },
    { 1, 1, 1, { 1 } },
    { 4, 6, 2, { 3, 3, 3, 3 } },
    { 6, 7, 17, { 9, 7, 7, 4, 1, 1 } },
};
enum { SHAPES = sizeof shapes / sizeof *shapes, REVERSES = 2 };

/* One direction of a layer, which writes its half of (N, 2H) states. */
typedef struct {
    Heap         heap;
    const Shape *shape;
    int          reverse;
    Packed       seq;
    GruWeights   w, dw;
    GruSave      save;
    real        *x, *dx;            /* (N, I) */
    real        *h, *dh;            /* (N, 2H) */
    real        *scratch;           /* of forward and of backward */
} Layer;

static GruWeights weights_new(Heap *heap, real *(*take)(Heap *, size_t), size_t I, size_t H)
{
    GruWeights w;
    w.W = take(heap, 3 * H * I);
    w.U = take(heap, 3 * H * H);
    w.b = take(heap, 3 * H);
    w.c = take(heap, 3 * H);
    return w;
}

static GruSave save_new(Heap *heap, size_t N, size_t H)
{
    GruSave save;
    save.gates = heap_zeros(heap, N * 3 * H);
    save.un = heap_zeros(heap, N * H);
    save.previous = heap_zeros(heap, N * H);
    return save;
}

static Layer layer_new(const Shape *shape, int reverse)
{
    Layer l = { .shape = shape, .reverse = reverse };
    const size_t I = (size_t)shape->I, H = (size_t)shape->H, B = (size_t)shape->B;
    l.seq = packed_of(&l.heap, shape->lengths, shape->B);
    const size_t N = (size_t)l.seq.total, forward = B * 4 * H, backward = N * 3 * H + B * H;
    l.w = weights_new(&l.heap, heap_random, I, H);
    l.dw = weights_new(&l.heap, heap_zeros, I, H);
    l.save = save_new(&l.heap, N, H);
    l.x = heap_random(&l.heap, N * I);
    l.dx = heap_random(&l.heap, N * I);
    l.h = heap_random(&l.heap, N * 2 * H);
    l.dh = heap_random(&l.heap, N * 2 * H);
    l.scratch = heap_random(&l.heap, forward > backward ? forward : backward);
    return l;
}

static void forward(Layer *l)
{
    const int H = l->shape->H;
    gru_forward(l->h + l->reverse * H, 2 * H, &l->save, l->x, &l->w, &l->seq, l->reverse, l->shape->I, H, l->scratch);
}

static void backward(Layer *l, real *dx, int accumulate_dx)
{
    const int H = l->shape->H;
    gru_backward(dx, accumulate_dx, &l->dw, &l->save, l->dh + l->reverse * H, 2 * H, l->x, &l->w, &l->seq, l->reverse,
                 l->shape->I, H, l->scratch);
}

/* The packed states as the twin computes them, in a (N, 2H) that is otherwise `elsewhere`. */
static double *twin_states(Heap *heap, const Layer *l, const real *elsewhere)
{
    const int I = l->shape->I, H = l->shape->H, S = l->seq.steps;
    double *states = heap_widened(heap, elsewhere, (size_t)(l->seq.total * 2 * H));
    real *x = heap_zeros(heap, (size_t)(S * I));
    double *h = heap_doubles(heap, (size_t)(S * H));
    for (int i = 0; i < l->shape->B; i++) {
        const int length = l->shape->lengths[i];
        for (int t = 0; t < length; t++)
            memcpy(x + t * I, l->x + (l->seq.start[t] + i) * I, (size_t)I * sizeof *x);
        naive_gru(h, x, NULL, &l->w, length, l->reverse, I, H);
        for (int t = 0; t < length; t++)
            memcpy(states + (l->seq.start[t] + i) * 2 * H + l->reverse * H, h + t * H, (size_t)H * sizeof *h);
    }
    return states;
}

static double objective(void *context)
{
    const Layer *l = context;
    const int H = l->shape->H;
    Heap heap = { 0 };
    double *states = twin_states(&heap, l, l->h), sum = 0;
    for (int i = 0; i < l->seq.total; i++)
        for (int j = l->reverse * H; j < (l->reverse + 1) * H; j++)
            sum += (double)l->dh[i * 2 * H + j] * states[i * 2 * H + j];
    heap_free(&heap);
    return sum;
}

/* A gate adds up I + H products and two biases, its function counts 16; each step hands its error on. */
static double operations(const Shape *shape)
{
    return shape->lengths[0] * (shape->I + shape->H + 20);
}

static void states_should_match_those_of_one_sentence_at_a_time(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int reverse = 0; reverse < REVERSES; reverse++) {
            Layer l = layer_new(&shapes[i], reverse);
            double *states = twin_states(&l.heap, &l, l.h);
            forward(&l);
            assert_near(l.h, states, (size_t)(l.seq.total * 2 * shapes[i].H), operations(&shapes[i]));
            heap_free(&l.heap);
        }
}

static void assert_weight_gradients(Layer *l, double allowed)
{
    const size_t I = (size_t)l->shape->I, H = (size_t)l->shape->H;
    assert_gradient(l->dw.W, l->w.W, 3 * H * I, objective, l, allowed);
    assert_gradient(l->dw.U, l->w.U, 3 * H * H, objective, l, allowed);
    assert_gradient(l->dw.b, l->w.b, 3 * H, objective, l, allowed);
    assert_gradient(l->dw.c, l->w.c, 3 * H, objective, l, allowed);
}

static void backward_should_be_the_gradient_of_every_input_and_weight(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int reverse = 0; reverse < REVERSES; reverse++) {
            Layer l = layer_new(&shapes[i], reverse);
            const double allowed = 2 * operations(&shapes[i]) + l.seq.total;
            forward(&l);
            backward(&l, l.dx, 0);
            assert_gradient(l.dx, l.x, (size_t)(l.seq.total * shapes[i].I), objective, &l, allowed);
            assert_weight_gradients(&l, allowed);
            heap_free(&l.heap);
        }
}

static void two_backward_passes_should_add_up_their_weight_gradients(void **state)
{
    (void)state;
    Layer l = layer_new(&shapes[0], 1);
    const size_t N = (size_t)l.seq.total, states = N * 2 * (size_t)l.shape->H;
    for (int pass = 0; pass < 2; pass++) {
        forward(&l);
        backward(&l, NULL, 0);
    }
    for (size_t i = 0; i < states; i++)
        l.dh[i] *= 2;
    assert_weight_gradients(&l, 4 * operations(l.shape) + (double)N);
    heap_free(&l.heap);
}

static void input_gradients_should_be_overwritten_accumulated_or_not_wanted(void **state)
{
    (void)state;
    Layer l = layer_new(&shapes[0], 0);
    const size_t values = (size_t)(l.seq.total * l.shape->I);
    double *before = heap_widened(&l.heap, l.dx, values);
    real *alone = heap_zeros(&l.heap, values);
    forward(&l);
    backward(&l, alone, 0);
    forward(&l);
    backward(&l, l.dx, 1);
    for (size_t i = 0; i < values; i++)
        before[i] += (double)alone[i];
    assert_near(l.dx, before, values, l.shape->H * 3);
    heap_free(&l.heap);
}

/* ---- the cell ---- */

enum { ROWS = 3, AT = 2, ABOVE = 1, WIDTH = 5 };        /* rows AT .. AT + ROWS - 1 of a save with ABOVE more */

typedef struct {
    Heap       heap;
    GruWeights w;               /* W is the identity: x is the gates' input */
    real      *x, *previous;    /* (ROWS, 3H) (ROWS, H) */
    real      *dh;              /* (ROWS, H) */
} Cell;

static Cell cell_new(void)
{
    Cell c = { 0 };
    c.w = weights_new(&c.heap, heap_random, 3 * WIDTH, WIDTH);
    for (int i = 0; i < 3 * WIDTH * 3 * WIDTH; i++)
        c.w.W[i] = i % (3 * WIDTH + 1) == 0;
    memset(c.w.b, 0, 3 * WIDTH * sizeof *c.w.b);
    c.x = heap_random(&c.heap, ROWS * 3 * WIDTH);
    c.previous = heap_random(&c.heap, ROWS * WIDTH);
    c.dh = heap_random(&c.heap, ROWS * WIDTH);
    return c;
}

/* (ROWS, H) */
static void cell_twin(double *h, const Cell *c)
{
    for (int i = 0; i < ROWS; i++)
        naive_gru(h + i * WIDTH, c->x + i * 3 * WIDTH, c->previous + i * WIDTH, &c->w, 1, 0, 3 * WIDTH, WIDTH);
}

static double cell_objective(void *context)
{
    const Cell *c = context;
    double h[ROWS * WIDTH], sum = 0;
    cell_twin(h, c);
    for (int i = 0; i < ROWS * WIDTH; i++)
        sum += (double)c->dh[i] * h[i];
    return sum;
}

static GruSave cell_save(Cell *c)
{
    GruSave save = save_new(&c->heap, AT + ROWS + ABOVE, WIDTH);
    memcpy(save.gates + AT * 3 * WIDTH, c->x, ROWS * 3 * WIDTH * sizeof(real));
    memcpy(save.previous + AT * WIDTH, c->previous, ROWS * WIDTH * sizeof(real));
    return save;
}

static void a_cell_should_go_on_from_the_state_it_is_given(void **state)
{
    (void)state;
    enum { LDH = WIDTH + 2 };
    Cell c = cell_new();
    GruSave save = cell_save(&c);
    real *h = heap_random(&c.heap, ROWS * LDH), *u = heap_zeros(&c.heap, ROWS * 3 * WIDTH);
    double *states = heap_widened(&c.heap, h, ROWS * LDH), twin[ROWS * WIDTH];
    cell_twin(twin, &c);
    for (int i = 0; i < ROWS; i++)
        memcpy(states + i * LDH, twin + i * WIDTH, WIDTH * sizeof *twin);
    gru_cell_forward(h, LDH, &save, &c.w, u, AT, ROWS, 0, WIDTH);
    assert_near(h, states, ROWS * LDH, 2 * WIDTH + 20);
    heap_free(&c.heap);
}

static void gradients_of_a_cell_should_reach_its_input_state_and_weights(void **state)
{
    (void)state;
    const double allowed = 4 * (WIDTH + 12);
    Cell c = cell_new();
    GruSave save = cell_save(&c);
    GruWeights dw = weights_new(&c.heap, heap_zeros, 3 * WIDTH, WIDTH);
    real *h = heap_zeros(&c.heap, ROWS * WIDTH), *u = heap_zeros(&c.heap, ROWS * 3 * WIDTH);
    real *du = heap_zeros(&c.heap, (AT + ROWS + ABOVE) * 3 * WIDTH), *dstate = heap_zeros(&c.heap, ROWS * WIDTH);
    gru_cell_forward(h, WIDTH, &save, &c.w, u, AT, ROWS, 0, WIDTH);
    memcpy(dstate, c.dh, ROWS * WIDTH * sizeof *dstate);
    gru_cell_backward(dstate, &save, du, dstate, &c.w, AT, ROWS, 0, WIDTH);
    gru_weights_backward(&dw, &save, du, AT + ROWS + ABOVE, WIDTH);
    assert_gradient(save.gates + AT * 3 * WIDTH, c.x, ROWS * 3 * WIDTH, cell_objective, &c, allowed);
    assert_gradient(dstate, c.previous, ROWS * WIDTH, cell_objective, &c, allowed);
    assert_gradient(dw.U, c.w.U, 3 * WIDTH * WIDTH, cell_objective, &c, allowed);
    assert_gradient(dw.b, c.w.b, 3 * WIDTH, cell_objective, &c, allowed);
    assert_gradient(dw.c, c.w.c, 3 * WIDTH, cell_objective, &c, allowed);
    heap_free(&c.heap);
}

static void a_first_step_should_be_a_step_from_the_zero_state(void **state)
{
    (void)state;
    Cell c = cell_new();
    memset(c.previous, 0, ROWS * WIDTH * sizeof *c.previous);
    GruSave save = cell_save(&c);
    real *h = heap_zeros(&c.heap, ROWS * WIDTH), *u = heap_zeros(&c.heap, ROWS * 3 * WIDTH);
    double twin[ROWS * WIDTH];
    cell_twin(twin, &c);
    gru_cell_forward(h, WIDTH, &save, &c.w, u, AT, ROWS, 1, WIDTH);
    assert_near(h, twin, ROWS * WIDTH, 2 * WIDTH + 20);
    heap_free(&c.heap);
}

/* ---- PyTorch ---- */

/* Reads one direction's weights and compares its gradients. */
typedef struct {
    Heap        *heap;
    const cJSON *reference;
    const char  *direction;     /* "" or "_reverse" */
} Torch;

static const char *const tensors[] = { "weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0" };
enum { TENSORS = sizeof tensors / sizeof *tensors };

static const char *torch_name(Torch t, char *name, size_t size, const char *prefix, int tensor)
{
    snprintf(name, size, "%s%s%s", prefix, tensors[tensor], t.direction);
    return name;
}

static GruWeights torch_weights(Torch t, const size_t *sizes)
{
    char name[64];
    real *w[TENSORS];
    for (int i = 0; i < TENSORS; i++)
        w[i] = reference_reals(t.heap, t.reference, torch_name(t, name, sizeof name, "", i), sizes[i]);
    return (GruWeights){ w[0], w[1], w[2], w[3] };
}

static void assert_torch_gradients(Torch t, const GruWeights *dw, const size_t *sizes, double allowed)
{
    char name[64];
    const real *const w[TENSORS] = { dw->W, dw->U, dw->b, dw->c };
    for (int i = 0; i < TENSORS; i++)
        assert_near(w[i], reference_doubles(t.heap, t.reference, torch_name(t, name, sizeof name, "d", i), sizes[i]),
                    sizes[i], allowed);
}

static void both_directions_should_match_pytorch(void **state)
{
    (void)state;
    Heap heap = { 0 };
    cJSON *reference = reference_open("gru");
    const int *lengths = reference_ints(&heap, reference, "lengths", 3);
    Shape shape = { 3, reference_int(reference, "inputs"), reference_int(reference, "hidden"),
                    { lengths[0], lengths[1], lengths[2] } };
    const size_t I = (size_t)shape.I, H = (size_t)shape.H, sizes[TENSORS] = { 3 * H * I, 3 * H * H, 3 * H, 3 * H };
    const char *const directions[REVERSES] = { "", "_reverse" };
    Layer l = layer_new(&shape, 0);
    const size_t N = (size_t)l.seq.total;
    const double allowed = 2 * operations(&shape) + (double)N;
    l.x = reference_reals(&heap, reference, "x", N * I);
    l.dh = reference_reals(&heap, reference, "dh", N * 2 * H);
    for (l.reverse = 0; l.reverse < REVERSES; l.reverse++) {
        Torch t = { &heap, reference, directions[l.reverse] };
        l.w = torch_weights(t, sizes);
        l.dw = weights_new(&heap, heap_zeros, I, H);
        forward(&l);
        backward(&l, l.dx, l.reverse);
        assert_torch_gradients(t, &l.dw, sizes, allowed);
    }
    const double loss = reference_number(reference, "loss");
    assert_near(l.h, reference_doubles(&heap, reference, "h", N * 2 * H), N * 2 * H, allowed);
    assert_near(&(real){ (real)dot(l.dh, l.h, N * 2 * H) }, &loss, 1, allowed);
    assert_near(l.dx, reference_doubles(&heap, reference, "dx", N * I), N * I, 2 * allowed);
    cJSON_Delete(reference);
    heap_free(&l.heap);
    heap_free(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_should_match_those_of_one_sentence_at_a_time),
        cmocka_unit_test(backward_should_be_the_gradient_of_every_input_and_weight),
        cmocka_unit_test(two_backward_passes_should_add_up_their_weight_gradients),
        cmocka_unit_test(input_gradients_should_be_overwritten_accumulated_or_not_wanted),
        cmocka_unit_test(a_cell_should_go_on_from_the_state_it_is_given),
        cmocka_unit_test(gradients_of_a_cell_should_reach_its_input_state_and_weights),
        cmocka_unit_test(a_first_step_should_be_a_step_from_the_zero_state),
        cmocka_unit_test(both_directions_should_match_pytorch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
