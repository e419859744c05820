/* hyperparameters.h - how a network is trained: all settings with their defaults; what suits a
 * corpus where the user has not chosen ("auto"); and the memory that it takes, with a network as
 * wide as the corpus is worth within a limit of it.
 */
#ifndef ATTN_TRAIN_HYPERPARAMETERS_H
#define ATTN_TRAIN_HYPERPARAMETERS_H

#include "base/field.h"
#include "model/batch.h"
#include "model/parameters.h"
#include "text/corpus/corpus.h"
#include "text/tokenizer/tokenizer.h"
#include "train/update/processes.h"

#include <stdint.h>

enum { NORMALIZE_TOKENS, NORMALIZE_STEPS };
enum { MASK_TOKEN, MASK_SENTENCE };
enum { STOP_LOSS, STOP_BLEU, STOP_CHRF, STOP_NONE };

/* How the learning rate rises and falls with the share of the run (train/training.h). */
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

/* ---- What suits a corpus ----
 *
 * Pure functions of the size of its training part, so that the same corpus gives the same network.
 * Only the precision depends on the CPU. */

typedef struct {
    double pairs;                           /* of the training part */
    double source_words, target_words;      /* running words of its sides */
    int    lacks_words;                     /* its tokens are symbols, or given: no word is altered */
} CorpusSize;

/* The widths that follow from a corpus. */
enum { WIDTH_LEAST = 256, WIDTH_MOST = 1024, WIDTH_STEP = 64 };

/* `asked` holds the user's choices; fields that are FIELD_AUTO are not chosen. shared: both sides
 * have one vocabulary.
 * network_for - the whole network; widest: a limit from WIDTH_LEAST to WIDTH_MOST.
 * hyperparameters_for - what is not chosen, and may depend on what is. */
NetworkOptions  network_for(const CorpusSize *size, const NetworkOptions *asked, int shared,
                            int widest);
Hyperparameters hyperparameters_for(const CorpusSize *size, const Hyperparameters *asked,
                                    int shared);

/* hyperparameters_to_continue - the same for this network, which has learned another corpus before:
 * a lower rate and fewer epochs, one pass of each pair, and one direction. */
Hyperparameters hyperparameters_to_continue(const CorpusSize *size, const Hyperparameters *asked,
                                            const NetworkOptions *network);

/* ---- Memory ---- */

/* What a training run will take, estimated before it is allocated. */
typedef struct {
    double weights;         /* bytes of all blocks like the weights: those of the updater
                             * (updater_blocks in train/update/updater.h), one gradient per worker,
                             * and the finished networks of an ensemble */
    double batch;           /* bytes of the rest: prepacked weights; and the activations of the
                             * largest share of a batch, or of a slice of it, for each worker, or
                             * what the validation takes, whichever is more (updater_rest) */
} MemoryEstimate;

/* memory_estimate - of one process with its workers, where each of all workers has at most such a
 * share of a batch (batches_share), and with these validation pairs; NULL: none. With BPE-dropout,
 * pairs may become longer than this estimate knows.
 * memory_estimate_check - -1 if this process cannot have that much memory; the message says how
 * much is needed, how much is available, and which options to lower: of a network that is given,
 * by --init, those of workers and batches alone. */
MemoryEstimate memory_estimate(const NetworkOptions *options, int source_vocabulary,
                               int target_vocabulary, BatchSize share, const Pairs *valid,
                               const Hyperparameters *hyper, Crew crew);
int            memory_estimate_check(const MemoryEstimate *estimate, int is_given, Err *e);

typedef struct {
    NetworkOptions network;     /* nothing is "auto" any more */
    int            worth;       /* its hidden width without the limit */
    double         needs;       /* bytes that it would then take */
} LimitedNetwork;

/* network_within - the network for a corpus (network_for), as wide as training it takes no more
 * bytes, and at least as wide as that of a small corpus. What the user has chosen stays. It is a
 * function of corpus and limit alone, so that no number of workers makes another network: the bytes
 * are those of one worker and a batch of the longest sentences, which several workers share; each
 * further one takes a gradient more. Nothing of hyper may be "auto". */
LimitedNetwork network_within(const CorpusSize *size, const NetworkOptions *asked,
                              const TextOptions *text, const Hyperparameters *hyper, double bytes);

#endif
