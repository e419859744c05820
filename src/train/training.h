/* training.h - a training run: its inputs, what it reports, and the loop. */
#ifndef ATTN_TRAIN_TRAINING_H
#define ATTN_TRAIN_TRAINING_H

#include "base/system/pool.h"
#include "model/file/model_file.h"
#include "text/corpus/corpus.h"
#include "train/course.h"
#include "train/data/examples.h"
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
    Model                 *model;       /* its weights are initialised, and trained in place;
                                         * model->training is the history known before training */
    const Hyperparameters *hyper;
    const Examples        *train;
    const Pairs           *valid;       /* count 0: no validation, the last weights are saved */
    const Segments        *text;        /* validation sentences to translate; count 0: none */
    Pool                  *pool;
    Processes             *processes;   /* NULL: this one alone */
    const char            *model_path;
    const char            *state_path;  /* training state, beside the model during training */
    double                 save_every;  /* seconds between saves of the state; 0: every update */
    int                    tally_every; /* tallies end at multiples of this step; 0: never */
    int                    resume;      /* continue from state_path */
    Member                 member;
    const char            *request;     /* the caller's description of the run, kept in the state;
                                         * NULL: none */
    uint64_t               corpus_hash, vocabulary_hash;    /* the second of both tokenizers */
    uint64_t               valid_hash;  /* 0: no file of its own */
    Requests              *requests;
} Training;

/* Whether any process was asked to stop; all of them then are. Collective. */
static inline int training_agree_to_stop(const Training *training)
{
    double stop = atomic_load(&training->requests->stop);
    int none = 0;
    processes_max(training->processes, &stop, 1);
    if (stop > 0) atomic_compare_exchange_strong(&training->requests->stop, &none, (int)stop);
    return stop > 0;
}

/* ---- what it reports ---- */

/* One update. */
typedef struct {
    const TrainingProgress *progress;
    double epoch;               /* course_epochs */
    double share;               /* limits_share */
    double loss;                /* cross-entropy summed over the target tokens, in nats, without
                                 * label smoothing */
    double tokens;              /* target tokens */
    double flops;               /* of the matrix products */
    double seconds;
    double norm;                /* norm of the gradient before clipping */
    int    skipped;             /* the gradient was not finite: no weight was changed */
    const Tally *tally;         /* the tally that this update completes, or NULL */
} UpdateReport;

/* Adds one update. */
static inline void tally_add(Tally *sum, const UpdateReport *update)
{
    sum->seconds += update->seconds;
    sum->updates++;
    sum->skipped += update->skipped;
    if (update->skipped) return;
    sum->loss += update->loss;
    sum->tokens += update->tokens;
    sum->flops += update->flops;
}

/* One validation. */
typedef struct {
    const TrainingProgress *progress;
    double epoch;
    double valid_loss;          /* mean cross-entropy per target token, in nats */
    double valid_unknown;       /* share of <unk> among these tokens */
    double bleu, chrf;          /* of validation sentences as train/validation.h translates them;
                                 * -1: none were */
    double exact;               /* of sequences that are no sentences: per cent of them whose
                                 * translation is a reference; -1: of sentences */
    int    improved;            /* the best validation so far, or the newest one: */
    int    chosen;              /* validations choose the weights (Hyperparameters.early_stop) */
    int    saved;               /* the model file now holds these weights; if the best weights
                                 * cannot be written, they stay in memory until they can */
} ValidationReport;

/* Functions that the run calls; `context` is their first argument. It knows nothing of terminals
 * and logs. The last one may be NULL. */
typedef struct {
    void *context;
    void (*updated)(void *context, const UpdateReport *report);         /* after every update */
    void (*validated)(void *context, const ValidationReport *report);
    void (*troubled)(void *context, const char *text);                  /* training continues */
    void (*resumed)(void *context, const TrainingProgress *progress);   /* before all others */
    void (*joined)(void *context, const ValidationReport *report);      /* a further network of an
                                * ensemble is finished; the scores of all together */
} TrainingEvents;

/* ---- the run ---- */

/* trainer_run - trains until a limit, early stopping or a request to stop. The model file then
 * holds the best weights (the last ones if there is no validation), and the state file is removed
 * unless the run was stopped or other networks of an ensemble follow. -1 with a message: the run
 * diverges, a state to resume does not fit (train/checkpoint.h), or what the run leaves cannot be
 * written.
 *
 * The state is saved every save_every seconds, before the first model, at the end of each
 * validation, on request, and when stopped. A run may be killed at any moment: with `resume` it
 * continues from the last state to the same bytes as a run that nothing interrupted. A request to
 * stop during a validation abandons it, and it is repeated after resuming, so that stopping never
 * waits for more than an update or a batch of sentences. */
int trainer_run(const Training *training, const TrainingEvents *events, Ending *ending,
                TrainingProgress *progress, Err *e);

#endif
