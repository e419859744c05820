/* training.h - the inputs of a training run. */
#ifndef ATTN_TRAIN_TRAINING_H
#define ATTN_TRAIN_TRAINING_H

#include "base/system/pool.h"
#include "model/file/model_file.h"
#include "text/corpus/corpus.h"
#include "text/corpus/segments.h"
#include "train/data/examples.h"
#include "train/hyperparameters/hyperparameters.h"
#include "train/update/processes.h"

#include <stdatomic.h>

/* Requests from a signal handler or another thread. */
typedef struct {
    atomic_int stop;            /* not 0: save and stop */
    atomic_int save;            /* not 0: save and continue; the trainer sets it back to 0 */
} Requests;

/* The place of a run in an ensemble, whose networks are trained one after the other; all zero: a
 * network alone. */
typedef struct {
    const Model *earlier;       /* the model file with the networks before this one; NULL: none */
    int          number;        /* of this one, from 0 */
    int          count;         /* of all */
    double       seconds;       /* training time of those before */
} Member;

/* All pointers are borrowed. */
typedef struct {
    Model                 *model;       /* the weights are initialised, and trained in place;
                                         * model->training is the part of the model file's history
                                         * that is known before training */
    const Hyperparameters *hyper;
    const Examples        *train;
    const Pairs           *valid;       /* count 0: no validation, the last weights are saved */
    const Segments        *text;        /* validation sentences to translate for BLEU and chrF;
                                         * count 0: none */
    Pool                  *pool;
    Processes             *processes;   /* NULL: this one alone */
    const char            *model_path;
    const char            *state_path;  /* training state, beside the model during training */
    double                 save_every;  /* seconds between saves of the state; 0: every update */
    double                 show_every;  /* seconds between samples of translations; 0: none */
    int                    tally_every; /* a tally is complete at multiples of this step; 0:
                                         * never */
    int                    resume;      /* continue from state_path */
    Member                 member;
    const char            *request;     /* the caller's description of the run, kept in the state;
                                         * NULL: none */
    uint64_t               corpus_hash, valid_hash;     /* of the text; valid_hash 0: no file of
                                                         * its own */
    uint64_t               vocabulary_hash;             /* of both tokenizers */
    Requests              *requests;
} Training;

/* training_stopped - whether this process was asked to stop.
 * training_agree_to_stop - whether any process was; all of them then are. Collective, as in
 * train/update/processes.h. */
static inline int training_stopped(const Training *training)
{
    return atomic_load(&training->requests->stop) != 0;
}
int training_agree_to_stop(const Training *training);

#endif
