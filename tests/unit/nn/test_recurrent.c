/* test_recurrent.c - one recurrent layer over packed sequences, with every cell: against the twin
 * that reads one sentence at a time, and differences of that twin. test_network_torch.c compares
 * with PyTorch.
 */
#include "base/random/rng.h"
#include "gradient.h"
#include "naive.h"
#include "nn/cell.h"

#include <string.h>

/* What a cell is compared with. */
typedef struct {
    const Cell *cell;
    void (*naive)(double *states, const real *x, const CellWeights *w, int length, int reverse,
                  int I, int H);
} Kind;

static const Kind kinds[] = { { &cell_gru, naive_gru }, { &cell_lstm, naive_lstm } };
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct { int B, I, H, lengths[6]; } Shape;

static const Shape shapes[] = {
    { 3, 3, 5, { 4, 2, 1 } },
    { 1, 1, 1, { 1 } },
    { 4, 6, 2, { 3, 3, 3, 3 } },
    { 6, 7, 17, { 9, 7, 7, 4, 1, 1 } },
};
enum { SHAPES = sizeof shapes / sizeof *shapes, LARGE = SHAPES - 1, REVERSES = 2 };

/* What can be added to every cell. Not to the large shape: over nine steps the higher derivatives
 * of a normalisation grow until the differences feel them. */
typedef enum { PLAIN, NORMALISED, DROPPED, VARIANTS } Variant;

enum { STEP_BITS = 8, PLACE = 7 };      /* a token is named sentence << STEP_BITS | step; all its
                                         * steps have one mask */

/* One direction of a layer, which writes its half of (N, 2H) states. */
typedef struct {
    Heap         heap;
    const Kind  *kind;
    const Cell  *cell;
    const Shape *shape;
    int          reverse;
    PackedSequence       seq;
    CellWeights  w, dw;
    CellSave     save;
    CellDropout  dropout;
    real        *x, *dx;            /* (N, I) */
    real        *h, *dh;            /* (N, 2H) */
    real        *state, *dstate;    /* (B, Z) the last states, and their gradient beside dh */
    real        *scratch;
} Layer;

typedef real *(*Take)(Heap *, size_t);

static CellWeights weights_of(Heap *heap, Take take, const Cell *cell, size_t I, size_t H,
                               Variant variant)
{
    const size_t G = (size_t)cell->gates * H;
    CellWeights w = { 0 };
    w.W = linear_of(take(heap, G * I), (int)I, (int)G, (int)I, PRECISION_FLOAT);
    w.U = linear_of(take(heap, G * H), (int)H, (int)G, (int)H, PRECISION_FLOAT);
    w.b = take(heap, G);
    w.c = take(heap, G);
    if (variant == NORMALISED) {
        w.input_norm = (NormWeights){ take(heap, G), take(heap, G) };
        w.state_norm = (NormWeights){ take(heap, G), take(heap, G) };
    }
    return w;
}

static CellSave save_of(Heap *heap, const Cell *cell, size_t N, size_t H, Variant variant)
{
    const size_t gates = N * (size_t)cell->gates * H;
    const int normalises = variant == NORMALISED;
    CellSave save = { .gates = heap_zeros(heap, gates),
                      .extra = heap_zeros(heap, N * (size_t)cell->extra * H),
                      .previous = heap_zeros(heap, N * (size_t)cell->states * H),
                      .du = cell_keeps_du(cell, normalises) ? heap_zeros(heap, gates) : NULL };
    if (normalises) {
        save.input_norm = (NormSave){ heap_zeros(heap, gates), heap_zeros(heap, N) };
        save.state_norm = (NormSave){ heap_zeros(heap, gates), heap_zeros(heap, N) };
    }
    return save;
}

static CellDropout dropout_of(Heap *heap, const PackedSequence *seq)
{
    uint64_t *token = heap_take(heap, (size_t)seq->total, sizeof *token);
    for (int t = 0; t < seq->steps; t++)
        for (int i = 0; i < seq->rows[t]; i++)
            token[seq->start[t] + i] = (uint64_t)i << STEP_BITS | (uint64_t)t;
    /* p 0.5 doubles: no rounding */
    return (CellDropout){ { 0.5, rng_key(1, 2, RNG_DROPOUT), STEP_BITS }, PLACE, token };
}

