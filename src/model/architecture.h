/* architecture.h - the shape of the network, shared by encoder, decoder and readout. */
#ifndef ATTN_MODEL_ARCHITECTURE_H
#define ATTN_MODEL_ARCHITECTURE_H

#include "base/mem.h"
#include "model/decoder/decoder_type.h"
#include "nn/attention.h"
#include "nn/dropout.h"

typedef struct {
    NetworkOptions     options;
    Sizes              n;
    const Cell        *cell;
    const DecoderType *decoder;
    DecoderShape       decoder_shape;
    Attention          attention;
    HardAttention      hard;
} Architecture;

Architecture architecture_of(const NetworkOptions *options, int source_vocabulary,
                             int target_vocabulary);

/* architecture_for_training - the same network for training in that precision: the products of
 * activations with each other (nn/multi_head.h) use it too. Otherwise they are PRECISION_FLOAT. */
Architecture architecture_for_training(const Architecture *net, Precision precision);

/* cell_layout - the activations that one layer keeps of N steps. du (cell_du reals for N steps)
 * belongs to the caller; layers may share it. cell_scratch - the reals of scratch that the rows of
 * one step need besides. */
CellSave cell_layout(Arena *arena, const Architecture *net, size_t N, real *du);
size_t   cell_du(const Architecture *net, size_t N);
size_t   cell_scratch(const Architecture *net, size_t rows);

NormSave norm_layout(Arena *arena, size_t rows, int n);

#endif
