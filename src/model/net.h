/* net.h - what encoder, decoder and readout share: the shape of the network, and the noise of a training step. */
#ifndef ATTN_MODEL_NET_H
#define ATTN_MODEL_NET_H

#include "model/parameters.h"
#include "nn/dropout.h"

typedef struct {
    NetworkOptions options;
    Sizes          n;
    const Score   *score;
    ScoreSizes     score_sizes;
    int            P;               /* width of a prepared key and query */
} Net;

Net net_new(const NetworkOptions *options, int source_vocabulary, int target_vocabulary);

/* Dropout of one step; all zero: none. */
typedef struct {
    Dropout word[2];                /* whole words, by side (model/embed.h) */
    Dropout embedding;              /* values of the word embeddings of both sides */
    Dropout hidden;                 /* states between layers, and the deep readout */
} Noise;

/* Each dropout of the network has a place of its own (nn/dropout.h). */
enum {
    PLACE_SOURCE, PLACE_TARGET, PLACE_READOUT,
    PLACE_ENCODER,                              /* + layer */
    PLACE_DECODER = PLACE_ENCODER + MAX_LAYERS, /* + layer */
    PLACE_WORD = PLACE_DECODER + MAX_LAYERS     /* + side */
};

#endif
