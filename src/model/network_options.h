/* network_options.h - the options of the network, their checks, and the widths that follow from them. */
#ifndef ATTN_MODEL_NETWORK_OPTIONS_H
#define ATTN_MODEL_NETWORK_OPTIONS_H

#include "base/error.h"
#include "base/field.h"
#include "nn/hard_attention.h"
#include "nn/score/score.h"
#include "nn/self_attention.h"

enum { MAX_LAYERS = 8, MAX_ATTENTION_LAYERS = 6 };
enum { ENCODER_RECURRENT, ENCODER_SELF_ATTENTION };
enum { READOUT_DEEP, READOUT_SIMPLE };
enum { START_PROJECT, START_LAST };
enum { TIE_NONE, TIE_TARGET, TIE_ALL };

typedef struct {
    int embedding;          /* E */
    int hidden;             /* H: of each direction of the encoder, and of the decoder */
    int encoder;            /* ENCODER_... */
    int encoder_attention_layers;   /* above the recurrent layers, or instead of them */
    int decoder_attention_layers;   /* over the words written so far */
    int heads;              /* of each self-attention */
    int feed_forward;       /* of each self-attention layer; 0: 4 times its width where nothing recurs, else none */
    int cell;               /* which cell: an index into cells[] (nn/cell.h) */
    int decoder;            /* which decoder type: an index into decoder_types[] (model/decoder_type.h) */
    int attention;          /* which score: an index into attention_scores[] (nn/score/score.h) */
    int attention_width;    /* A; 0: as hidden */
    int attention_positions;        /* location: source positions that have a score; 0: not given */
    int attention_window;   /* local-p: D */
    int layers;             /* L: of the encoder and of the decoder */
    int hard_attention;     /* HARD_NONE, HARD_TOP, HARD_SAMPLED (nn/hard_attention.h) */
    int hard_positions;     /* k */
    int hard_gradient;      /* HARD_STRAIGHT_THROUGH, HARD_REINFORCE */
    int residual;           /* from layer 2 on, what a layer reads is added to what it says */
    int bidirectional;
    int readout;            /* READOUT_... */
    int start;              /* START_...: project = tanh(W_0 · mean of the states), last = the encoder's last states */
    int tie;                /* TIE_...: which embeddings are the output layer's weights too */
    int layer_norm;         /* of the gates of all cells (nn/cell.h) and of the deep readout (model/readout.h) */
} NetworkOptions;

extern const Field network_fields[];
extern const char *const hard_names[];      /* of HARD_NONE ... */
NetworkOptions network_defaults(void);

/* network_original - the network of Bahdanau et al. (2015), and what a model file means by a setting that it lacks: it
 * was written before there was a choice. */
NetworkOptions network_original(void);

/* network_has_attention - whether the network has weights over the source's positions. */
int network_has_attention(const NetworkOptions *options);

/* network_check - whether the options fit together; -1 with what would be right. */
int network_check(const NetworkOptions *options, Err *e);

/* Self-attention layers, one upon the other. */
typedef struct {
    SelfAttentionSizes sizes;
    int                layers;
} AttentionStack;

/* The widths that follow from the options. */
typedef struct {
    int E, H, C, A, L;
    int R;                  /* recurrent layers of the encoder: L or 0 */
    int Vs, Vt;
    int directions;         /* 1 or 2; C = directions * H, or E where nothing recurs */
    int G, Z;               /* widths of a cell's gates and of its state: multiples of H */
    int F;                  /* what layer 0 of the decoder reads beside the word before */
    AttentionStack encoder_attention, decoder_attention;
    int O;                  /* width of what the output layer reads: E (deep) or H (simple) */
} Sizes;

Sizes network_sizes(const NetworkOptions *options, int source_vocabulary, int target_vocabulary);
ScoreSizes network_score_sizes(const NetworkOptions *options);

#endif
