/* training.h - a training run: its inputs, what it reports, and the loop. */
#ifndef ATTN_TRAIN_TRAINING_H
#define ATTN_TRAIN_TRAINING_H

#include "base/system/pool.h"
#include "model/file/model_file.h"
#include "text/corpus/corpus.h"
#include "train/data/examples.h"
#include "train/hyperparameters.h"
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

/* ---- its course: a pure function of what a state saves, so that a resumed run continues with the
 * same rates ---- */

/* Sums over some updates; loss, tokens and flops only over those that were not skipped. */
typedef struct {
    double loss;                /* nats, without label smoothing */
    double tokens;              /* target tokens */
    double flops;               /* of the matrix products */
    double seconds;
    long   updates, skipped;    /* number of updates, and of those skipped */
} Tally;

/* All that resuming needs besides the weights and the optimizer's moments. */
typedef struct {
    long   step;                /* updates done */
    long   epoch;               /* whole epochs done */
    int    batch;               /* batches done in this epoch */
    double rate;                /* learning rate before the schedule */
    double last_rate;           /* learning rate of the last update; 0 before the first */
    double best_score;          /* best of all validations: -loss, BLEU or chrF
                                 * (Hyperparameters.early_stop); -infinity before the first */
    double best_loss;           /* loss of that validation; infinity before the first */
    long   best_step;           /* step of that validation; 0: none yet */
    long   validated_step;      /* step of the last validation; 0: none yet */
    int    stalled;             /* validations since the best one */
    long   skipped;             /* updates skipped because the gradient was not finite */
    double seconds;             /* training time over all runs */
    int    network;             /* the number of this network in an ensemble, from 0 */
    double earlier_seconds;     /* training time of those before */
    double tokens;              /* target tokens learned from over all runs */
    Tally  tally;               /* of the updates since the last complete tally */
} TrainingProgress;

typedef enum {
    ENDED_EPOCHS, ENDED_STEPS, ENDED_TIME, ENDED_STALLED, ENDED_INTERRUPTED
} Ending;

/* ending_text - "the time is up".
 *
 * In all others `batches` is the number of batches in an epoch.
 * course_epochs - passes over the training pairs; 1.5 is the middle of the second.
 * limits_share - the share of the whole run that is done, 0 to 1, by whichever of its epochs, steps
 * and time is nearest to its limit.
 * limits_end - whether a limit or early stopping ends the run now; *ending is then which. */
const char *ending_text(Ending ending);
double      course_epochs(const TrainingProgress *progress, int batches);
double      limits_share(const Hyperparameters *h, const TrainingProgress *progress, int batches);
int         limits_end(const Hyperparameters *h, const TrainingProgress *progress, int batches,
                       Ending *ending);

/* schedule_factor - the factor of the learning rate, 0 to 1, for update number s (from 1) when the
 * share p of the run is done: with a time limit the rate is planned to end when the time is up. u
 * is how often the warm-up has passed: s / W at update s with a warm-up of W >= 1 updates, p / W
 * with one of a share W < 1 of the run. q is the share done of what follows the warm-up, (p - p/u)
 * / (1 - p/u): p/u is where the warm-up ended, if all updates take the same share.
 *
 *   constant       min(1, u)
 *   inverse-sqrt   min(u, 1/sqrt(u))                 Vaswani et al. 2017, "Attention Is All You
 *                                                    Need", equation 3
 *   linear         min(1, u) (1 - q)
 *   cosine         min(1, u) (1 + cos(pi q)) / 2     Loshchilov and Hutter 2017, "SGDR",
 *                                                    equation 5, one period
 *
 * The first two do not reach 0 by themselves: in the last share of the run, `cooldown`, they are
 * multiplied by the share of the cooldown that is left, a straight line to 0 (Hägele et al. 2024,
 * "Scaling Laws and Compute-Optimal Training Beyond Fixed Training Durations"). */
double schedule_factor(const Schedule *schedule, long step, double done);

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
