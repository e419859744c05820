/* decoder_type.h - the decoder types: when a step attends to the source, and how it uses the
 * context.
 *
 * A new decoder type is a `const DecoderType decoder_NAME` in decoder_types.c and one row in the
 * table below. The DecoderType declares what the type adds to the network: the parameters, their
 * names in the model file, the memory, the count of operations and the option --decoder follow from
 * it. Its functions build a step from the attention and the recurrent layers
 * (model/decoder/decoder.h).
 */
#ifndef ATTN_MODEL_DECODER_TYPE_H
#define ATTN_MODEL_DECODER_TYPE_H

#include "model/parameters.h"

typedef struct DecoderState DecoderState;
typedef struct DecoderGradient DecoderGradient;
typedef struct Pass Pass;

/* A matrix decoder.NAME.weight (rows, sum of the blocks): each block of columns becomes a Linear of
 * its own. */
typedef struct {
    const char *name;                               /* NULL ends a list of them */
    int         rows, block[DECODER_LINEARS + 1];   /* widths of the blocks; 0 ends them */
} DecoderMatrix;

/* What a type adds to embedding, attention and recurrent layers. A width of 0 or a name of NULL
 * adds nothing; a type without recurrent layers has no shape. */
typedef struct {
    int           fed;                              /* F: input of layer 0 besides the word */
    int           context_above;                    /* the layers above read the context as well */
    int           query_layer;                      /* of bahdanau and gnmt: whose state attends */
    struct { const char *name; int input; } cell;   /* decoder.NAME.{weight_ih,...}; input width */
    DecoderMatrix matrix[DECODER_LINEARS + 1];      /* together at most DECODER_LINEARS blocks */
    int           carried;                          /* width of a state besides the layers' */
    int           saved;                            /* width that each row keeps for backward */
    int           gradient;                         /* width of a gradient within one step */
    int           own_output;                       /* the output is not the top layer's */
} DecoderShape;

typedef struct {
    DecoderShape (*shape)(const Sizes *n);          /* n->F is not yet set */

    /* The functions of recurrent layers, a step at a time; all NULL: there are none, and the result
     * of the self-attention layers (model/attention_layers.h) is the decoder's output.
     *
     * step - computes the context, the recurrent states and d->output of rows
     * `at` .. `at + rows - 1`. */
    void (*step)(DecoderState *d, const Pass *pass, int at, int rows);

    /* step_backward - reads the gradients of the recurrent states after the step, and g of these
     * rows; replaces the former by the gradients of the recurrent states before the step. */
    void (*step_backward)(DecoderState *d, const DecoderGradient *g, const Pass *pass, int at,
                          int rows);

    /* weights_backward - after the last step, accumulates the gradients of the weights of the
     * attention's query, of W_F and of the type's own weights, from all N rows at once. */
    void (*weights_backward)(DecoderState *d, const DecoderGradient *g, const Pass *pass, int N);

    /* context_weight - the W (G, C) that makes a part of gates from the context, where nothing else
     * of a step reads the context (model/decoder/decoder.h). NULL: there is none. */
    const Linear *(*context_weight)(const Weights *w);
} DecoderType;

/* One row for each type: its constant, its DecoderType, its name for --decoder and in the model
 * file, and its text in --help. */
#define DECODER_TYPE_TABLE(ROW) \
    ROW(BAHDANAU, bahdanau, "bahdanau", "attend, then update the state with the context") \
    ROW(LUONG, luong, "luong", "update the state, attend, and feed the result to the next step") \
    ROW(CONDITIONAL, conditional, "conditional", "attend between two updates of the state") \
    ROW(GNMT, gnmt, "gnmt", "as bahdanau, but the first layer attends, and all read the context") \
    ROW(SELF_ATTENTION, self_attention, "self-attention", "attend to the words so far and to the " \
        "source in layers without recurrence")

#define DECODER_TYPE_CONSTANT(constant, type, name, help) DECODER_##constant,
enum { DECODER_TYPE_TABLE(DECODER_TYPE_CONSTANT) DECODER_TYPES };

/* The default of `attn train`, and the type of a model file without the setting. */
enum { DECODER_DEFAULT = DECODER_CONDITIONAL, DECODER_ORIGINAL = DECODER_BAHDANAU };

#define DECODER_TYPE_DECLARE(constant, type, name, help) extern const DecoderType decoder_##type;
DECODER_TYPE_TABLE(DECODER_TYPE_DECLARE)

extern const DecoderType *const decoder_types[];        /* the table, ended by NULL */
extern const char *const decoder_type_names[];  /* their names in the same order, for --decoder */

#endif
