/* health.h - runs that do not go well: what becomes of numbers that fail, and what a user should
 * know and try. All of it depends on steps and losses alone, never on time.
 *
 * The updater skips an update whose gradient is not finite. After MOST_SKIPPED of them in a row the
 * run goes back to its last good weights (updater_kept) with half the learning rate. A run that has
 * gone back MOST_RECOVERIES times diverges, which is an error. A loss that stays above that of
 * guessing is reported once, and so is each kind of advice.
 */
#ifndef ATTN_TRAIN_HEALTH_H
#define ATTN_TRAIN_HEALTH_H

#include "base/buf.h"
#include "train/training.h"
#include "train/update/updater.h"

enum { MOST_SKIPPED = 5, MOST_RECOVERIES = 5 };

typedef struct {
    const TrainingEvents *events;       /* borrowed, as is the updater */
    Updater              *updater;
    double                rate;         /* learning rate that the run began with */
    int                   words;        /* size of the target vocabulary */
    int                   high_losses;  /* updates in a row with a loss worse than guessing */
    double                loss, tokens; /* of the good updates since the last validation */
    int                   given;        /* one bit for each Advice */
} Health;

/* health_watch - after each update: goes back to good weights if it must, and changes the progress
 * accordingly. -1 with a message: the run diverges.
 * health_advise - after each validation: calls events->advised if there is new advice. */
int  health_watch(Health *h, const Update *update, TrainingProgress *progress, Err *e);
void health_advise(Health *h, const ValidationReport *v);

/* What a validation shows. Losses are in nats per target token. */
typedef struct {
    double training_loss;       /* mean since the last validation, with dropout and without label
                                 * smoothing */
    double valid_loss;
    double best_loss;           /* of the best weights so far */
    int    stalled;             /* validations since the best one; 0: this is the best */
} Symptoms;

typedef enum { ADVICE_NONE, ADVICE_STALLS, ADVICE_OVERFITS } Advice;

/* advice_for - ADVICE_OVERFITS: the training loss is below 0.6 of the validation loss, which has
 * risen by more than 2 % over the best one or was no better in three validations. ADVICE_STALLS:
 * three validations were no better, without the rest.
 * advice_print - appends one sentence that says what was found and what to try.
 * advice_on_size, advice_on_validation - the same about the number of pairs to train and to
 * validate with: nothing if there are at least FEW_PAIRS or FEW_VALID. The mean loss of 100
 * sentences is known to a tenth of the standard deviation of their losses. No validation at all is
 * the user's choice. */
enum { FEW_PAIRS = 5000, FEW_VALID = 100 };
Advice advice_for(const Symptoms *s);
void   advice_print(Advice advice, const Symptoms *s, Buf *out);
void   advice_on_size(double pairs, Buf *out);
void   advice_on_validation(double pairs, Buf *out);

#endif
