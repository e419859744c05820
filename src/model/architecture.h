/* architecture.h - what encoder, decoder and readout share: the shape of the network, and the noise of a training step. */
#ifndef ATTN_MODEL_ARCHITECTURE_H
#define ATTN_MODEL_ARCHITECTURE_H

#include "base/mem.h"
#include "model/parameters.h"
#include "nn/attention.h"
#include "nn/dropout.h"

typedef struct {
    NetworkOptions options;
    Sizes          n;
    const Cell    *cell;
    Attention      attention;
    HardAttention           hard;
} Architecture;

Architecture architecture_of(const NetworkOptions *options, int source_vocabulary, int target_vocabulary);

/* net_to_learn - the same network where it learns with products of that precision: those of activations with each other
 * (nn/multi_head.h), too. Elsewhere they are PRECISION_FLOAT. */
Architecture net_to_learn(const Architecture *net, Precision precision);

/* cell_layout - what one layer keeps of N steps. du (cell_du reals of N steps) is the caller's: layers may share it.
 * cell_scratch - what rows of one step take beside it. */
CellSave cell_layout(Arena *arena, const Architecture *net, size_t N, real *du);
size_t   cell_du(const Architecture *net, size_t N);
size_t   cell_scratch(const Architecture *net, size_t rows);

NormSave norm_layout(Arena *arena, size_t rows, int n);

/* What is left to chance in one step; all zero: nothing. */
typedef struct {
    Dropout word[2];                /* whole words, by side (model/embedding_layer.h) */
    Dropout embedding;              /* values of the word embeddings of both sides */
    Dropout hidden;                 /* states between layers, the deep readout, and what joins a residual */
    Dropout recurrent;              /* states before a step, where the step multiplies them (nn/cell.h) */
    Dropout attention;              /* weights of attention */
    uint64_t draws;                 /* stream of what hard attention draws; 0: a fixed one */
    double   baseline;              /* of HARD_REINFORCE: what a word costs usually */
    double   threshold;             /* gradients of logits below it are sampled (model/readout.h); 0: none are */
    uint64_t sampling;              /* stream of which of them pass */
} Noise;

/* Each dropout of the network has a place of its own (nn/dropout.h). */
enum {
    PLACE_SOURCE, PLACE_TARGET, PLACE_READOUT,
    PLACE_ENCODER,                              /* + layer */
    PLACE_DECODER = PLACE_ENCODER + MAX_LAYERS, /* + layer */
    PLACE_WORD = PLACE_DECODER + MAX_LAYERS,    /* + side */
    PLACE_ENCODER_STATE = PLACE_WORD + 2,       /* + 2 * layer + direction */
    PLACE_DECODER_STATE = PLACE_ENCODER_STATE + 2 * MAX_LAYERS,     /* + layer */
    PLACE_TRANSITION_STATE = PLACE_DECODER_STATE + MAX_LAYERS,
    PLACE_ATTENTION,
    /* self-attention, + layer, the decoder's behind the encoder's: of its weights, and two for its residuals */
    PLACE_SELF_WEIGHTS,
    PLACE_SELF_RESIDUAL = PLACE_SELF_WEIGHTS + 2 * MAX_ATTENTION_LAYERS,
    PLACES = PLACE_SELF_RESIDUAL + 4 * MAX_ATTENTION_LAYERS
};
_Static_assert((int)PLACES <= (int)DROPOUT_PLACES, "two dropouts would share their masks");

#endif
