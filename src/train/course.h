/* course.h - the course of a run: how far it has come, its learning rate, and what ends it. All of
 * it is a pure function of what a state saves, so that a resumed run continues with the same rates.
 */
#ifndef ATTN_TRAIN_COURSE_H
#define ATTN_TRAIN_COURSE_H

#include "train/hyperparameters.h"

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

#endif
