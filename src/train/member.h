/* member.h - the networks of an ensemble in one model file, to which each is added when it has been
 * trained (Member in train/training.h).
 */
#ifndef ATTN_TRAIN_MEMBER_H
#define ATTN_TRAIN_MEMBER_H

#include "train/training.h"
#include "train/training_events.h"

/* member_save - writes the networks before this one, and this one with these weights, after a look
 * at what all are worth together (TrainingEvents.joined). Its history has "networks", the scores of
 * each. For the first process alone. */
int member_save(const Training *training, const TrainingEvents *events, real *weights,
                const TrainingProgress *progress, Err *e);

/* member_load - the first `count` networks of the file, for model_free; -1 with a message if it has
 * fewer. It has more where a run ended before its state was removed. */
int member_load(const char *path, int count, Model *model, Err *e);

/* member_is_of_run - whether the model learned from the corpus of this run. */
int member_is_of_run(const Training *training, const Model *model);

#endif
