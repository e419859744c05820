/* summary.h - what a user is told of a training before its first step and after its last: on stderr, unless
 * --quiet. What happens in between: cmd/train/report.h.
 */
#ifndef ATTN_CMD_TRAIN_SUMMARY_H
#define ATTN_CMD_TRAIN_SUMMARY_H

#include "cmd/train/config.h"
#include "model/model_file.h"
#include "train/data.h"
#include "train/memory_estimate.h"
#include "train/training_progress.h"

void summary_data(const Config *c, const Data *d, const DataOptions *options);
void summary_need(const Config *c, const MemoryEstimate *need);
void summary_model(const Config *c, const Model *m, int workers);
void summary_end(const Config *c, const TrainingProgress *progress, Ending ending);

/* summary_numbers - of the text alone, for --dry-run: JSON on stdout. */
void summary_numbers(const Data *d);

#endif
