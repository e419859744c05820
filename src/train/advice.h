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

/* advice_for - overfits: the validation loss has risen by more than 2 % over the best, and the training loss is below
 * 0.6 of it. stalls: not that, and three validations were no better. */
Advice advice_for(const Symptoms *s);

/* advice_tell - appends one sentence that says what was found and what to try; none for ADVICE_NONE. */
void advice_tell(Advice advice, const Symptoms *s, Buf *out);

/* advice_on_size - the same about the size of a corpus; nothing where it has FEW_PAIRS or more. */
enum { FEW_PAIRS = 5000 };
void advice_on_size(double pairs, Buf *out);

#endif
