/* advice.h - what a user should know of a run that does not go well, and what to try; all of it a
 * function of the run's numbers.
 */
#ifndef ATTN_TRAIN_ADVICE_H
#define ATTN_TRAIN_ADVICE_H

#include "base/buf.h"
#include "train/training_events.h"

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
 * three validations were no better, without the rest. */
Advice advice_for(const Symptoms *s);

/* advice_print - appends one sentence that says what was found and what to try; nothing for
 * ADVICE_NONE. */
void advice_print(Advice advice, const Symptoms *s, Buf *out);

/* advice_on_size, advice_on_validation - the same about the number of pairs to train and to
 * validate with: nothing if there are at least FEW_PAIRS or FEW_VALID. The mean loss of 100
 * sentences is known to a tenth of the standard deviation of their losses. No validation at all is
 * the user's choice. */
enum { FEW_PAIRS = 5000, FEW_VALID = 100 };
void advice_on_size(double pairs, Buf *out);
void advice_on_validation(double pairs, Buf *out);

/* Gives each kind of advice at most once in a run. Zero-initialise. */
typedef struct {
    double loss, tokens;        /* of the updates since the last validation */
    int    given;               /* one bit for each Advice */
} Adviser;

/* adviser_count - after each update that was not skipped.
 * adviser_report - after each validation: calls events->advised if there is new advice. */
void adviser_count(Adviser *a, double loss, double tokens);
void adviser_report(Adviser *a, const ValidationReport *v, const TrainingEvents *events);

#endif
