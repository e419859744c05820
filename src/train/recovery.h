/* recovery.h - what a run does when its numbers fail.
 *
 * The updater skips an update whose gradient is not finite. After MOST_SKIPPED of them in a row the
 * run goes back to its last good weights (updater_kept) with half the learning rate. A run that has
 * gone back MOST_RECOVERIES times diverges, which is an error. A loss that stays above that of
 * guessing is reported once. All of this depends on steps alone, never on time.
 */
#ifndef ATTN_TRAIN_RECOVERY_H
#define ATTN_TRAIN_RECOVERY_H

#include "base/error.h"
#include "train/training_events.h"
#include "train/update/updater.h"

enum { MOST_SKIPPED = 5, MOST_RECOVERIES = 5 };

typedef struct {
    const TrainingEvents *events;       /* borrowed, as is the updater */
    Updater              *updater;
    double                rate;         /* learning rate that the run began with */
    int                   words;        /* size of the target vocabulary */
    int                   high_losses;  /* updates in a row with a loss worse than guessing */
} Recovery;

/* recovery_watch - after each update: goes back to good weights if it must, and changes the
 * progress accordingly. -1 with a message: the run diverges. */
int recovery_watch(Recovery *r, const Update *update, TrainingProgress *progress, Err *e);

#endif
