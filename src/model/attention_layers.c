/* attention_layers.c - a stack of self-attention layers, and the decoder type that consists of one.
 *
 * Vaswani et al. (2017), section 3.1: no recurrence. Each of --decoder-attention-layers attends to
 * the words so far, then to the source (nn/self_attention.h):
 *
 *   x_t = s E y_{t-1} + P(t)                        model/embedding_layer.c
 *   y   = layers(x, memory)                         read by the readout
 *
 * All positions of a batch are computed at once. A search keeps the keys and values of the words so
 * far, or the state of the recurrent unit in their place (--decoder-recurrence); keys and values of
 * the memory are computed once a sentence.
 */
#include "model/attention_layers.h"

#include "base/mem.h"

#include <stdint.h>
#include <string.h>

static SelfAttentionSave save_layout(Arena *arena, size_t N, const SelfAttentionSizes *n,
                                     int backward)
{
    const size_t D = (size_t)n->attention.D;
    const int exists[SELF_ATTENTION_PARTS] = { 1, n->M, n->F };
    SelfAttentionSave save = { 0 };
    if (n->recurrence) {
        save.ssru = (SsruSave){ arena_reals(arena, N * 2 * D), arena_reals(arena, N * D) };
    } else {
        save.qkv = arena_reals(arena, N * 3 * D);
        save.z = arena_reals(arena, N * D);
    }
    save.hidden = arena_reals(arena, N * n->F);
    if (backward && n->activation) save.inner = arena_reals(arena, N * n->F);
    if (n->M) {
        save.source_q = arena_reals(arena, N * D);
        save.source_z = arena_reals(arena, N * D);
    }
    for (int part = 0; part < SELF_ATTENTION_PARTS; part++) {
        if (!exists[part]) continue;
        save.part[part].norm = norm_layout(arena, N, n->attention.D);
        save.part[part].y = arena_reals(arena, N * D);
        if (n->pre) save.part[part].normed = arena_reals(arena, N * D);
    }
    return save;
}

void attention_layers_layout(AttentionLayers *a, Arena *arena, const Architecture *net,
                             PassSide side, BatchSize size, int backward)
{
    const AttentionStack *stack = &net->n.self_attention[side];
    const SelfAttentionSizes *n = &stack->sizes;
    const int steps = side == SIDE_SOURCE ? size.source_steps : size.target_steps;
    a->stack = stack;
    a->side = side;
    a->rows = side == SIDE_SOURCE ? size.source_tokens : size.target_tokens;
    a->source_steps = size.source_steps;
    a->alignment = (HeadChoice){ net->options.alignment_layer, net->options.alignment_head };
    if (!stack->layers) return;
    const size_t N = (size_t)a->rows, D = (size_t)n->attention.D;
    const size_t pairs = (size_t)size.source_tokens * 2 * D;    /* keys and values of the memory */
    for (int l = 0; l < stack->layers; l++) {
        a->save[l] = l && !backward ? a->save[0] : save_layout(arena, N, n, backward);
        a->y[l] = l > 1 && !backward ? a->y[l - 2] : arena_reals(arena, N * D);
    }
    if (n->recurrence && !steps) {
        a->state = arena_reals(arena, (size_t)stack->layers * N * D);
        a->spare_state = arena_reals(arena, (size_t)stack->layers * N * D);
    }
    if (n->pre) {
        a->norm = norm_layout(arena, N, n->attention.D);
        a->normed = arena_reals(arena, N * D);
    }
    for (int l = 0; n->M && l < stack->layers; l++)
        a->kv[l] = arena_reals(arena, pairs);
    if (n->M && backward) a->dkv = arena_reals(arena, pairs);
    a->scratch = arena_reals(arena, self_attention_scratch(n, backward ? a->rows : 0, steps,
                                                           size.source_steps));
}

real *attention_layers_output(const AttentionLayers *a, real *x)
{
    if (!a->stack->layers) return x;
    return a->stack->sizes.pre ? a->normed : a->y[a->stack->layers - 1];
}

static const real *input_of(const AttentionLayers *a, const real *x, int l)
{
    return l ? a->y[l - 1] : x;
}

LayerPlaces attention_layers_places(PassSide side, int l)
{
    const int layer = (int)side * FIRST_LAYERS + l;
    const int above = PLACE_ABOVE + LAYER_PLACES * (l - FIRST_LAYERS)
                      + (side == SIDE_TARGET ? ENCODER_LAYER_PLACES : 0);
    if (l < FIRST_LAYERS)
        return (LayerPlaces){ PLACE_SELF_WEIGHTS + layer, PLACE_SOURCE_WEIGHTS + l,
                              { [PART_SELF] = PLACE_SELF_RESIDUAL + 2 * layer,
                                [PART_SOURCE] = PLACE_SOURCE_RESIDUAL + l,
                                [PART_FEED_FORWARD] = PLACE_SELF_RESIDUAL + 2 * layer + 1 } };
    return (LayerPlaces){ above, above + 3, { [PART_SELF] = above + 1, [PART_SOURCE] = above + 4,
                                              [PART_FEED_FORWARD] = above + 2 } };
}

