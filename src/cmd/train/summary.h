/* summary.h - the messages of a training run before its first step and after its last one, on
 * stderr, unless --quiet. cmd/train/report.h reports the steps between.
 */
#ifndef ATTN_CMD_TRAIN_SUMMARY_H
#define ATTN_CMD_TRAIN_SUMMARY_H

#include "cmd/train/config.h"
#include "model/file/model_file.h"
#include "train/data/data.h"
#include "train/hyperparameters/memory_estimate.h"
#include "train/course.h"
#include "train/validation.h"

/* summary_data - the corpus and its vocabularies, with warnings and advice.
 * summary_memory - the estimate of the memory.
 * summary_model - the size of the network, and who trains it.
 * summary_end - why the training of a network ended.
 * summary_length - what was found of the length of its translations.
 * summary_next - the command that uses the model. */
void summary_data(const Config *c, const Data *d, const DataOptions *options);
void summary_memory(const Config *c, const MemoryEstimate *estimate);
void summary_model(const Config *c, const Model *m, int workers, int processes);
void summary_end(const Config *c, const TrainingProgress *progress, Ending ending);
void summary_length(const Config *c, const LengthCalibration *found);
void summary_next(const Config *c);

/* summary_numbers - prints the statistics of the text as JSON on stdout, for --dry-run. */
void summary_numbers(const Data *d);

#endif