static Layer layer_of(const Kind *kind, const Shape *shape, int reverse, Variant variant)
{
    Layer l = { .kind = kind, .cell = kind->cell, .shape = shape, .reverse = reverse };
    const size_t I = (size_t)shape->I, H = (size_t)shape->H, B = (size_t)shape->B;
    const size_t Z = (size_t)l.cell->states * H;
    l.seq = packed_of(&l.heap, shape->lengths, shape->B);
    const size_t N = (size_t)l.seq.total;
    l.w = weights_of(&l.heap, heap_random, l.cell, I, H, variant);
    l.dw = weights_of(&l.heap, heap_zeros, l.cell, I, H, variant);
    l.save = save_of(&l.heap, l.cell, N, H, variant);
    if (variant == DROPPED) {
        l.dropout = dropout_of(&l.heap, &l.seq);
        for (size_t i = 0; i < (size_t)l.cell->gates * H * H; i++)
            l.w.U.weights[i] /= 2;      /* else errors grow from step to step, with what is
                                         * doubled */
    }
    l.x = heap_random(&l.heap, N * I);
    l.dx = heap_random(&l.heap, N * I);
    l.h = heap_random(&l.heap, N * 2 * H);
    l.dh = heap_random(&l.heap, N * 2 * H);
    l.state = heap_random(&l.heap, B * Z);
    l.dstate = heap_random(&l.heap, B * Z);
    l.scratch = heap_random(&l.heap, B * (size_t)(l.cell->gates + 1) * H);
    return l;
}

static RecurrentLayer recurrent_layer(const Layer *l)
{
    return (RecurrentLayer){ { l->cell, l->shape->H, &l->w, &l->dw, &l->save, l->dropout,
                               l->scratch }, &l->seq, l->reverse };
}

static void forward(Layer *l)
{
    const int H = l->shape->H;
    const RecurrentLayer layer = recurrent_layer(l);
    recurrent_forward(&layer, l->h + l->reverse * H, 2 * H, l->state, l->x);
}

static void backward(Layer *l, real *dx, int accumulate_dx)
{
    const int H = l->shape->H, states = l->shape->B * l->cell->states * H;
    real *dstate = heap_zeros(&l->heap, (size_t)states);
    memcpy(dstate, l->dstate, (size_t)states * sizeof *dstate);
    const RecurrentLayer layer = recurrent_layer(l);
    recurrent_backward(&layer, dx, accumulate_dx, dstate, l->dh + l->reverse * H, 2 * H, l->x);
}

/* The weights of a sentence: to drop values of the state is to drop columns of U. */
static CellWeights dropped_weights(Heap *heap, const Layer *l, int sentence)
{
    CellWeights w = l->w;
    const int H = l->shape->H, rows = l->cell->gates * H;
    const uint64_t token = (uint64_t)sentence << STEP_BITS;
    if (l->dropout.dropout.p <= 0) return w;
    w.U.weights = heap_zeros(heap, (size_t)(rows * H));
    memcpy(w.U.weights, l->w.U.weights, (size_t)(rows * H) * sizeof(real));
    for (int i = 0; i < rows; i++)
        dropout_apply(w.U.weights + i * H, &l->dropout.dropout, PLACE, &token, 1, H);
    return w;
}

/* The twin's packed states in a (N, 2H) that is otherwise `elsewhere`, and its last states (B,
 * Z). */
typedef struct { double *h, *last; } Twin;