static SelfAttentionNoise noise_of(const AttentionLayers *a, int l, const Noise *noise,
                                   const uint64_t *token)
{
    const LayerPlaces places = attention_layers_places(a->side, l);
    SelfAttentionNoise this = {
        .weights = { noise->attention, places.weights, token },
        .source_weights = { noise->attention, places.source_weights, token },
        .residual = noise->hidden,
    };
    memcpy(this.place, places.part, sizeof this.place);
    return this;
}

static SelfAttentionLayer layer_of(const AttentionLayers *a, int l, const Pass *pass)
{
    /* a search reads the memory before it has a target */
    const int has_words = a->side == SIDE_SOURCE || pass->target;
    const uint64_t *token = has_words ? pass_words(pass, a->side).token : NULL;
    SelfAttentionLayer this = {
        .n = &a->stack->sizes, .w = &pass->weights->self_attention[a->side][l],
        .dw = pass->gradients ? &pass->gradients->self_attention[a->side][l] : NULL,
        .save = &a->save[l], .scratch = a->scratch, .dkv = a->dkv,
        .noise = noise_of(a, l, pass->noise, token),
    };
    if (a->stack->sizes.M && pass->memory)
        this.source = (MultiHeadSource){ a->kv[l], pass->memory->first, pass->memory->length };
    return this;
}

static NormLayer last_norm(const AttentionLayers *a, const Pass *pass)
{
    const Weights *w = pass->weights, *dw = pass->gradients;
    return (NormLayer){ &w->attention_norm[a->side], dw ? &dw->attention_norm[a->side] : NULL,
                        &a->norm, a->stack->sizes.attention.D, a->stack->sizes.epsilon };
}

static void normalise(AttentionLayers *a, const Pass *pass, int rows)
{
    const NormLayer norm = last_norm(a, pass);
    if (a->stack->sizes.pre)
        layer_norm_forward(&norm, a->normed, a->y[a->stack->layers - 1], 0, rows);
}

void attention_layers_read(AttentionLayers *a, const Pass *pass)
{
    if (!a->stack->sizes.M) return;
    for (int l = 0; l < a->stack->layers; l++) {
        const SelfAttentionLayer layer = layer_of(a, l, pass);
        self_attention_read(&layer, a->kv[l], pass->memory->memory, pass->source->packed.total);
    }
}

void attention_layers_forward(AttentionLayers *a, const Pass *pass, const real *x)
{
    const PackedSequence *seq = pass_words(pass, a->side).packed;
    if (!a->stack->layers) return;
    for (int l = 0; l < a->stack->layers; l++) {
        const SelfAttentionLayer layer = layer_of(a, l, pass);
        self_attention_forward(&layer, a->y[l], input_of(a, x, l), seq);
    }
    normalise(a, pass, seq->total);
}

void attention_layers_backward(AttentionLayers *a, const Pass *pass, real *d, const real *x,
                               real *dmemory)
{
    const PackedSequence *seq = pass_words(pass, a->side).packed;
    const NormLayer norm = last_norm(a, pass);
    if (!a->stack->layers) return;
    if (a->stack->sizes.pre) layer_norm_backward(&norm, d, d, 0, seq->total);
    for (int l = a->stack->layers - 1; l >= 0; l--) {
        const SelfAttentionLayer layer = layer_of(a, l, pass);
        self_attention_backward(&layer, d, d, input_of(a, x, l), seq);
        if (a->stack->sizes.M)
            self_attention_read_backward(&layer, dmemory, pass->memory->memory,
                                         pass->source->packed.total);
    }
}

/* ---- what the heads look at ---- */

/* Each of the chosen layers is added; their sum is the mean over layers and heads. */
static WeightView view_of(const AttentionLayers *a, HeadChoice choice, real *weights, int ld)
{
    const int layers = choice.layer ? 1 : a->stack->layers;
    const int heads = choice.head ? 1 : a->stack->sizes.attention.heads;
    return (WeightView){ .weights = weights, .ld = ld,
                         .head = choice.head ? choice.head - 1 : ALL_HEADS,
                         .share = 1 / (real)(layers * heads) };
}

void attention_layers_weights(const AttentionLayers *a, const Pass *pass, int part,
                              HeadChoice choice, real *weights, int ld)
{
    const WeightView view = view_of(a, choice, weights, ld);
    for (int l = 0; l < a->stack->layers; l++) {
        const SelfAttentionLayer layer = layer_of(a, l, pass);
        if (!choice.layer || choice.layer == l + 1)
            self_attention_weights(&layer, part, pass_words(pass, a->side).packed, &view);
    }
}

