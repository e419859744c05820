/* advice.h - what a user should know of a run that doesn't go well, and what to try: functions of its numbers. */
#ifndef ATTN_TRAIN_ADVICE_H
#define ATTN_TRAIN_ADVICE_H

#include "base/buf.h"

/* What a validation tells. Losses are nats a target token. */
typedef struct {
    double training_loss;       /* mean since the validation before, with dropout and without smoothing */
    double valid_loss;
    double best_loss;           /* of the best weights so far */
    int    stalled;             /* validations since then; 0: these are the best */
} Symptoms;

typedef enum { ADVICE_NONE, ADVICE_STALLS, ADVICE_OVERFITS } Advice;

/* advice_for - overfits: the training loss is below 0.6 of the validation loss, which has risen by more than 2 % over
 * the best, or was no better in three validations. stalls: the last alone. */
Advice advice_for(const Symptoms *s);

/* advice_tell - appends one sentence that says what was found and what to try; none for ADVICE_NONE. */
void advice_tell(Advice advice, const Symptoms *s, Buf *out);

/* The same about the pairs to train and to validate with: nothing where there are FEW_PAIRS or more, or FEW_VALID. Of
 * 100 sentences the mean loss is known to a tenth of how far their losses lie apart. No validation is a choice. */
enum { FEW_PAIRS = 5000, FEW_VALID = 100 };
void advice_on_size(double pairs, Buf *out);
void advice_on_validation(double pairs, Buf *out);

#endif
