/* memory_estimate.h - the memory that a training run will take, told before it is asked for. */
#ifndef ATTN_TRAIN_MEMORY_ESTIMATE_H
#define ATTN_TRAIN_MEMORY_ESTIMATE_H

#include "model/architecture.h"
#include "text/corpus.h"
#include "train/examples.h"
#include "train/hyperparameters.h"

typedef struct {
    double weights;         /* bytes: what a updater saves (updater_blocks in train/updater.h), and a gradient a worker */
    double batch;           /* bytes: activations of the largest share of a batch that a worker can have, for each;
                             * copies of weights for the products; and what the validation takes */
} MemoryEstimate;

/* memory_estimate - for this recipe's batches of these pairs, and of the validation's; examples and valid NULL: of the
 * shortest pair there can be. With bpe-dropout pairs may become longer than this knows. */
MemoryEstimate memory_estimate(const NetworkOptions *options, int source_vocabulary, int target_vocabulary,
                   const Examples *examples, const Pairs *valid, const Hyperparameters *hyper, int workers);

/* memory_estimate_check - -1 where this process can't have so much: the message tells both numbers and what to lower. */
int memory_estimate_check(const MemoryEstimate *need, Err *e);

#endif
