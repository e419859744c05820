/* limits.h - what share of a run is done, and what ends it. */
#ifndef ATTN_TRAIN_LIMITS_H
#define ATTN_TRAIN_LIMITS_H

#include "base/error.h"
#include "train/hyperparameters/hyperparameters.h"
#include "train/training_progress.h"

/* In all of these `batches` is the number of batches in an epoch.
 *
 * limits_share - the share of the whole run that is done, 0 to 1, by whichever of its epochs, steps
 * and time is nearest to its limit.
 * limits_end   - whether a limit or early stopping ends the run now; *ending is then which of
 * them. */
double limits_share(const Hyperparameters *hyper, const TrainingProgress *progress, int batches);
int    limits_end(const Hyperparameters *hyper, const TrainingProgress *progress, int batches,
                  Ending *ending);

/* limits_check - for a run that continues with other limits than it had: -1 with a message if it
 * has already passed them. A run that was interrupted when it had reached its own limits may still
 * finish. */
int limits_check(const Hyperparameters *now, const Hyperparameters *was,
                 const TrainingProgress *progress, int batches, Err *e);

#endif
