/* trainer.h - the loop: updates, validation, learning rate, early stopping, saving.
 *
 * Knows nothing of terminals: what happens is told through TrainerEvents.
 */
#ifndef ATTN_TRAIN_TRAINER_H
#define ATTN_TRAIN_TRAINER_H

#include "base/error.h"
#include "base/pool.h"
#include "model/file.h"
#include "text/corpus.h"
#include "text/segments.h"
#include "train/examples.h"
#include "train/recipe.h"

#include <signal.h>

/* What a training run has reached: all that resuming needs besides the weights and Adam's moments. */
typedef struct {
    long   step;                /* updates done */
    long   epoch;               /* epochs begun before this one */
    int    batch;               /* batches done in this epoch */
    double rate;                /* learning rate now, before the cooldown */
    double best_loss;           /* of all validations; infinity before the first */
    long   best_step;           /* 0: none yet */
    long   validated_step;      /* of the last validation; 0: none yet */
    int    stalled;             /* validations since the best */
    long   skipped;             /* updates dropped because the gradient was not finite */
    int    skipped_in_row;      /* the last so many updates were */
    int    recoveries;          /* returns to good weights */
    long   recovered_step;      /* of the last one; 0: none yet */
    double seconds;             /* of training, over all runs */
    double tokens;              /* target tokens learned from, over all runs */
} Reached;

/* One update. */
typedef struct {
    const Reached *reached;
    double epoch;               /* passes over the training pairs, 1.5: in the middle of the second */
    double share;               /* of the whole run done, by whichever of epochs, steps, time ends first */
    double loss;                /* cross-entropy summed over the target tokens, in nats, without smoothing */
    double tokens;              /* target tokens */
    double flops;               /* of the matrix products */
    double seconds;
    double norm;                /* of the gradient, before clipping */
    double rate;                /* the learning rate of this update */
    int    skipped;             /* the gradient was not finite: loss may be no number, and no weight was changed */
} UpdateReport;

typedef struct {
    const Reached *reached;
    double epoch;
    double rate;                /* the learning rate of the last update */
    double valid_loss;          /* mean cross-entropy a target token, in nats */
    double bleu, chrf;          /* of the validation sentences translated greedily; -1: none were */
    int    improved;            /* the model file now holds these weights */
} ValidationReport;

typedef struct {
    void *context;
    void (*updated)(void *context, const UpdateReport *report);         /* after every update */
    void (*validated)(void *context, const ValidationReport *report);
    void (*troubled)(void *context, const char *text);                  /* training goes on all the same */
} TrainerEvents;

typedef struct {
    Model                *model;        /* weights initialised; model->training gets the run's story */
    const Recipe         *recipe;
    const Examples       *train;
    const Pairs          *valid;        /* count 0: no validation, the model is saved at the end */
    const Segments       *text;         /* validation sentences to translate for BLEU and chrF; count 0: none */
    Pool                 *pool;
    const char           *model_path;
    const char           *state_path;   /* training state, saved beside the model while training */
    double                save_every;   /* seconds between saves of the state */
    int                   resume;       /* begin from state_path */
    uint64_t              corpus_hash, valid_hash;      /* of the text; valid_hash 0: no file of its own */
    const volatile sig_atomic_t *interrupted;   /* becomes non-zero when the run should save and stop */
} Training;

typedef enum { ENDED_EPOCHS, ENDED_STEPS, ENDED_TIME, ENDED_STALLED, ENDED_INTERRUPTED } Ending;

/* trainer_run - trains until a limit, early stopping or an interrupt. The model file then holds the best weights (the
 * last where there is no validation), the state file is removed unless the run was interrupted.
 *
 * An update whose gradient is not finite is dropped. After MOST_SKIPPED of them in a row the run goes back to its last
 * good weights (the best of a validation; without validation those that an epoch began with and could go on from) with
 * half the learning rate; a run that has done so MOST_RECOVERIES times diverges, which is an error. All of it depends
 * on steps alone, never on time. */
enum { MOST_SKIPPED = 5, MOST_RECOVERIES = 5 };
int trainer_run(const Training *training, const TrainerEvents *events, Ending *ending, Reached *reached, Err *e);

const char *ending_text(Ending ending);         /* "the validation loss has stopped falling" */

#endif
