/* parameters.h - what the network is made of: its options, and one table of all its parameters.
 *
 * The table is built once from the options; allocation, initialisation, saving, the optimizer and the gradient check
 * all walk over it. A set of parameters (weights, gradients, Adam's two moments) is one block of `size` reals, and
 * weights_at points a Weights into any such block.
 *
 * Names, shapes and layouts are those of PyTorch's nn.Embedding, nn.GRU or nn.LSTM, nn.TransformerEncoder, and
 * nn.Linear.
 * Widths: E embedding, H hidden, C = H, 2H or E encoder state, A attention, Vs and Vt vocabularies, L layers; Z = H
 * (gru) or 2H (lstm) a cell's state, G = 3 or 4 its gates; F what the decoder type feeds (model/decoder_type.h).
 *
 *   encoder.embedding.weight                            (Vs, E)
 *   encoder.rnn.{weight_ih,weight_hh,bias_ih,bias_hh}_l{k}[_reverse]
 *                                                       (GH, E or C) (GH, H) (GH) (GH)
 *   bridge.weight, bridge.bias                          (L*Z, C) (L*Z)           start = project
 *   decoder.embedding.weight                            (Vt, E)
 *   decoder.rnn.{weight_ih,...}_l{k}                    (GH, E + F or H) (GH, H) (GH) (GH)
 *   decoder...                                          as the decoder type's file in model/ says
 *   attention...                                        as the score's file in nn/ says
 *   {encoder,decoder}.layers.{k}.self_attn.{in_proj_weight,in_proj_bias}, .out_proj.{weight,bias}
 *                                                       (3D, D) (3D) (D, D) (D)  self-attention of width D: C, E
 *   {encoder,decoder}.layers.{k}.{norm1,norm2}.{weight,bias}, .linear1.{weight,bias}, .linear2.{weight,bias}
 *                                                       (D) (D) (F, D) (F) (D, F) (D)
 *   readout.hidden.weight, .bias                        (E, H + C + E) (E)       readout = deep
 *   readout.output.weight, .bias                        (Vt, E or H) (Vt)
 *
 *   encoder.rnn_norm.{ih,hh}_l{k}[_reverse].{weight,bias}
 *                                                       (GH) (GH)                layer_norm (nn/cell.h)
 *   decoder.rnn_norm.{ih,hh}_l{k}.{weight,bias}         (GH) (GH)
 *   decoder.NAME_norm.{ih,hh}.{weight,bias}             (GH) (GH)                of a decoder type's own cell
 *   readout.norm.{weight,bias}                          (E) (E)                  layer_norm, readout = deep
 *
 * Tied embeddings are one tensor, saved once, under the first of its names: decoder.embedding.weight is that of
 * readout.output too (tie = target; Press and Wolf 2017), or encoder.embedding.weight that of all three (tie = all).
 */
#ifndef ATTN_MODEL_PARAMETERS_H
#define ATTN_MODEL_PARAMETERS_H

#include "base/real.h"
#include "linalg/linear.h"
#include "linalg/projection_cache.h"
#include "model/network_options.h"
#include "nn/cell.h"

#include <stddef.h>
#include <stdint.h>

/* The caches of what layers make of single words (linalg/projection_cache.h): the input's part of the gates of layer 0,
 * and the word's part of the deep readout. NULL: computed each time, as in training. */
typedef struct {
    ProjectionCache *source[2];         /* [direction] */
    ProjectionCache *target, *readout;
} WordProjections;

/* The weights of a decoder type's own (model/decoder_type.h). */
enum { DECODER_LINEARS = 3 };
typedef struct {
    CellWeights cell;
    Linear      linear[DECODER_LINEARS];        /* the blocks of its matrices */
} DecoderTypeWeights;

/* The blocks of columns of readout.hidden.weight: what each reads. */
enum { HIDDEN_STATE, HIDDEN_CONTEXT, HIDDEN_WORD, HIDDEN_BLOCKS };

/* Pointers into one block, and the weights that products read, each a matrix or some columns or rows of one. NULL where
 * the options have no such parameter; equal where embeddings are tied, so that the gradients of all uses add up. */
