/* network_options.h - the options of the network, their checks, and the widths that follow from
 * them. */
#ifndef ATTN_MODEL_NETWORK_OPTIONS_H
#define ATTN_MODEL_NETWORK_OPTIONS_H

#include "base/error.h"
#include "base/field.h"
#include "base/real.h"
#include "nn/attention.h"
#include "nn/score/score.h"
#include "nn/self_attention.h"

typedef enum { SIDE_SOURCE, SIDE_TARGET } PassSide;
enum { MAX_LAYERS = 8, MAX_ATTENTION_LAYERS = 24 };
enum { ENCODER_RECURRENT, ENCODER_SELF_ATTENTION };
enum { READOUT_DEEP, READOUT_SIMPLE };
enum { START_PROJECT, START_LAST };
enum { TIE_NONE, TIE_TARGET, TIE_ALL };
enum { NORM_POST, NORM_PRE };
enum { POSITIONS_SINUSOIDAL, POSITIONS_LEARNED, POSITIONS_MARIAN, POSITIONS_HUGGING_FACE,
       POSITIONS_CTRANSLATE2 };
enum { SCALE_ROOT, SCALE_NONE };
enum { SOURCE_END_EOS, SOURCE_END_NONE };

typedef struct {
    int embedding;          /* E */
    int hidden;             /* H: of each direction of the encoder, and of the decoder */
    int encoder;            /* ENCODER_... */
    int encoder_attention_layers;   /* after the recurrent layers, or instead of them */
    int decoder_attention_layers;   /* over the target words so far; below the recurrent layers, or
                                     * instead of them */
    int heads;              /* of each self-attention */
    int feed_forward;       /* of each self-attention layer; 0: 4 times its width in an encoder or
                             * decoder without recurrent layers, otherwise none */
    int norm;               /* NORM_...: where self-attention layers normalise */
    int positions;          /* POSITIONS_... of the words that self-attention reads */
    int cell;               /* index into cells[] (nn/cell.h) */
    int decoder;            /* index into decoder_types[] (model/decoder/decoder_type.h) */
    int attention;          /* index into attention_scores[] (nn/score/score.h) */
    int attention_width;    /* A; 0: as hidden */
    int attention_positions;        /* location, linear: source positions with a score; learned
                                     * positions: how many; 0: not set */
    int attention_window;   /* local-p and scaled-local-p: D */
    int layers;             /* L: of the encoder and of the decoder */
    int hard_attention;     /* HARD_NONE, HARD_TOP, HARD_SAMPLED (nn/attention.h) */
    int hard_positions;     /* k */
    int hard_gradient;      /* HARD_STRAIGHT_THROUGH, HARD_REINFORCE */
    int residual;           /* a recurrent layer's input is added to its output, ... */
    int residual_from;      /* ... from this layer on, from 1; at least 2 */
    int bidirectional;
    int bidirectional_layers;       /* of the encoder, from the bottom; 0: all */
    int readout;            /* READOUT_... */
    int start;              /* START_...: project = tanh(W_0 · mean of the states),
                             * last = the encoder's last states */
    int tie;                /* TIE_...: embeddings that are also the output layer's weights */
    int layer_norm;         /* of all cells' gates (nn/cell.h) and of the deep readout */
    /* in model files of format 4 alone (network_is_recent) */
    int activation;         /* ACTIVATION_... of feed-forward layers (nn/self_attention.h) */
    double norm_epsilon;    /* of normalisations in self-attention layers and of embeddings; 0:
                             * NORM_EPSILON (nn/layer_norm.h) */
    int embedding_scale;    /* SCALE_...: of the embeddings that model/embedding_layer.c scales */
    int embedding_norm;     /* words and positions are normalised before anything reads them */
    int source_end;         /* SOURCE_END_...: what the encoder reads behind a source */
    int zero_start;         /* the decoder's first word is a zero vector, whatever the embedding of
                             * <bos> is */
    int decoder_recurrence; /* RECURRENCE_...: in self-attention layers of the decoder */
    int alignment_layer;    /* of a decoder whose layers attend to the source: the layer, from 1,
                             * whose weights are the alignment; 0: the mean of all */
    int alignment_head;     /* the head, from 1; 0: the mean of all */
} NetworkOptions;

extern const Field network_fields[];
extern const char *const hard_names[];      /* names of HARD_NONE ... */
NetworkOptions network_defaults(void);

/* network_to_json - the options as a JSON object; those of format 4 only where they are not
 * neutral. network_is_recent - whether a model file of format 3 can't say what the network is. */
cJSON *network_to_json(const NetworkOptions *options);
int    network_is_recent(const NetworkOptions *options);

/* network_original - the network of Bahdanau et al. (2015). It also gives the options that a model
 * file lacks because it was written before they existed. */
NetworkOptions network_original(void);

/* network_has_attention - returns whether the network has attention weights over the source
 * positions. */
int network_has_attention(const NetworkOptions *options);

/* network_score - the score of the decoder's attention; a decoder whose layers attend to the source
 * by themselves has score_none. */
const AttentionScore *network_score(const NetworkOptions *options);

/* network_can_tie - whether the output layer is as wide as the embeddings. */
int network_can_tie(const NetworkOptions *options);

/* network_check - checks that the options fit together; returns -1 with a message that says what to
 * change. */
int network_check(const NetworkOptions *options, Err *e);

/* A stack of self-attention layers. */
typedef struct {
    SelfAttentionSizes sizes;
    int                layers;
} AttentionStack;

/* The widths that follow from the options. */
typedef struct {
    int E, H, C, A;
    int L, R;               /* recurrent layers of the decoder, of the encoder; either may be 0 */
    int D;                  /* width of the decoder's output: H, or E without recurrent layers */
    int Vs, Vt;
    int two_way;            /* how many of the encoder's layers, from the bottom, read in both
                             * directions */
    int first_residual;     /* the first recurrent layer, from 0, with a residual; MAX_LAYERS:
                             * none */
    int G, Z;               /* widths of a cell's gates and of its state: multiples of H */
    int F;                  /* input of the decoder's layer 0 besides the previous word */
    int above;              /* input of its other layers besides the layer below */
    AttentionStack self_attention[2];       /* by side */
    int P;                  /* learned positions of each side; 0: sinusoids */
    int normalises_words;   /* --embedding-norm */
    real epsilon;           /* of that normalisation and those of self-attention layers */
    int O;                  /* input width of the output layer: E (deep) or D (simple) */
} Sizes;

/* encoder_directions - of the encoder's recurrent layer l, from 0. encoder_width - of its states,
 * both directions side by side. C is that of the top layer, or E without recurrent layers. */
int encoder_directions(const Sizes *n, int l);
int encoder_width(const Sizes *n, int l);

Sizes network_sizes(const NetworkOptions *options, int source_vocabulary, int target_vocabulary);
ScoreSizes network_score_sizes(const NetworkOptions *options);

#endif
