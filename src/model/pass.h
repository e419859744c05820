/* pass.h - one pass through the network: what encoder, decoder and readout all read. */
#ifndef ATTN_MODEL_PASS_H
#define ATTN_MODEL_PASS_H

#include "model/architecture.h"
#include "model/batch.h"

/* The noise of one training step; all zero: none. */
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

extern const Noise no_noise;

/* Each dropout of the network has a place of its own (nn/dropout.h). */
enum {
    PLACE_SOURCE, PLACE_TARGET, PLACE_READOUT,
    PLACE_ENCODER,                              /* + layer */
    PLACE_DECODER = PLACE_ENCODER + MAX_LAYERS, /* + layer */
    PLACE_WORD = PLACE_DECODER + MAX_LAYERS,    /* + side */
    PLACE_ENCODER_STATE = PLACE_WORD + 2,       /* + 2 * layer + direction */
    PLACE_DECODER_STATE = PLACE_ENCODER_STATE + 2 * MAX_LAYERS,     /* + layer */
    PLACE_DECODER_TYPE_STATE = PLACE_DECODER_STATE + MAX_LAYERS,    /* of a decoder type's own cell */
    PLACE_ATTENTION,
    /* self-attention, + layer, the decoder's after the encoder's: of its weights, and two for its residuals */
    PLACE_SELF_WEIGHTS,
    PLACE_SELF_RESIDUAL = PLACE_SELF_WEIGHTS + 2 * MAX_ATTENTION_LAYERS,
    PLACES = PLACE_SELF_RESIDUAL + 4 * MAX_ATTENTION_LAYERS
};
_Static_assert((int)PLACES <= (int)DROPOUT_PLACES, "two dropouts would share their masks");

/* In training both sides are a batch's. In a search the target is one step at a time: one word of each hypothesis. */
struct Pass {
    const Architecture    *architecture;
    const Weights         *weights;
    const Weights         *gradients;   /* of the weights, accumulated; NULL: forward only */
    const SourceBatch     *source;      /* what the encoder reads */
    const TargetBatch     *target;      /* what decoder and readout read */
    const AttentionSource *memory;      /* what the decoder attends to: the encoder's result */
    const Noise           *noise;
};

typedef enum { SIDE_SOURCE, SIDE_TARGET } PassSide;

/* The words of one side, packed. */
typedef struct {
    const PackedSequence *packed;
    const int            *id;           /* (N) */
    const uint64_t       *token;        /* (N) names of the dropout masks; may be NULL where noise has no dropout */
} SideWords;

SideWords pass_words(const Pass *pass, PassSide side);

/* pass_of_batch - forward only, without noise; the caller sets what else there is. All must outlive the pass.
 * pass_size - of the batch. */
Pass      pass_of_batch(const Architecture *net, const Weights *w, const Batch *batch);
BatchSize pass_size(const Pass *pass);

/* token + at, which may be NULL. */
static inline const uint64_t *tokens_from(const uint64_t *token, int at)
{
    return token ? token + at : token;
}

#endif
