/* training_progress.h - how far a training run has come, and why it ended. */
#ifndef ATTN_TRAIN_TRAINING_PROGRESS_H
#define ATTN_TRAIN_TRAINING_PROGRESS_H

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
    int    skipped_in_row;      /* of these, the ones since the last good update */
    int    recoveries;          /* returns to good weights (train/recovery.h) */
    long   recovered_step;      /* step of the last recovery; 0: none yet */
    double seconds;             /* training time over all runs */
    int    network;             /* the number of this network in an ensemble, from 0 */
    double earlier_seconds;     /* training time of those before */
    double tokens;              /* target tokens learned from over all runs */
    Tally  tally;               /* of the updates since the last complete tally */
} TrainingProgress;

/* training_progress_init - before the first update, with this learning rate. */
void training_progress_init(TrainingProgress *progress, double rate);

/* training_progress_epochs - passes over the training pairs, with this many batches each; 1.5 is
 * the middle of the second. */
double training_progress_epochs(const TrainingProgress *progress, int batches);

typedef enum {
    ENDED_EPOCHS, ENDED_STEPS, ENDED_TIME, ENDED_STALLED, ENDED_INTERRUPTED
} Ending;

const char *ending_text(Ending ending);         /* "the time is up" */

#endif
