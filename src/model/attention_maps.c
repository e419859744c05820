/* attention_maps.c - one forward pass over the pair, and the weights of the chosen heads. */
#include "model/attention_maps.h"

#include "base/plural.h"
#include "model/decoder/decoder.h"
#include "model/encoder.h"

#include <string.h>

const char *const map_names[] = { "cross", "source", "target", NULL };

static const AttentionStack *stack_of(const Sizes *n, MapKind of)
{
    return of == MAP_SOURCE ? &n->encoder_attention : &n->decoder_attention;
}

int attention_map_is_usual(MapChoice choice)
{
    return choice.of == MAP_CROSS && !choice.heads.layer && !choice.heads.head;
}

int attention_map_check(const NetworkOptions *options, MapChoice choice, Err *e)
{
    const Sizes n = network_sizes(options, 0, 0);
    const AttentionStack *stack = stack_of(&n, choice.of);
    const char *side = choice.of == MAP_SOURCE ? "encoder" : "decoder";
    if (attention_map_is_usual(choice)) return 0;
    if (choice.of == MAP_CROSS && !stack->sizes.M)
        return err(e, "--heatmap-layer and --heatmap-head choose among the heads of --decoder "
                      "self-attention, and the model attends to the source in one place; leave "
                      "them out");
    if (!stack->layers)
        return err(e, "--heatmap-of %s draws self-attention, and the model's %s has none",
                   map_names[choice.of], side);
    if (choice.heads.layer > stack->layers)
        return err(e, "--heatmap-layer %d: the model's %s has %d self-attention layer%s",
                   choice.heads.layer, side, stack->layers, plural(stack->layers));
    if (choice.heads.head > stack->sizes.attention.heads)
        return err(e, "--heatmap-head %d: the model's layers have %d head%s", choice.heads.head,
                   stack->sizes.attention.heads, plural(stack->sizes.attention.heads));
    return 0;
}

typedef struct {
    Batch        batch;
    EncoderState encoder;
    DecoderState decoder;
    real        *weights;       /* (rows, columns) */
} Map;

static void layout(Map *m, Arena *arena, const Architecture *net, BatchSize size, size_t weights)
{
    encoder_layout(&m->encoder, arena, net, size, 0);
    decoder_layout(&m->decoder, arena, net, size, 0);
    m->weights = arena_reals(arena, weights);
}

static void run(Map *m, const Architecture *net, const Weights *w, MapChoice choice, int columns)
{
    Pass pass = pass_of_batch(net, w, &m->batch);
    encoder_forward(&m->encoder, &pass);
    const AttentionSource memory = encoder_memory(&m->encoder, pass.source);
    pass.memory = &memory;
    decoder_forward(&m->decoder, &pass, m->encoder.start);
    attention_layers_weights(choice.of == MAP_SOURCE ? &m->encoder.attention
                                                     : &m->decoder.attention,
                             &pass, choice.of == MAP_CROSS ? PART_SOURCE : PART_SELF,
                             choice.heads, m->weights, columns);
}

float *attention_map(const Architecture *net, const Weights *w, const Sentence *pair, int bos,
                     MapChoice choice)
{
    const int rows = choice.of == MAP_SOURCE ? pair->source_length : pair->target_length;
    const int columns = choice.of == MAP_TARGET ? pair->target_length : pair->source_length;
    const size_t count = (size_t)rows * (size_t)columns;
    const BatchSize size = batch_size(pair, 1);
    float *map = xmalloc(count, sizeof *map);
    Map m = { 0 };
    Arena measure = { 0 }, arena = { 0 };
    layout(&m, &measure, net, size, count);
    arena_reserve(&arena, measure.used + batch_measure(size));
    batch_build(&m.batch, &arena, pair, 1, bos);
    layout(&m, &arena, net, size, count);
    memset(m.weights, 0, count * sizeof *m.weights);
    run(&m, net, w, choice, columns);
    for (size_t i = 0; i < count; i++)
        map[i] = (float)m.weights[i];
    arena_free(&arena);
    return map;
}
