/* test_self_attention.c - layers of self-attention over packed sequences, some with a memory:
 * against the twin that reads one sentence, differences of that twin (of the layer itself under
 * dropout), and word by word. test_network_torch.c compares with PyTorch.
 */
#include "base/random/rng.h"
#include "gradient.h"
#include "naive.h"
#include "nn/self_attention.h"

#include <string.h>

/* M, sources: width of the memory and lengths of its sentences; M 0: there is none. */
typedef struct {
    int D, heads, F, causal, B, lengths[4], M, sources[4], pre, activation, recurrence;
} Shape;

/* The longest sentence of some takes two blocks of queries. */
static const Shape shapes[] = {
    { 6, 3, 5, 0, 3, { 4, 2, 1 }, 0, { 0 }, 0, 0, 0 },
    { 6, 3, 5, 1, 3, { 4, 2, 1 }, 0, { 0 }, 0, 0, 0 },
    { 8, 1, 0, 0, 2, { 3, 3 }, 0, { 0 }, 0, 0, 0 },
    { 7, 7, 0, 1, 4, { 5, 4, 1, 1 }, 0, { 0 }, 0, 0, 0 },
    { 6, 2, 3, 0, 2, { 34, 2 }, 0, { 0 }, 0, 0, 0 },
    { 6, 2, 3, 1, 2, { 34, 33 }, 0, { 0 }, 0, 0, 0 },
    { 6, 3, 5, 0, 3, { 4, 2, 1 }, 0, { 0 }, 1, 0, 0 },
    { 6, 1, 0, 1, 2, { 3, 2 }, 0, { 0 }, 1, 0, 0 },
    { 6, 3, 5, 1, 3, { 4, 2, 1 }, 6, { 2, 5, 1 }, 0, 0, 0 },
    { 6, 2, 0, 1, 2, { 3, 2 }, 4, { 1, 3 }, 0, 0, 0 },
    { 6, 2, 3, 1, 2, { 4, 1 }, 5, { 2, 36 }, 1, 0, 0 },
    { 4, 2, 0, 1, 1, { 33 }, 3, { 3 }, 0, 0, 0 },
    { 6, 3, 5, 0, 3, { 4, 2, 1 }, 0, { 0 }, 0, ACTIVATION_SWISH, 0 },
    { 6, 2, 3, 1, 2, { 3, 2 }, 0, { 0 }, 1, ACTIVATION_GELU, 0 },
    { 6, 3, 5, 1, 2, { 2, 2 }, 0, { 0 }, 0, ACTIVATION_GELU_SIGMOID, 0 },
    { 6, 1, 5, 0, 2, { 3, 1 }, 0, { 0 }, 0, ACTIVATION_GELU_TANH, 0 },
    { 6, 3, 5, 1, 3, { 4, 2, 1 }, 6, { 2, 5, 1 }, 0, ACTIVATION_SWISH, RECURRENCE_SSRU },
    { 6, 2, 0, 1, 4, { 5, 4, 4, 1 }, 4, { 1, 3, 1, 1 }, 1, 0, RECURRENCE_SSRU },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef struct {
    Heap                 heap;
    const Shape         *shape;
    SelfAttentionSizes   n;
    PackedSequence               seq;
    SelfAttentionWeights w, dw;
    SelfAttentionSave    save;
    SelfAttentionNoise   noise;
    real                *x, *dx, *y, *dy;       /* (N, D) */
    real                *scratch;
    int                  positions, first[4];   /* of the memory */
    real                *memory, *dmemory;      /* (positions, M) */
    real                *kv, *dkv;              /* (positions, 2D) */
} Layer;

/* ---- the weights ---- */

/* Sizes are D, F, M or multiples of them; rows of a part that the layer has not are left out. */
typedef struct { const char *name; size_t member; int part, rows, columns; } Tensor;
enum { SIZE_D = -1, SIZE_3D = -2, SIZE_F = -3, SIZE_M = -4, SIZE_2D = -5 };
enum { PART_RECURRENCE = SELF_ATTENTION_PARTS, PART_NORM };
#define TENSOR(part, name, member, rows, columns) \
    { name, offsetof(SelfAttentionWeights, member), part, rows, columns }

static const Tensor all_tensors[] = {
    TENSOR(PART_SELF, "in", in.weights, SIZE_3D, SIZE_D),
    TENSOR(PART_SELF, "in_bias", in_bias, SIZE_3D, 1),
    TENSOR(PART_SELF, "out", out.weights, SIZE_D, SIZE_D),
    TENSOR(PART_SELF, "out_bias", out_bias, SIZE_D, 1),
    TENSOR(PART_RECURRENCE, "ssru.weight", ssru.weight.weights, SIZE_2D, SIZE_D),
    TENSOR(PART_RECURRENCE, "ssru.bias", ssru.bias, SIZE_D, 1),
    TENSOR(PART_NORM, "norm1.gain", norm1.gain, SIZE_D, 1),
    TENSOR(PART_NORM, "norm1.bias", norm1.bias, SIZE_D, 1),
    TENSOR(PART_SOURCE, "query", source.query.weights, SIZE_D, SIZE_D),
    TENSOR(PART_SOURCE, "key", source.key.weights, SIZE_D, SIZE_M),
    TENSOR(PART_SOURCE, "value", source.value.weights, SIZE_D, SIZE_M),
    TENSOR(PART_SOURCE, "source.in_bias", source.in_bias, SIZE_3D, 1),
    TENSOR(PART_SOURCE, "source.out", source.out.weights, SIZE_D, SIZE_D),
    TENSOR(PART_SOURCE, "source.out_bias", source.out_bias, SIZE_D, 1),
    TENSOR(PART_SOURCE, "source.norm.gain", source.norm.gain, SIZE_D, 1),
    TENSOR(PART_SOURCE, "source.norm.bias", source.norm.bias, SIZE_D, 1),
    TENSOR(PART_FEED_FORWARD, "linear1", linear1.weights, SIZE_F, SIZE_D),
    TENSOR(PART_FEED_FORWARD, "bias1", bias1, SIZE_F, 1),
    TENSOR(PART_FEED_FORWARD, "linear2", linear2.weights, SIZE_D, SIZE_F),
    TENSOR(PART_FEED_FORWARD, "bias2", bias2, SIZE_D, 1),
    TENSOR(PART_FEED_FORWARD, "norm2.gain", norm2.gain, SIZE_D, 1),
    TENSOR(PART_FEED_FORWARD, "norm2.bias", norm2.bias, SIZE_D, 1),
};
enum { TENSORS = sizeof all_tensors / sizeof *all_tensors };

static int size_of(int size, const SelfAttentionSizes *n)
{
    const int D = n->attention.D, sizes[] = { 0, D, 3 * D, n->F, n->M, 2 * D };
    return size < 0 ? sizes[-size] : size;
}

/* The layer's tensors, with their sizes; returns how many there are. */
static int tensors(Tensor *list, const SelfAttentionSizes *n)
{
    const int has[] = { !n->recurrence, n->M, n->F, n->recurrence, 1 };
    int count = 0;
    for (int i = 0; i < TENSORS; i++) {
        Tensor t = all_tensors[i];
        t.rows = size_of(t.rows, n);
        t.columns = size_of(t.columns, n);
        if (has[t.part]) list[count++] = t;
    }
    return count;
}

/* Matrices are Linears, which begin with their values. */
static SelfAttentionWeights weights_of(Heap *heap, real *(*take)(Heap *, size_t),
                                       const SelfAttentionSizes *n)
{
    SelfAttentionWeights w = { 0 };
    Tensor list[TENSORS];
    const int count = tensors(list, n);
    for (int i = 0; i < count; i++) {
        const int rows = list[i].rows, columns = list[i].columns;
        char *at = (char *)&w + list[i].member;
        real *x = take(heap, (size_t)(rows * columns));
        if (columns > 1) *(Linear *)at = linear_of(x, columns, rows, columns, PRECISION_FLOAT);
        else *(real **)at = x;
    }
    return w;
}

static NormSave norm_save(Heap *heap, size_t N, size_t D)
{
    NormSave save;
    save.u = heap_random(heap, N * D);
    save.rstd = heap_random(heap, N);
    return save;
}

static SelfAttentionSave save_of(Heap *heap, size_t N, size_t D, size_t F)
{
    SelfAttentionSave save;
    save.ssru = (SsruSave){ heap_random(heap, N * 2 * D), heap_random(heap, N * D) };
    save.inner = heap_random(heap, N * F);
    save.qkv = heap_random(heap, N * 3 * D);
    save.z = heap_random(heap, N * D);
    save.source_q = heap_random(heap, N * D);
    save.source_z = heap_random(heap, N * D);
    save.hidden = heap_random(heap, N * F);
    for (int part = 0; part < SELF_ATTENTION_PARTS; part++) {
        save.part[part].norm = norm_save(heap, N, D);
        save.part[part].normed = heap_random(heap, N * D);
        save.part[part].y = heap_random(heap, N * D);
    }
    return save;
}

/* Numbers for which the differences are exact: rows that are far from equal values, where a norm is
 * steep, small numbers before a softmax; and hidden units that are open or closed to all rows, for
 * relu has a corner. */
static void keep_smooth(SelfAttentionWeights *w, real *x, int N, const Shape *s)
{
    const int D = s->D, F = s->F;
    for (int i = 0; i < N * D; i++)
        x[i] *= 2;
    for (int i = 0; i < 3 * D * D && !s->recurrence; i++)
        w->in.weights[i] /= 8;
    for (int i = 0; i < D * D; i++) {
        if (!s->recurrence) w->out.weights[i] /= 4;
        if (s->M) w->source.query.weights[i] /= 4;
        if (s->M) w->source.out.weights[i] /= 4;
    }
    for (int i = 0; i < D * s->M; i++)
        w->source.key.weights[i] /= 4;
    for (int i = 0; i < D && !s->pre; i++) {
        w->norm1.gain[i] += 1;
        if (s->M) w->source.norm.gain[i] += 1;
    }
    for (int i = 0; i < F * D; i++)
        w->linear1.weights[i] /= 16;
    for (int i = 0; i < F; i++)
        w->bias1[i] = s->activation ? w->bias1[i] : i % 2 ? -3 : 3;
}

static int longest_source(const Shape *s)
{
    int longest = 0;
    for (int i = 0; i < s->B; i++)
        if (s->sources[i] > longest) longest = s->sources[i];
    return longest;
}

static void add_memory(Layer *l)
{
    for (int i = 0; i < l->shape->B; i++) {
        l->first[i] = l->positions;
        l->positions += l->shape->sources[i];
    }
    const size_t positions = (size_t)l->positions, D = (size_t)l->shape->D;
    l->memory = heap_random(&l->heap, positions * (size_t)l->shape->M);
    l->dmemory = heap_zeros(&l->heap, positions * (size_t)l->shape->M);
    l->kv = heap_random(&l->heap, positions * 2 * D);
    l->dkv = heap_random(&l->heap, positions * 2 * D);
}

static Layer layer_from_shape(const Shape *shape)
{
    Layer l = { .shape = shape, .n = { { .D = shape->D, .heads = shape->heads, .causal = shape->causal },
                                       shape->F, shape->M, shape->pre, shape->activation, shape->recurrence,
                                       (real)1e-5 } };
    l.seq = packed_of(&l.heap, shape->lengths, shape->B);
    const size_t N = (size_t)l.seq.total, D = (size_t)shape->D, F = (size_t)shape->F;
    l.w = weights_of(&l.heap, heap_random, &l.n);
    l.dw = weights_of(&l.heap, heap_zeros, &l.n);
    l.save = save_of(&l.heap, N, D, F);
    l.x = heap_random(&l.heap, N * D);
    keep_smooth(&l.w, l.x, l.seq.total, shape);
    l.dx = heap_random(&l.heap, N * D);
    l.y = heap_random(&l.heap, N * D);
    l.dy = heap_random(&l.heap, N * D);
    add_memory(&l);
    l.scratch = heap_random(&l.heap, self_attention_scratch(&l.n, l.seq.total, l.seq.steps,
                                                            longest_source(shape)));
    return l;
}

static SelfAttentionLayer layer_of(const Layer *l)
{
    return (SelfAttentionLayer){ &l->n, &l->w, &l->dw, &l->save, l->noise, l->scratch,
                                 { l->kv, l->first, l->shape->sources }, l->dkv, NULL, NULL,
                                 { NULL, NULL } };
}

static void forward(Layer *l)
{
    const SelfAttentionLayer layer = layer_of(l);
    if (l->n.M) self_attention_read(&layer, l->kv, l->memory, l->positions);
    self_attention_forward(&layer, l->y, l->x, &l->seq);
}

static void backward(Layer *l, real *dx, const real *dy)
{
    const SelfAttentionLayer layer = layer_of(l);
    self_attention_backward(&layer, dx, dy, l->x, &l->seq);
    if (l->n.M) self_attention_read_backward(&layer, l->dmemory, l->memory, l->positions);
}

static size_t values(const Layer *l)
{
    return (size_t)(l->seq.total * l->n.attention.D);
}

/* The packed result as the twin computes it, a sentence at a time. */
static double *twin(Heap *heap, const Layer *l)
{
    const int D = l->n.attention.D, steps = l->seq.steps;
    double *packed = heap_doubles(heap, values(l)), *y = heap_doubles(heap, (size_t)(steps * D));
    real *x = heap_zeros(heap, (size_t)(steps * D));
    for (int i = 0; i < l->shape->B; i++) {
        const int length = l->shape->lengths[i];
        for (int t = 0; t < length; t++)
            memcpy(x + t * D, l->x + (l->seq.start[t] + i) * D, (size_t)D * sizeof *x);
        naive_self_attention(y, x, l->memory + l->first[i] * l->n.M, l->shape->sources[i], &l->w,
                             length, &l->n);
        for (int t = 0; t < length; t++)
            memcpy(packed + (l->seq.start[t] + i) * D, y + t * D, (size_t)D * sizeof *y);
    }
    return packed;
}

static double twin_objective(void *context)
{
    const Layer *l = context;
    Heap heap = { 0 };
    double *y = twin(&heap, l), sum = 0;
    for (size_t i = 0; i < values(l); i++)
        sum += (double)l->dy[i] * y[i];
    heap_free(&heap);
    return sum;
}

static double own_objective(void *context)
{
    Layer *l = context;
    forward(l);
    return dot(l->dy, l->y, values(l));
}

/* Sums as long as the widths and the sentence, and two norms whose rstd (below 16) makes roundings
 * larger. */
static double operations(const Shape *s)
{
    return 256 * (8 * s->D + 2 * s->F + 2 * s->lengths[0] + 20)
           + (s->M ? 256 * (6 * s->D + 2 * s->M + 2 * longest_source(s)) : 0);
}

static real **tensor_at(SelfAttentionWeights *w, const Tensor *t)
{
    return (real **)((char *)w + t->member);
}

static void assert_gradients(Layer *l, Objective objective)
{
    const double allowed = 4 * operations(l->shape) + 16 * l->seq.total;
    Tensor list[TENSORS];
    const int count = tensors(list, &l->n);
    for (int i = 0; i < count; i++) {
        const Tensor *t = &list[i];
        const size_t size = (size_t)(t->rows * t->columns);
        assert_central_differences(t->name, *tensor_at(&l->dw, t), *tensor_at(&l->w, t), size,
                                   objective, l, allowed, __FILE__, __LINE__);
    }
    assert_gradient(l->dx, l->x, values(l), objective, l, allowed);
    assert_gradient(l->dmemory, l->memory, (size_t)(l->positions * l->n.M), objective, l, allowed);
}

UNIT_TEST(results_should_match_those_of_one_sentence_at_a_time)
{
    for (int i = 0; i < SHAPES; i++) {
        Layer l = layer_from_shape(&shapes[i]);
        forward(&l);
        assert_near(l.y, twin(&l.heap, &l), values(&l), operations(&shapes[i]));
        heap_free(&l.heap);
    }
}

UNIT_TEST(backward_should_be_the_gradient_of_every_input_and_weight)
{
    for (int i = 0; i < SHAPES; i++) {
        Layer l = layer_from_shape(&shapes[i]);
        forward(&l);
        backward(&l, l.dx, l.dy);
        assert_gradients(&l, twin_objective);
        heap_free(&l.heap);
    }
}

static void dropout_set(Layer *l, double weights, double residual)
{
    uint64_t *token = heap_take(&l->heap, (size_t)l->seq.total, sizeof *token);
    for (int i = 0; i < l->seq.total; i++)
        token[i] = (uint64_t)(i * 7 + 1);
    const uint64_t key = rng_key(1, 1, RNG_DROPOUT);
    l->noise = (SelfAttentionNoise){ { { weights, key, 0 }, 1, token },
                                     { { weights, key, 0 }, 2, token }, { residual, key, 0 },
                                     { 3, 4, 5 } };
}

UNIT_TEST(backward_should_be_the_gradient_under_dropout)
{
    if (!REAL_IS_DOUBLE) skip();
    for (int i = 0; i < SHAPES; i++) {
        Layer l = layer_from_shape(&shapes[i]);
        dropout_set(&l, 0.3, 0.2);
        forward(&l);
        backward(&l, l.dx, l.dy);
        assert_gradients(&l, own_objective);
        heap_free(&l.heap);
    }
}

/* All positions weigh the same and hold ones: each head's result is the share of the weights that
 * it has kept. */
UNIT_TEST(heads_should_drop_weights_of_their_own)
{
    enum { STEPS_OF_ONE = 34 };
    const Shape shape = { 2, 2, 0, 0, 1, { STEPS_OF_ONE }, 0, { 0 }, 0, 0, 0 };
    Layer l = layer_from_shape(&shape);
    memset(l.w.in.weights, 0, 3 * 2 * 2 * sizeof *l.w.in.weights);
    for (int i = 0; i < 3 * 2; i++)
        l.w.in_bias[i] = 1;
    dropout_set(&l, 0.5, 0);
    forward(&l);
    int equal = 0;
    for (int i = 0; i < STEPS_OF_ONE; i++)
        equal += l.save.z[2 * i] == l.save.z[2 * i + 1];
    /* two binomial numbers of 34 are equal in one of 10 */
    assert_true(equal < STEPS_OF_ONE / 2);
    heap_free(&l.heap);
}

/* ---- word by word ---- */

enum { STEPS = 5, ROWS = 3 };

/* A tree of three sequences: at each step, whose row each goes on from. */
static const int from[STEPS][ROWS] = { { 0, 0, 0 }, { 0, 0, 0 }, { 1, 1, 2 }, { 2, 0, 1 },
                                       { 0, 2, 2 } };

static void step_all(real *y, Layer *l, const MultiHeadCache *cache, real *state, const real *x, int t)
{
    real before[ROWS * 6], weights[6 * STEPS];
    const real *row[STEPS];
    memcpy(before, state, sizeof before);
    for (int i = 0; i < ROWS; i++)
        memcpy(state + i * 6, before + from[t][i] * 6, 6 * sizeof *state);
    for (int s = 0; s < t; s++) {
        int path[ROWS];
        for (int i = 0; i < ROWS; i++)
            path[i] = cache->path[s][from[t][i]];
        memcpy(cache->path[s], path, sizeof path);
    }
    SelfAttentionLayer layer = layer_of(l);
    layer.noise = (SelfAttentionNoise){ 0 };
    layer.state = state;
    layer.step = (StepScratch){ weights, row };
    self_attention_step(&layer, y, x, cache, t, ROWS);
}

/* The words of the sequence that row `row` of step t ends. */
static void words_of(real *words, real *const *x, int t, int row, int D)
{
    for (; t >= 0; row = from[t][row], t--)
        memcpy(words + t * D, x[t] + row * D, (size_t)D * sizeof *words);
}

static const Shape growing[] = {
    { 6, 2, 4, 1, ROWS, { STEPS, STEPS, STEPS }, 0, { 0 }, 0, 0, 0 },
    { 6, 2, 4, 1, ROWS, { STEPS, STEPS, STEPS }, 0, { 0 }, 1, 0, 0 },
    { 6, 3, 4, 1, ROWS, { STEPS, STEPS, STEPS }, 5, { 3, 3, 4 }, 0, 0, 0 },
    { 6, 2, 0, 1, ROWS, { STEPS, STEPS, STEPS }, 6, { 2, 2, 1 }, 1, 0, 0 },
    { 6, 2, 4, 1, ROWS, { STEPS, STEPS, STEPS }, 5, { 3, 3, 4 }, 0, ACTIVATION_SWISH, RECURRENCE_SSRU },
};

/* The first two sequences translate the same sentence. */
static Layer growing_layer(const Shape *shape)
{
    Layer l = layer_from_shape(shape);
    const SelfAttentionLayer layer = layer_of(&l);
    if (shape->M) self_attention_read(&layer, l.kv, l.memory, l.positions);
    l.first[1] = l.first[0];
    return l;
}

static void assert_growing(const Shape *shape)
{
    Layer l = growing_layer(shape);
    real *x[STEPS], *y = heap_zeros(&l.heap, ROWS * 6), state[ROWS * 6] = { 0 }, words[STEPS * 6];
    real kv[STEPS][ROWS * 2 * 6], *kv_of[STEPS];
    int path[STEPS][ROWS], *path_of[STEPS];
    const MultiHeadCache cache = { kv_of, path_of };
    for (int t = 0; t < STEPS; t++) {
        kv_of[t] = kv[t];
        path_of[t] = path[t];
    }
    for (int t = 0; t < STEPS; t++) {
        x[t] = heap_random(&l.heap, ROWS * 6);
        step_all(y, &l, &cache, state, x[t], t);
        for (int i = 0; i < ROWS; i++) {
            double expected[STEPS * 6];
            words_of(words, x, t, i, 6);
            naive_self_attention(expected, words, l.memory + l.first[i] * shape->M,
                                 shape->sources[i], &l.w, t + 1, &l.n);
            assert_near(y + i * 6, expected + t * 6, 6, operations(shape));
        }
    }
    heap_free(&l.heap);
}

UNIT_TEST(sequences_that_branch_should_see_their_own_words_and_sentence)
{
    for (size_t i = 0; i < sizeof growing / sizeof *growing; i++)
        assert_growing(&growing[i]);
}

int main(void) { return run_unit_tests(); }
