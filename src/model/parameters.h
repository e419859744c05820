/* parameters.h - one table of all parameters of the network.
 *
 * The table is built once from the options (model/network_options.h); allocation, initialisation,
 * saving, the optimizer and the gradient check all iterate over it. A set of parameters (weights,
 * gradients, Adam's two moments) is one block of `size` reals; weights_at returns a Weights with
 * pointers into any such block.
 *
 * Names, shapes and layouts are those of PyTorch's nn.Embedding, nn.GRU or nn.LSTM,
 * nn.TransformerEncoder and nn.TransformerDecoder, and nn.Linear; src/docs/attn-model.5 lists them.
 * Widths: E embedding, H hidden, C = H, 2H or E encoder state, A attention, Vs and Vt vocabularies,
 * L layers; Z = H (gru) or 2H (lstm) a cell's state, GH, G = 3 or 4, its gates; D = C or E in
 * self-attention, H or E in the readout; F the input that the decoder type feeds
 * (model/decoder/decoder_type.h), and the width of linear1.
 *
 * Tied embeddings are one tensor, saved once, under the first of its names:
 * decoder.embedding.weight is also readout.output.weight (tie = target; Press and Wolf 2017), or
 * encoder.embedding.weight is all three (tie = all).
 */
#ifndef ATTN_MODEL_PARAMETERS_H
#define ATTN_MODEL_PARAMETERS_H

#include "base/real.h"
#include "linalg/linear.h"
#include "model/network_options.h"
#include "nn/cell.h"

#include <stddef.h>
#include <stdint.h>

/* Caches of the layers' projections of single words (linalg/linear.h): the input's part
 * of the gates of layer 0, and the word's part of the deep readout. NULL: computed each time, as in
 * training. */
typedef struct {
    ProjectionCache *source[2];         /* [direction] */
    ProjectionCache *target, *readout;
} WordProjections;

/* The decoder type's own weights (model/decoder/decoder_type.h). */
enum { DECODER_LINEARS = 3 };
typedef struct {
    CellWeights cell;
    Linear      linear[DECODER_LINEARS];        /* the blocks of its matrices */
} DecoderTypeWeights;

/* The blocks of columns of readout.hidden.weight, by what they read. */
enum { HIDDEN_STATE, HIDDEN_CONTEXT, HIDDEN_WORD, HIDDEN_BLOCKS };

/* Pointers into one block, and the Linears that products read: each is a matrix, or some columns or
 * rows of one. A pointer is NULL if the options have no such parameter. Pointers to tied embeddings
 * are equal, so the gradients of all uses add up. */
typedef struct {
    Precision   precision;                      /* of all products except those of small
                                                 * weights (linalg/linear.h) */
    real       *embedding[2], *positions[2];    /* [side] (V, E); (P, E) learned */
    NormWeights embedding_norm[2];              /* [side] */
    CellWeights encoder[MAX_LAYERS][2];         /* [layer][direction] */
    CellWeights decoder[MAX_LAYERS];            /* W is the part that reads words or the layer
                                                 * below */
    Linear      feed[MAX_LAYERS];               /* the columns after it: (GH, F) of layer 0, above
                                                 * it (GH, C) if its type says so */
    DecoderTypeWeights type;                    /* of the decoder type */
    SelfAttentionWeights self_attention[2][MAX_ATTENTION_LAYERS];     /* [side][layer] */
    NormWeights attention_norm[2];              /* [side] after the last self-attention layer */
    Linear      bridge[MAX_LAYERS];             /* (Z, C) */
    real       *bridge_bias;
    Linear      score[SCORE_WEIGHTS];
    Linear      hidden[HIDDEN_BLOCKS];
    real       *hidden_bias;
    NormWeights hidden_norm;
    Linear      output;
    real       *output_bias;
    WordProjections words;                      /* for translation (model/prepacked_weights.h) */
} Weights;

typedef enum { INIT_ZERO, INIT_ONE, INIT_XAVIER, INIT_EMBEDDING, INIT_SMALL } Init;

