/* net.c - the shape of the network, from its options. */
#include "model/net.h"

Net net_new(const NetworkOptions *options, int source_vocabulary, int target_vocabulary)
{
    return (Net){ .options = *options, .n = network_sizes(options, source_vocabulary, target_vocabulary),
                  .cell = cells[options->cell],
                  .attention = attention_new(scores[options->attention], network_score_sizes(options)),
                  .hard = { options->hard_attention, options->hard_positions, options->hard_gradient } };
}

size_t cell_du(const Net *net, size_t N)
{
    return N * net->cell->du * net->n.H;
}

CellSave cell_layout(Arena *arena, const Net *net, size_t N, real *du)
{
    return (CellSave){ .gates = arena_reals(arena, N * net->n.G),
                       .kept = arena_reals(arena, N * net->cell->kept * net->n.H),
                       .previous = arena_reals(arena, N * net->n.Z), .du = du };
}
