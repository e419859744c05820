/* net.h - what encoder, decoder and readout share: the shape of the network, and the noise of a training step. */
#ifndef ATTN_MODEL_NET_H
#define ATTN_MODEL_NET_H

#include "base/mem.h"
#include "model/parameters.h"
#include "nn/attention.h"
#include "nn/dropout.h"

typedef struct {
    NetworkOptions options;
    Sizes          n;
    const Cell    *cell;
    Attention      attention;
    Hard           hard;
} Net;

Net net_new(const NetworkOptions *options, int source_vocabulary, int target_vocabulary);

/* cell_layout - what one layer keeps of N steps. du (cell_du reals of N steps) is the caller's: layers may share it. */
CellSave cell_layout(Arena *arena, const Net *net, size_t N, real *du);
size_t   cell_du(const Net *net, size_t N);

/* Dropout of one step; all zero: none. */
typedef struct {
    Dropout embedding;              /* word embeddings of both sides */
    Dropout hidden;                 /* states between layers, the deep readout, and what joins a residual */
    Dropout attention;              /* weights of attention */
    uint64_t draws;                 /* stream of what hard attention draws; 0: a fixed one */
    double   baseline;              /* of HARD_REINFORCE: what a word costs usually */
} Noise;

/* Each dropout of the network has a place of its own (nn/dropout.h). */
enum {
    PLACE_SOURCE, PLACE_TARGET, PLACE_READOUT,
    PLACE_ENCODER,                              /* + layer */
    PLACE_DECODER = PLACE_ENCODER + MAX_LAYERS, /* + layer */
    /* + layer, those of the decoder behind the encoder's; two for each layer's residuals */
    PLACE_SELF_WEIGHTS = PLACE_DECODER + MAX_LAYERS,
    PLACE_ATTENTION = PLACE_SELF_WEIGHTS + 2 * MAX_ATTENTION_LAYERS,
    PLACE_SELF_RESIDUAL
};

#endif