/* The values of a parameter that a batch touches: all, or the rows of its source or target
 * words. */
typedef enum { TOUCHES_ALL, TOUCHES_SOURCE_ROWS, TOUCHES_TARGET_ROWS } Touches;

typedef struct {
    char    name[56];
    int     rows, columns;      /* columns 0: a vector of `rows` */
    Init    init;
    Touches touches;
    size_t  at;                 /* first value, in the block */
    size_t  field;              /* offset of its pointer in Weights; NO_FIELD: it has Linears */
} Parameter;

enum { NO_FIELD = 0 };          /* the offset of Weights.precision */

/* How often a pass multiplies by a weight: once for all steps, in each step, or for each chunk of
 * logits. */
typedef enum { READS_ONCE, READS_EACH_STEP, READS_EACH_CHUNK } Reads;

/* The rows of a batch that a weight is multiplied by. */
typedef enum { PER_SOURCE_TOKEN, PER_TARGET_TOKEN, PER_SENTENCE } Per;

/* A Linear in Weights: a matrix of the table, or a part of one. */
typedef struct {
    size_t at;                  /* first value, in the block of all parameters */
    int    ld, rows, columns;
    Reads  reads;
    Per    per;
    size_t field;               /* its offset in Weights */
} WeightBlock;

typedef struct {
    Parameter   *row;
    int          count;
    WeightBlock *block;         /* weights_in makes a Linear of each */
    int          blocks;
    Per          per;           /* while it is made: of the next blocks */
    size_t       size;          /* reals of one block; every tensor starts at a multiple of 16 */
    size_t       values;        /* parameters of the network */
    int          tie, layer_norm;   /* as in the options */
} ParameterTable;

/* parameters_new - with tie = all, both vocabularies must have the same size. */
ParameterTable *parameters_new(const NetworkOptions *options, int source_vocabulary,
                               int target_vocabulary);
void            parameters_free(ParameterTable *table);

size_t  parameter_count(const Parameter *p);    /* the number of values of one tensor */

/* weights_in - returns pointers into the block, with products in that precision and without
 * prepacked copies (model/prepacked_weights.h). weights_at - the same in PRECISION_FLOAT. */
Weights weights_in(const ParameterTable *table, real *block, Precision precision);
Weights weights_at(const ParameterTable *table, real *block);

/* parameters_init - initialises the block: matrices uniform in +-sqrt(6 / (fan_in + fan_out))
 * (Glorot and Bengio 2010, equation 16), embeddings standard normal as in nn.Embedding (with a
 * variance of 1/E the words hardly reach the gates, and the first 500 updates on the eng-fra corpus
 * learn nothing but word frequencies). Tied embeddings are normal with the variance 1/E that output
 * weights need: with 1 the logits would start at +-sqrt(E), some +-16. So are the embeddings of a
 * network whose decoder has no recurrence; model/embedding_layer.c scales both kinds where words
 * are read. Learned positions have the same variance. Gains of normalisations are 1, biases 0. The
 * same seed gives the same block.
 *
 * The state's part of normalised gates is U h + c. At a sentence's first step this is c alone.
 * Normalising a c that starts at 0 multiplies its gradient by 1 / sqrt(1e-5) = 316, so it is most
 * of the first gradients. Other values of c, a c that is always 0, or a larger epsilon make these
 * gradients 2 to 25 times smaller; but no network learned faster by more than seeds differ, and the
 * default learned more slowly. */
void    parameters_init(const ParameterTable *table, real *block, uint64_t seed);

/* parameters_extend - sets the block to the weights `from` of the same network with smaller
 * vocabularies (`smaller`), whose entries are the first of the table's. The rows of new entries are
 * the mean of the old ones, so that until they are learned they are no more probable than those
 * (Hewitt 2021, "Initializing New Word Embeddings for Pretrained Language Models"). */
void    parameters_extend(const ParameterTable *table, real *block, const ParameterTable *smaller,
                          const real *from);

#endif
