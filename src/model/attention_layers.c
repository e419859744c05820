/* attention_layers.c - self-attention, layer upon layer. */
#include "model/attention_layers.h"

#include <string.h>

static NormSave norm_layout(Arena *arena, size_t N, size_t D)
{
    return (NormSave){ .u = arena_reals(arena, N * D), .rstd = arena_reals(arena, N) };
}

static SelfAttentionSave save_layout(Arena *arena, size_t N, const SelfAttentionSizes *n)
{
    const size_t D = (size_t)n->attention.D;
    SelfAttentionSave save = { .qkv = arena_reals(arena, N * 3 * D), .z = arena_reals(arena, N * D),
                               .norm1 = norm_layout(arena, N, D) };
    if (!n->F) return save;
    save.m = arena_reals(arena, N * D);
    save.hidden = arena_reals(arena, N * n->F);
    save.norm2 = norm_layout(arena, N, D);
    return save;
}

void attention_layers_layout(AttentionLayers *a, Arena *arena, const AttentionStack *stack, int side, size_t N,
                             int steps, int backward)
{
    const SelfAttentionSizes *n = &stack->sizes;
    a->stack = stack;
    a->side = side;
    if (!stack->layers) return;
    for (int l = 0; l < stack->layers; l++) {
        a->save[l] = save_layout(arena, N, n);
        a->y[l] = arena_reals(arena, N * n->attention.D);
    }
    a->scratch = arena_reals(arena, backward ? self_attention_scratch(n, (int)N, steps)
                                             : multi_head_scratch(n->attention, steps));
}

void attention_layers_cache(AttentionLayers *a, Arena *arena, int rows, int steps)
{
    if (!a->stack->layers) return;
    const size_t words = (size_t)rows * steps;
    a->path = arena_ints(arena, words);
    a->spare = arena_ints(arena, words);
    for (int l = 0; l < a->stack->layers; l++)
        a->cache[l] = (MultiHeadCache){ .kv = arena_reals(arena, words * 2 * a->stack->sizes.attention.D),
                                        .path = a->path, .rows = rows, .steps = steps };
}

real *attention_layers_output(const AttentionLayers *a, real *x)
{
    return a->stack->layers ? a->y[a->stack->layers - 1] : x;
}

static const real *input_of(const AttentionLayers *a, const real *x, int l)
{
    return l ? a->y[l - 1] : x;
}

static SelfAttentionNoise noise_of(const AttentionLayers *a, int l, const uint64_t *token, const Noise *noise)
{
    const int layer = a->side * MAX_ATTENTION_LAYERS + l;
    return (SelfAttentionNoise){ .weights = { noise->attention, PLACE_SELF_WEIGHTS + layer, token },
                                 .residual = noise->hidden, .place = PLACE_SELF_RESIDUAL + 2 * layer };
}

void attention_layers_forward(AttentionLayers *a, const SelfAttentionWeights *w, const real *x, const Packed *seq,
                              const uint64_t *token, const Noise *noise)
{
    for (int l = 0; l < a->stack->layers; l++) {
        const SelfAttentionNoise masks = noise_of(a, l, token, noise);
        self_attention_forward(a->y[l], &a->save[l], input_of(a, x, l), &w[l], seq, &a->stack->sizes, &masks,
                               a->scratch);
    }
}

void attention_layers_backward(AttentionLayers *a, real *d, const SelfAttentionWeights *dw,
                               const SelfAttentionWeights *w, const real *x, const Packed *seq, const uint64_t *token,
                               const Noise *noise)
{
    for (int l = a->stack->layers - 1; l >= 0; l--) {
        const SelfAttentionNoise masks = noise_of(a, l, token, noise);
        self_attention_backward(d, &dw[l], &a->save[l], d, input_of(a, x, l), &w[l], seq, &a->stack->sizes, &masks,
                                a->scratch);
    }
}

void attention_layers_step(AttentionLayers *a, const SelfAttentionWeights *w, const real *x, int t, int rows)
{
    for (int l = 0; l < a->stack->layers; l++)
        self_attention_step(a->y[l], &a->save[l], input_of(a, x, l), &w[l], &a->cache[l], t, rows, &a->stack->sizes,
                            a->scratch);
}

void attention_layers_gather(AttentionLayers *a, const int *from, int t, int rows)
{
    if (!a->stack->layers) return;
    const size_t steps = (size_t)a->cache[0].steps;
    for (int i = 0; i < rows; i++)
        memcpy(a->spare + i * steps, a->path + from[i] * steps, (size_t)t * sizeof *a->path);
    int *old = a->path;
    a->path = a->spare;
    a->spare = old;
    for (int l = 0; l < a->stack->layers; l++)
        a->cache[l].path = a->path;
}
