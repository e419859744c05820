/* hyperparameters.h - how a network is trained: all settings with their defaults. */
#ifndef ATTN_TRAIN_HYPERPARAMETERS_H
#define ATTN_TRAIN_HYPERPARAMETERS_H

#include "base/field.h"

#include <stdint.h>

enum { NORMALIZE_TOKENS, NORMALIZE_STEPS };
enum { MASK_TOKEN, MASK_SENTENCE };
enum { STOP_LOSS, STOP_BLEU, STOP_CHRF, STOP_NONE };

/* How the learning rate rises and falls with the share of the run (train/course.h). */
typedef enum {
    SCHEDULE_CONSTANT, SCHEDULE_INVERSE_SQRT, SCHEDULE_LINEAR, SCHEDULE_COSINE
} ScheduleKind;

typedef struct {
    int    kind;            /* SCHEDULE_... */
    double warmup;          /* updates, or below 1 a share; 0: none. inverse-sqrt needs one */
    double cooldown;        /* share of the run; linear and cosine ignore it */
} Schedule;

/* The table in hyperparameters.c says more of each. Shares are 0 to 1. */
typedef struct {
    int      epochs;            /* most passes over the training part */
    int      steps;             /* most updates; 0: no limit */
    double   time_limit;        /* seconds; 0: no limit */
    int      ensemble;          /* networks, trained one after the other, that translate together */
    int      right_left;        /* how many of them, the last ones, write from right to left */
    int      batch;             /* pairs per batch */
    int      max_length;        /* tokens per side, <eos> included */
    int      truncate;          /* longer sides are cut instead of left out */
    double   rate;              /* Adam's learning rate */
    double   beta2;             /* decay of Adam's second moment (nn/adam.h) */
    double   decay;             /* the rate is multiplied by this when validation stalls */
    Schedule schedule;
    int      early_stop;        /* what chooses the best weights (STOP_...); if equal, the loss.
                                 * STOP_NONE: the last ones are kept, and no validation ends the run
                                 * or changes its rate */
    int      patience;          /* validations that are no better before training stops; 0: never */
    int      batch_tokens;      /* tokens per batch (train/data/batches.h); 0: `batch` decides */
    int      accumulate;        /* batches per update */
    double   average;           /* decay of the average of the weights (train/update/updater.h); 0:
                                 * none */
    double   clip;              /* largest gradient norm; 0: no clipping */
    int      normalize;         /* the loss is a mean over ... (NORMALIZE_...) */
    double   weight_decay;      /* decoupled from the gradient (nn/adam.h); of matrices alone */
    double   dropout, dropout_embedding, dropout_recurrent, dropout_attention;
    double   dropout_rise;      /* first passes in which the first two rise from 0; 0: none */
    double   word_dropout_source, word_dropout_target;      /* of whole words */
    int      dropout_mask;      /* what has a mask of its own (MASK_...; nn/dropout.h) */
    double   label_smoothing;
    double   r_drop;            /* alpha of R-Drop (nn/loss.h); 0: none */
    double   sparse_gradient;   /* gradients of logits below it are sampled; 0: none are */
    /* train/data/examples.h: */
    double   bpe_dropout;       /* share of possible merges left out in training */
    double   copy_words;        /* share of known words of both sides that become placeholders */
    double   noise;             /* share of sources with each kind of noise */
    double   phrases;           /* share of the visits of pairs that learn a phrase of theirs */
    double   both_directions;   /* first share of the run in which pairs are learned from target to
                                 * source too; it needs one vocabulary */
    int      validate_every;    /* updates; 0: every epoch */
    int      validate_sentences;/* validation sentences translated for BLEU and chrF */
    uint64_t seed;
    int      precision;         /* of the matrix products in training (linalg/precision.h) */
    int      threads;           /* 0: one per core */
} Hyperparameters;

extern const Field hyperparameter_fields[];
Hyperparameters hyperparameters_defaults(void);

#endif
