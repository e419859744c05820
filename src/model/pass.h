/* pass.h - the shape of the network, and one pass through it: the inputs that encoder, decoder and
 * readout share. */
#ifndef ATTN_MODEL_PASS_H
#define ATTN_MODEL_PASS_H

#include "base/mem.h"
#include "model/batch.h"
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

/* The noise of one training step; all zero means none. */
typedef struct {
    Dropout word[2];                /* whole words, by side (model/embedding_layer.c) */
    Dropout embedding;              /* values of the word embeddings of both sides */
    Dropout hidden;                 /* states between layers, the deep readout, and what is added
                                     * to the residuals of self-attention */
    Dropout recurrent;              /* previous states, where a step multiplies them (nn/cell.h) */
    Dropout attention;              /* weights of attention */
    uint64_t draws;                 /* random stream of hard attention; 0: a fixed one */
    double   baseline;              /* of HARD_REINFORCE: the usual loss of a word */
    Dropout  choice;                /* of HARD_REINFORCE: of its choice (nn/attention.h) */
    double   threshold;             /* gradients of logits below it are sampled (model/readout.h);
                                     * 0: none are */
    uint64_t sampling;              /* random stream of this sampling */
} Noise;

extern const Noise no_noise;

/* Each dropout of the network has its own place (nn/dropout.h). Self-attention layers above the
 * first ones have theirs behind all others, each those of the encoder and those of the decoder. */
enum { FIRST_LAYERS = 6, ENCODER_LAYER_PLACES = 3, LAYER_PLACES = 8 };
enum {
    PLACE_SOURCE, PLACE_TARGET, PLACE_READOUT,
    PLACE_ENCODER,                              /* + layer */
    PLACE_DECODER = PLACE_ENCODER + MAX_LAYERS, /* + layer */
    PLACE_WORD = PLACE_DECODER + MAX_LAYERS,    /* + side */
    PLACE_ENCODER_STATE = PLACE_WORD + 2,       /* + 2 * layer + direction */
    PLACE_DECODER_STATE = PLACE_ENCODER_STATE + 2 * MAX_LAYERS,     /* + layer */
    PLACE_DECODER_TYPE_STATE = PLACE_DECODER_STATE + MAX_LAYERS,    /* a decoder type's cell */
    PLACE_ATTENTION,
    /* self-attention, + layer, the decoder's after the encoder's: one of its weights, two of its
     * residuals */
    PLACE_SELF_WEIGHTS,
    PLACE_SELF_RESIDUAL = PLACE_SELF_WEIGHTS + 2 * FIRST_LAYERS,
    /* a decoder layer's attention to the source, + layer */
    PLACE_SOURCE_WEIGHTS = PLACE_SELF_RESIDUAL + 4 * FIRST_LAYERS,
    PLACE_SOURCE_RESIDUAL = PLACE_SOURCE_WEIGHTS + FIRST_LAYERS,
    PLACE_CHOICE = PLACE_SOURCE_RESIDUAL + FIRST_LAYERS,    /* hard attention's */
    PLACE_ABOVE,                                /* + LAYER_PLACES * (layer - FIRST_LAYERS) */
    PLACES = PLACE_ABOVE + LAYER_PLACES * (MAX_ATTENTION_LAYERS - FIRST_LAYERS)
};
_Static_assert((int)PLACES <= (int)DROPOUT_PLACES, "two dropouts would share their masks");

/* In training both sides are those of a batch. In a search the target is one step at a time: one
 * word of each hypothesis. */
struct Pass {
    const Architecture    *architecture;
    const Weights         *weights;
    const Weights         *gradients;   /* of the weights, accumulated; NULL: forward only */
    const SourceBatch     *source;      /* input of the encoder */
    const TargetBatch     *target;      /* input of decoder and readout */
    const AttentionSource *memory;      /* result of the encoder, which the decoder attends to */
    const Noise           *noise;
};

/* The words of one side, packed. */
typedef struct {
    const PackedSequence *packed;
    const int            *id;           /* (N) */
    const uint64_t       *token;        /* (N) of dropout masks; may be NULL without dropout */
} SideWords;

SideWords pass_words(const Pass *pass, PassSide side);

/* pass_cell - a layer of cells of one side, whose previous states are dropped out at `place`. */
CellLayer pass_cell(const Pass *pass, PassSide side, const CellWeights *w, const CellWeights *dw,
                    const CellSave *save, int place, real *scratch);

/* pass_of_batch - returns a forward pass without noise; the caller sets the other members. The
 * arguments must outlive the pass. pass_size - returns the size of the pass's batch. */
Pass      pass_of_batch(const Architecture *net, const Weights *w, const Batch *batch);
BatchSize pass_size(const Pass *pass);

/* Returns token + at, or NULL if token is NULL. */
static inline const uint64_t *tokens_from(const uint64_t *token, int at)
{
    return token ? token + at : token;
}

/* ---- the words that a pass reads (model/embedding_layer.c) ---- */

/* embedding_layer_layout - what the layer keeps of N words for the backward pass.
 * embedding_layer_forward - computes x (N, E) for the words of one side, the first of which are at
 * position `first`.
 * embedding_layer_backward - accumulates pass->gradients from dx (N, E), which it overwrites. */
NormSave embedding_layer_layout(Arena *arena, const Architecture *net, size_t N);
void     embedding_layer_forward(real *x, const NormSave *save, const Pass *pass, PassSide side,
                                 int first);
void     embedding_layer_backward(real *dx, const NormSave *save, const Pass *pass, PassSide side);

/* embedding_sinusoid - P(t, j) of sinusoids of a kind (POSITIONS_...), of width E. */
double embedding_sinusoid(int kind, int t, int j, int E);

#endif
