/* trainer.h - the loop: updates, validation, learning rate, early stopping, saving.
 *
 * Knows nothing of terminals: what happens is told through TrainerEvents.
 */
#ifndef ATTN_TRAIN_TRAINER_H
#define ATTN_TRAIN_TRAINER_H

#include "base/error.h"
#include "base/pool.h"
#include "model/model_file.h"
#include "text/corpus.h"
#include "text/segments.h"
#include "train/examples.h"
#include "train/hyperparameters.h"

#include <stdatomic.h>

/* Sums over some updates: loss, tokens and flops are of those that were not dropped. */
typedef struct {
    double loss;                /* nats, without smoothing */
    double tokens;              /* target tokens */
    double flops;               /* of the matrix products */
    double seconds;
    long   updates, skipped;    /* how many they are, and how many of them were dropped */
} Tally;

/* What a training run has reached: all that resuming needs besides the weights and Adam's moments. */
typedef struct {
    long   step;                /* updates done */
    long   epoch;               /* epochs begun before this one */
    int    batch;               /* batches done in this epoch */
    double rate;                /* learning rate now, before the schedule */
    double last_rate;           /* that of the last update; 0 before the first */
    double best_score;          /* of all validations: -loss, BLEU or chrF (Hyperparameters.early_stop); -infinity before */
    double best_loss;           /* of that validation; infinity before the first */
    long   best_step;           /* 0: none yet */
    long   validated_step;      /* of the last validation; 0: none yet */
    int    stalled;             /* validations since the best */
    long   skipped;             /* updates dropped because the gradient was not finite */
    int    skipped_in_row;      /* the last so many updates were */
    int    recoveries;          /* returns to good weights */
    long   recovered_step;      /* of the last one; 0: none yet */
    double seconds;             /* of training, over all runs */
    double tokens;              /* target tokens learned from, over all runs */
    Tally  tally;               /* of the updates since the last whole one (Training.tally_every) */
} TrainingProgress;

/* One update. */
typedef struct {
    const TrainingProgress *progress;
    double epoch;               /* passes over the training pairs, 1.5: in the middle of the second */
    double share;               /* of the whole run done, by whichever of epochs, steps, time ends first */
    double loss;                /* cross-entropy summed over the target tokens, in nats, without smoothing */
    double tokens;              /* target tokens */
    double flops;               /* of the matrix products */
    double seconds;
    double norm;                /* of the gradient, before clipping */
    int    skipped;             /* the gradient was not finite: loss may be no number, and no weight was changed */
    const Tally *tally;         /* the one that this update makes whole, or NULL */
} UpdateReport;

/* tally_add - one more update. */
void tally_add(Tally *sum, const UpdateReport *u);

/* A validation sentence and what the network makes of it now; the reference is the first. */
typedef struct { const char *source, *reference; char *translation; } Sample;
enum { MOST_SAMPLES = 3 };

typedef struct {
    const TrainingProgress *progress;
    double epoch;
    double valid_loss;          /* mean cross-entropy a target token, in nats; not of what is only shown */
    double bleu, chrf;          /* of the validation sentences translated greedily; -1: none were */
    int    improved;            /* the best so far: */
    int    saved;               /* the model file now holds these weights; else they are kept until it can be written */
    int    samples;             /* 0 unless it is time to show some */
    Sample sample[MOST_SAMPLES];    /* always of the same sentences, evenly spread; gone after the event */
} ValidationReport;

typedef struct {
    void *context;
    void (*updated)(void *context, const UpdateReport *report);         /* after every update */
    void (*validated)(void *context, const ValidationReport *report);
    void (*troubled)(void *context, const char *text);                  /* training goes on all the same */
    void (*resumed)(void *context, const TrainingProgress *progress);             /* once, before all else; may be NULL */
    void (*shown)(void *context, const ValidationReport *report);       /* between validations; may be NULL */
    void (*advised)(void *context, const char *text);                   /* each piece of advice once; may be NULL */
} TrainerEvents;

/* What a signal handler or another thread may ask of a run. */
typedef struct {
    atomic_int stop;            /* not 0: save and stop */
    atomic_int save;            /* not 0: save and go on; the trainer sets it to 0 */
} Requests;

typedef struct {
    Model                *model;        /* weights initialised; model->training gets the run's story */
    const Hyperparameters         *hyper;
    const Examples       *train;
    const Pairs          *valid;        /* count 0: no validation, the model is saved at the end */
    const Segments       *text;         /* validation sentences to translate for BLEU and chrF; count 0: none */
    Pool                 *pool;
    const char           *model_path;
    const char           *state_path;   /* training state, saved beside the model while training */
    double                save_every;   /* seconds between saves of the state; 0: after every update */
    double                show_every;   /* seconds between samples of what the network has learned; 0: none */
    int                   tally_every;  /* steps at whose multiples a tally is whole; 0: never */
    int                   resume;       /* begin from state_path */
    const char           *request;      /* what was asked for, in the caller's words: the state keeps it (NULL: nothing) */
    uint64_t              corpus_hash, valid_hash;      /* of the text; valid_hash 0: no file of its own */
    uint64_t              vocabulary_hash;      /* of both tokenizers */
    Requests             *requests;
} Training;

typedef enum { ENDED_EPOCHS, ENDED_STEPS, ENDED_TIME, ENDED_STALLED, ENDED_INTERRUPTED } Ending;

/* trainer_run - trains until a limit, early stopping or a request to stop. The model file then holds the best weights
 * (the last where there is no validation), the state file is removed unless the run was stopped.
 *
 * The state is saved every save_every seconds, before the first model and at the end of each validation, when asked, and
 * when stopped. A run may
 * die at any moment: with `resume` it goes on from the last state to the bytes of a run that nothing interrupted. A
 * validation that a request to stop meets is given up and repeated after resuming, so that stopping never waits for
 * more than an update or a batch of sentences.
 *
 * A file that can't be written troubles the run, but does not end it. The best weights then stay in memory, and the
 * next save (of the state, or at the end) begins with them; until they are written no state is: the old state and the
 * old model belong together, and a killed run goes on from both. Only if the last attempt fails too it is an error.
 *
 * An update whose gradient is not finite is dropped. After MOST_SKIPPED of them in a row the run goes back to its last
 * good weights (the best of a validation; without validation those that an epoch began with and could go on from) with
 * half the learning rate; a run that has done so MOST_RECOVERIES times diverges, which is an error. All of it depends
 * on steps alone, never on time. */
enum { MOST_SKIPPED = 5, MOST_RECOVERIES = 5 };
int trainer_run(const Training *training, const TrainerEvents *events, Ending *ending, TrainingProgress *progress, Err *e);

#endif
