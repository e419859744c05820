/* trainer.h - the training loop: updates, validations, learning rate, early stopping, saving. */
#ifndef ATTN_TRAIN_TRAINER_H
#define ATTN_TRAIN_TRAINER_H

#include "train/training.h"

/* trainer_run - trains until a limit, early stopping or a request to stop. The model file then
 * holds the best weights (the last ones if there is no validation), and the state file is removed
 * unless the run was stopped or other networks of an ensemble follow. -1 with a message: the run
 * diverges (train/health.h), a state to resume does not fit (train/checkpoint.h), or what the run
 * leaves cannot be written.
 *
 * The state is saved every save_every seconds, before the first model, at the end of each
 * validation, on request, and when stopped. A run may be killed at any moment: with `resume` it
 * continues from the last state to the same bytes as a run that nothing interrupted. A request to
 * stop during a validation abandons it, and it is repeated after resuming, so that stopping never
 * waits for more than an update or a batch of sentences. */
int trainer_run(const Training *training, const TrainingEvents *events, Ending *ending,
                TrainingProgress *progress, Err *e);

#endif