static Twin twin_of(Heap *heap, const Layer *l, const real *elsewhere)
{
    const int I = l->shape->I, H = l->shape->H, S = l->seq.steps, Z = l->cell->states * H;
    Twin twin = { heap_widened(heap, elsewhere, (size_t)(l->seq.total * 2 * H)),
                  heap_doubles(heap, (size_t)(l->shape->B * Z)) };
    real *x = heap_zeros(heap, (size_t)(S * I));
    double *state = heap_doubles(heap, (size_t)(S * Z));
    for (int i = 0; i < l->shape->B; i++) {
        const int length = l->shape->lengths[i];
        for (int t = 0; t < length; t++)
            memcpy(x + t * I, l->x + (l->seq.start[t] + i) * I, (size_t)I * sizeof *x);
        const CellWeights w = dropped_weights(heap, l, i);
        l->kind->naive(state, x, &w, length, l->reverse, I, H);
        for (int t = 0; t < length; t++)
            memcpy(twin.h + (l->seq.start[t] + i) * 2 * H + l->reverse * H, state + t * Z,
                   (size_t)H * sizeof *state);
        memcpy(twin.last + i * Z, state + (l->reverse ? 0 : length - 1) * Z,
               (size_t)Z * sizeof *state);
    }
    return twin;
}

static double objective(void *context)
{
    const Layer *l = context;
    const int H = l->shape->H;
    Heap heap = { 0 };
    Twin twin = twin_of(&heap, l, l->h);
    double sum = 0;
    for (int i = 0; i < l->seq.total; i++)
        for (int j = l->reverse * H; j < (l->reverse + 1) * H; j++)
            sum += (double)l->dh[i * 2 * H + j] * twin.h[i * 2 * H + j];
    for (int i = 0; i < l->shape->B * l->cell->states * H; i++)
        sum += (double)l->dstate[i] * twin.last[i];
    heap_free(&heap);
    return sum;
}

/* A gate adds up I + H products and two biases, its function counts 16; each step hands its error
 * on. */
static double operations(const Shape *shape)
{
    return shape->lengths[0] * (shape->I + shape->H + 20);
}

typedef void (*Check)(Layer *l);

static void for_every_layer(Check check)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int shape = 0; shape < SHAPES; shape++)
            for (int reverse = 0; reverse < REVERSES; reverse++)
                for (int variant = 0; variant < (shape == LARGE ? 1 : VARIANTS); variant++) {
                    Layer l = layer_of(&kinds[kind], &shapes[shape], reverse, (Variant)variant);
                    check(&l);
                    heap_free(&l.heap);
                }
}

static void check_states(Layer *l)
{
    const double allowed = operations(l->shape);
    Twin twin = twin_of(&l->heap, l, l->h);
    forward(l);
    assert_near(l->h, twin.h, (size_t)(l->seq.total * 2 * l->shape->H), allowed);
    assert_near(l->state, twin.last, (size_t)(l->shape->B * l->cell->states * l->shape->H),
                allowed);
}

UNIT_TEST(states_should_match_those_of_one_sentence_at_a_time)
{
    for_every_layer(check_states);
}

static void assert_weight_gradients(Layer *l, double allowed)
{
    const size_t I = (size_t)l->shape->I, H = (size_t)l->shape->H, G = (size_t)l->cell->gates * H;
    assert_gradient(l->dw.W.weights, l->w.W.weights, G * I, objective, l, allowed);
    assert_gradient(l->dw.U.weights, l->w.U.weights, G * H, objective, l, allowed);
    assert_gradient(l->dw.b, l->w.b, G, objective, l, allowed);
    assert_gradient(l->dw.c, l->w.c, G, objective, l, allowed);
    if (!l->w.state_norm.gain) return;
    assert_gradient(l->dw.input_norm.gain, l->w.input_norm.gain, G, objective, l, allowed);
    assert_gradient(l->dw.input_norm.bias, l->w.input_norm.bias, G, objective, l, allowed);
    assert_gradient(l->dw.state_norm.gain, l->w.state_norm.gain, G, objective, l, allowed);
    assert_gradient(l->dw.state_norm.bias, l->w.state_norm.bias, G, objective, l, allowed);
}

static void check_gradients(Layer *l)
{
    const double allowed = 2 * operations(l->shape) + l->seq.total;
    forward(l);
    backward(l, l->dx, 0);
    assert_gradient(l->dx, l->x, (size_t)(l->seq.total * l->shape->I), objective, l, allowed);
    assert_weight_gradients(l, allowed);
}

UNIT_TEST(backward_should_be_the_gradient_of_every_input_and_weight)
{
    for_every_layer(check_gradients);
}

int main(void) { return run_unit_tests(); }
