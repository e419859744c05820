/* attention_layers.c - a stack of self-attention layers. */
#include "model/attention_layers.h"

#include <stdlib.h>
#include <string.h>

static SelfAttentionSave save_layout(Arena *arena, size_t N, const SelfAttentionSizes *n)
{
    const size_t D = (size_t)n->attention.D;
    SelfAttentionSave save = { .qkv = arena_reals(arena, N * 3 * D), .z = arena_reals(arena, N * D),
                               .norm1 = norm_layout(arena, N, n->attention.D) };
    if (!n->F) return save;
    save.m = arena_reals(arena, N * D);
    save.hidden = arena_reals(arena, N * n->F);
    save.norm2 = norm_layout(arena, N, n->attention.D);
    return save;
}

void attention_layers_layout(AttentionLayers *a, Arena *arena, const Architecture *net,
                             PassSide side, BatchSize size, int backward)
{
    const AttentionStack *stack = side == SIDE_SOURCE ? &net->n.encoder_attention
                                                      : &net->n.decoder_attention;
    const SelfAttentionSizes *n = &stack->sizes;
    const int steps = side == SIDE_SOURCE ? size.source_steps : size.target_steps;
    a->stack = stack;
    a->side = side;
    a->rows = side == SIDE_SOURCE ? size.source_tokens : size.target_tokens;
    if (!stack->layers) return;
    const size_t N = (size_t)a->rows;
    for (int l = 0; l < stack->layers; l++) {
        a->save[l] = save_layout(arena, N, n);
        a->y[l] = arena_reals(arena, N * n->attention.D);
    }
    a->scratch = arena_reals(arena, backward ? self_attention_scratch(n, (int)N, steps)
                                             : multi_head_scratch(n->attention, steps));
}

real *attention_layers_output(const AttentionLayers *a, real *x)
{
    return a->stack->layers ? a->y[a->stack->layers - 1] : x;
}

static const real *input_of(const AttentionLayers *a, const real *x, int l)
{
    return l ? a->y[l - 1] : x;
}

static SelfAttentionNoise noise_of(const AttentionLayers *a, int l, const Pass *pass)
{
    const int layer = (int)a->side * MAX_ATTENTION_LAYERS + l;
    const uint64_t *token = pass_words(pass, a->side).token;
    return (SelfAttentionNoise){ .weights = { pass->noise->attention,
                                              PLACE_SELF_WEIGHTS + layer, token },
                                 .residual = pass->noise->hidden,
                                 .place = PLACE_SELF_RESIDUAL + 2 * layer };
}

static const SelfAttentionWeights *weights_of(const AttentionLayers *a, const Weights *w, int l)
{
    return a->side == SIDE_SOURCE ? &w->encoder_attention[l] : &w->decoder_attention[l];
}

static SelfAttentionLayer layer_of(const AttentionLayers *a, int l, const Pass *pass)
{
    return (SelfAttentionLayer){ .n = &a->stack->sizes, .w = weights_of(a, pass->weights, l),
                                 .dw = pass->gradients ? weights_of(a, pass->gradients, l) : NULL,
                                 .save = &a->save[l], .scratch = a->scratch };
}

void attention_layers_forward(AttentionLayers *a, const Pass *pass, const real *x)
{
    for (int l = 0; l < a->stack->layers; l++) {
        SelfAttentionLayer layer = layer_of(a, l, pass);
        layer.noise = noise_of(a, l, pass);
        self_attention_forward(&layer, a->y[l], input_of(a, x, l),
                               pass_words(pass, a->side).packed);
    }
}

void attention_layers_backward(AttentionLayers *a, const Pass *pass, real *d, const real *x)
{
    for (int l = a->stack->layers - 1; l >= 0; l--) {
        SelfAttentionLayer layer = layer_of(a, l, pass);
        layer.noise = noise_of(a, l, pass);
        self_attention_backward(&layer, d, d, input_of(a, x, l), pass_words(pass, a->side).packed);
    }
}

/* ---- word by word ---- */

/* Grows the caches so that they hold step t. */
static void grow_cache(AttentionLayers *a, int t)
{
    if ((size_t)t < a->steps) return;
    const size_t steps = a->steps ? 2 * a->steps : 32, words = steps * (size_t)a->rows;
    const size_t pair = 2 * (size_t)a->stack->sizes.attention.D * sizeof(real);
    a->path = xrealloc(a->path, words, sizeof *a->path);
    a->weights = xrealloc(a->weights, steps, sizeof *a->weights);
    a->spare = xrealloc(a->spare, (size_t)a->rows, sizeof *a->spare);
    for (int l = 0; l < a->stack->layers; l++)
        a->cache[l] = (MultiHeadCache){ xrealloc(a->cache[l].kv, words, pair), a->path, a->rows };
    a->steps = steps;
}

void attention_layers_step(AttentionLayers *a, const Pass *pass, const real *x, int t)
{
    const int rows = pass_words(pass, a->side).packed->total;
    if (!a->stack->layers) return;
    grow_cache(a, t);
    for (int l = 0; l < a->stack->layers; l++) {
        SelfAttentionLayer layer = layer_of(a, l, pass);
        layer.scratch = a->weights;
        self_attention_step(&layer, a->y[l], input_of(a, x, l), &a->cache[l], t, rows);
    }
}

void attention_layers_gather(AttentionLayers *a, const int *from, int t, int rows)
{
    for (int s = 0; s < t && a->stack->layers; s++) {
        int *path = a->path + (size_t)s * a->rows;
        for (int i = 0; i < rows; i++)
            a->spare[i] = path[from[i]];
        memcpy(path, a->spare, (size_t)rows * sizeof *path);
    }
}

void attention_layers_free(AttentionLayers *a)
{
    free(a->path);
    free(a->spare);
    free(a->weights);
    for (int l = 0; l < a->stack->layers; l++)
        free(a->cache[l].kv);
}
