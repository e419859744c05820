/* memory_estimate.h - the memory that a training run will take, estimated before it is
 * allocated. */
#ifndef ATTN_TRAIN_MEMORY_ESTIMATE_H
#define ATTN_TRAIN_MEMORY_ESTIMATE_H

#include "model/batch.h"
#include "model/pass.h"
#include "text/corpus/corpus.h"
#include "train/hyperparameters/hyperparameters.h"
#include "train/update/processes.h"

typedef struct {
    double weights;         /* bytes of all blocks like the weights: those that the updater saves
                             * (updater_blocks in train/update/updater.h), one gradient per
                             * worker, and the finished networks of an ensemble;
                             * they may be shared with other processes (train/update/processes.h) */
    double batch;           /* bytes of the rest: prepacked weights; and the activations of the
                             * largest share of a batch, or of a slice of it, for each worker, or
                             * what the validation takes, whichever is more (updater_rest) */
} MemoryEstimate;

/* memory_estimate - of one process of this team, where each of the workers of all processes has at
 * most such a share of a batch (batches_share), and with these validation pairs; NULL: none. With
 * BPE-dropout, pairs may become longer than this estimate knows. */
MemoryEstimate memory_estimate(const NetworkOptions *options, int source_vocabulary,
                               int target_vocabulary, BatchSize share, int workers,
                               const Pairs *valid, const Hyperparameters *hyper, Crew team);

/* memory_estimate_check - -1 if this process cannot have that much memory; the message says how
 * much is needed, how much is available, and which options to lower. */
int memory_estimate_check(const MemoryEstimate *estimate, Err *e);

#endif