typedef struct {
    Precision   precision;                      /* of all products but those of small weights (linalg/linear.h) */
    real       *source_embedding, *target_embedding;
    CellWeights encoder[MAX_LAYERS][2];          /* [layer][direction] */
    CellWeights decoder[MAX_LAYERS];             /* layer 0: W is the part that reads words */
    Linear      feed;                           /* (GH, F) the columns behind it */
    DecoderTypeWeights type;                    /* of the decoder type */
    SelfAttentionWeights encoder_attention[MAX_ATTENTION_LAYERS];
    SelfAttentionWeights decoder_attention[MAX_ATTENTION_LAYERS];
    Linear      bridge[MAX_LAYERS];             /* (Z, C) */
    real       *bridge_bias;
    Linear      score[SCORE_WEIGHTS];
    Linear      hidden[HIDDEN_BLOCKS];
    real       *hidden_bias;
    NormWeights hidden_norm;
    Linear      output;
    real       *output_bias;
    WordProjections   words;                           /* for translation (model/word_projections.h) */
} Weights;

typedef enum { INIT_ZERO, INIT_ONE, INIT_XAVIER, INIT_EMBEDDING, INIT_TIED } Init;

/* Which of its values a batch touches: all, or the rows of its source or target words. */
typedef enum { TOUCHES_ALL, TOUCHES_SOURCE_ROWS, TOUCHES_TARGET_ROWS } Touches;

typedef struct {
    char    name[56];
    int     rows, columns;      /* columns 0: a vector of `rows` */
    Init    init;
    Touches touches;
    size_t  at;                 /* first value, in the block */
    size_t  field;              /* offset of its pointer in Weights; NO_FIELD: blocks of it are Linears there */
} Parameter;

enum { NO_FIELD = 0 };          /* where Weights has its precision */

/* How often a pass multiplies by a weight: once for all steps, in each step, for each chunk of logits. */
typedef enum { READS_ONCE, READS_EACH_STEP, READS_EACH_CHUNK } Reads;

/* A Linear in Weights: a matrix of the table, or a part of one. */
typedef struct {
    size_t at;                  /* first value, in the block of all parameters */
    int    ld, rows, columns;
    Reads  reads;
    size_t field;               /* its offset in Weights */
} WeightBlock;

typedef struct {
    Parameter   *row;
    int          count;
    WeightBlock *block;         /* what weights_in makes Linears of */
    int          blocks;
    size_t       size;          /* reals of one block; every tensor starts at a multiple of 16 */
    size_t       values;        /* parameters of the network */
    int          tie, layer_norm;   /* as in the options */
} ParameterTable;

/* parameters_new - tie = all needs vocabularies of one size. */
ParameterTable *parameters_new(const NetworkOptions *options, int source_vocabulary, int target_vocabulary);
void            parameters_free(ParameterTable *table);

size_t  parameter_count(const Parameter *p);                            /* values of one tensor */

/* weights_in - points into the block, with products in that precision; of no weight is there a copy
 * (model/prepacked_weights.h). weights_at - the same in PRECISION_FLOAT. */
Weights weights_in(const ParameterTable *table, real *block, Precision precision);
Weights weights_at(const ParameterTable *table, real *block);

/* parameters_init - matrices uniform in +-sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio 2010, equation 16),
 * embeddings standard normal as nn.Embedding's (with a variance of 1/E the words hardly reach the gates, and the
 * first 500 updates on the eng-fra corpus learn nothing but word frequencies). Tied embeddings are normal
 * with the variance 1/E that output weights need: with 1 the logits would begin at +-sqrt(E), some +-16 (embed.h makes
 * up for it where words are read). Gains of normalisations are 1, biases 0. The same seed gives the same block.
 *
 * The state's part of normalised gates is U h + c. At a sentence's first step that is c alone, and
 * normalising what begins at 0 multiplies its gradient by 1 / sqrt(1e-5) = 316, so that it is most of
 * the first gradients. A c of other numbers, or always 0, or a larger epsilon make them 2 to 25 times
 * smaller; but no network learned sooner by more than seeds differ, and the default learned later. */
void    parameters_init(const ParameterTable *table, real *block, uint64_t seed);

#endif
