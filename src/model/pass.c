/* pass.c - the shape of the network, from its options, and a pass over a batch. */
#include "model/pass.h"

Architecture architecture_of(const NetworkOptions *options, int source_vocabulary,
                             int target_vocabulary)
{
    const Sizes n = network_sizes(options, source_vocabulary, target_vocabulary);
    const DecoderType *decoder = decoder_types[options->decoder];
    return (Architecture){ .options = *options, .n = n, .cell = cells[options->cell],
                           .decoder = decoder, .decoder_shape = decoder->shape(&n),
                           .attention = attention_of(network_score(options),
                                                     network_score_sizes(options)),
                           .hard = { options->hard_attention, options->hard_positions,
                                     options->hard_gradient } };
}

Architecture architecture_for_training(const Architecture *net, Precision precision)
{
    Architecture learning = *net;
    learning.n.self_attention[SIDE_SOURCE].sizes.attention.precision = precision;
    learning.n.self_attention[SIDE_TARGET].sizes.attention.precision = precision;
    return learning;
}

size_t cell_du(const Architecture *net, size_t N)
{
    return cell_keeps_du(net->cell, net->options.layer_norm) ? N * net->n.G : 0;
}

size_t cell_scratch(const Architecture *net, size_t rows)
{
    return rows * (size_t)(net->n.G + net->n.H);
}

NormSave norm_layout(Arena *arena, size_t rows, int n)
{
    return (NormSave){ .u = arena_reals(arena, rows * n), .rstd = arena_reals(arena, rows) };
}

CellSave cell_layout(Arena *arena, const Architecture *net, size_t N, real *du)
{
    CellSave save = { .gates = arena_reals(arena, N * net->n.G),
                      .extra = arena_reals(arena, N * net->cell->extra * net->n.H),
                      .previous = arena_reals(arena, N * net->n.Z), .du = du };
    if (net->options.layer_norm) {
        save.input_norm = norm_layout(arena, N, net->n.G);
        save.state_norm = norm_layout(arena, N, net->n.G);
    }
    return save;
}

/* ---- the pass ---- */

const Noise no_noise = { .threshold = 0 };

Pass pass_of_batch(const Architecture *net, const Weights *w, const Batch *batch)
{
    return (Pass){ .architecture = net, .weights = w, .source = &batch->source,
                   .target = &batch->target, .noise = &no_noise };
}

BatchSize pass_size(const Pass *pass)
{
    const PackedSequence *source = &pass->source->packed, *target = &pass->target->packed;
    return (BatchSize){ .sentences = source->rows[0], .source_steps = source->steps,
                        .source_tokens = source->total,
                        .target_steps = target->steps, .target_tokens = target->total };
}

SideWords pass_words(const Pass *pass, PassSide side)
{
    const SourceBatch *x = pass->source;
    const TargetBatch *y = pass->target;
    return side == SIDE_SOURCE ? (SideWords){ &x->packed, x->ids, x->token }
                               : (SideWords){ &y->packed, y->input, y->token };
}

CellLayer pass_cell(const Pass *pass, PassSide side, const CellWeights *w, const CellWeights *dw,
                    const CellSave *save, int place, real *scratch)
{
    return (CellLayer){ .cell = pass->architecture->cell, .H = pass->architecture->n.H, .w = w,
                        .dw = dw, .save = save, .scratch = scratch,
                        .dropout = { pass->noise->recurrent, place,
                                     pass_words(pass, side).token } };
}
