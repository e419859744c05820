/* limits.h - how far a run has come, and what ends it. */
#ifndef ATTN_TRAIN_LIMITS_H
#define ATTN_TRAIN_LIMITS_H

#include "train/trainer.h"

/* limits_epochs - passes over the training pairs, of so many batches each; 1.5: in the middle of the second.
 * limits_share  - of the whole run, by whichever of epochs, steps and time is nearest: 0 to 1. */
double limits_epochs(const TrainingProgress *progress, int batches);
double limits_share(const Hyperparameters *hyper, const TrainingProgress *progress, int batches);

/* limits_end - whether a limit or early stopping ends the run here; *ending is then which of them does. */
int limits_end(const Hyperparameters *hyper, const TrainingProgress *progress, int batches, Ending *ending);

/* limits_check - of a run that goes on with other limits than it had: -1 with a message where they have been passed. A run
 * that was interrupted when its own limits had been reached has its end still before it. */
int limits_check(const Hyperparameters *now, const Hyperparameters *was, const TrainingProgress *progress, int batches, Err *e);

const char *ending_text(Ending ending);         /* "the time is up" */

#endif