/* ---- word by word ---- */

/* Of the state of one layer. */
static size_t state_size(const AttentionLayers *a)
{
    return (size_t)a->rows * a->stack->sizes.attention.D;
}

static int has_caches(const AttentionLayers *a)
{
    return a->stack->layers && !a->state;
}

void attention_layers_begin(AttentionLayers *a, Region *region)
{
    a->region = region;
    a->steps = 0;
    a->spare = region_take(region, (size_t)a->rows, sizeof *a->spare);
}

/* A longer list with the pointers of the steps so far. */
static void *longer(AttentionLayers *a, const void *list, int steps)
{
    void *new = region_take(a->region, (size_t)steps, sizeof(void *));
    if (a->steps) memcpy(new, list, (size_t)a->steps * sizeof(void *));
    return new;
}

/* Makes room for so many steps, and for the weights of so many keys. */
static void grow_lists(AttentionLayers *a, int steps)
{
    const int keys = steps > a->source_steps ? steps : a->source_steps;
    const size_t weights = (size_t)a->stack->sizes.attention.heads * (size_t)keys;
    int **path = longer(a, a->cache[0].path, steps);
    for (int l = 0; l < a->stack->layers; l++)
        a->cache[l] = (MultiHeadCache){ longer(a, a->cache[l].kv, steps), path };
    a->step.weights = region_take(a->region, weights, sizeof *a->step.weights);
    a->step.row = region_take(a->region, (size_t)keys, sizeof *a->step.row);
    a->steps = steps;
}

/* Room for the keys and values of step t, each layer's from a cache line on. */
static void grow_caches(AttentionLayers *a, int t, int rows)
{
    enum { FIRST_STEPS = 32, LINE = 64 };
    const size_t pairs = (size_t)rows * 2 * (size_t)a->stack->sizes.attention.D;
    const int layers = a->stack->layers;
    if (t == a->steps) grow_lists(a, t ? 2 * t : FIRST_STEPS);
    if (!has_caches(a)) return;
    a->cache[0].path[t] = region_take(a->region, (size_t)a->rows, sizeof **a->cache[0].path);
    for (int l = 0; l < layers; l++) {
        char *room = region_take(a->region, 1, pairs * sizeof(real) + LINE);
        a->cache[l].kv[t] = (real *)(room + -(uintptr_t)room % LINE);
    }
}

void attention_layers_step(AttentionLayers *a, const Pass *pass, const real *x, int t,
                           real *alpha)
{
    const int rows = pass_words(pass, a->side).packed->total;
    if (!a->stack->layers) return;
    grow_caches(a, t, rows);
    const WeightView view = view_of(a, a->alignment, alpha, a->source_steps);
    if (a->state && !t)
        memset(a->state, 0, (size_t)a->stack->layers * state_size(a) * sizeof *a->state);
    if (a->stack->sizes.M) memset(alpha, 0, (size_t)rows * a->source_steps * sizeof *alpha);
    for (int l = 0; l < a->stack->layers; l++) {
        SelfAttentionLayer layer = layer_of(a, l, pass);
        layer.step = a->step;
        layer.view = !a->alignment.layer || a->alignment.layer == l + 1 ? &view : NULL;
        layer.state = a->state ? a->state + (size_t)l * state_size(a) : NULL;
        self_attention_step(&layer, a->y[l], input_of(a, x, l), &a->cache[l], t, rows);
    }
    normalise(a, pass, rows);
}

static void gather_states(AttentionLayers *a, const int *from, int rows)
{
    const size_t D = (size_t)a->stack->sizes.attention.D;
    for (int l = 0; l < a->stack->layers; l++)
        for (int i = 0; i < rows; i++)
            memcpy(a->spare_state + (size_t)l * state_size(a) + i * D,
                   a->state + (size_t)l * state_size(a) + from[i] * D, D * sizeof *a->state);
    real *old = a->state;
    a->state = a->spare_state;
    a->spare_state = old;
}

void attention_layers_gather(AttentionLayers *a, const int *from, int t, int rows)
{
    if (a->state) {
        gather_states(a, from, rows);
        return;
    }
    for (int s = 0; s < t && has_caches(a); s++) {
        int *path = a->cache[0].path[s];
        for (int i = 0; i < rows; i++)
            a->spare[i] = path[from[i]];
        memcpy(path, a->spare, (size_t)rows * sizeof *path);
    }
}

/* ---- the decoder type ---- */

static DecoderShape shape(const Sizes *n)
{
    (void)n;
    return (DecoderShape){ .fed = 0 };
}

const DecoderType decoder_self_attention = { .shape = shape };
