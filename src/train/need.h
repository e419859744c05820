/* need.h - the memory that a training run will take, told before it is asked for. */
#ifndef ATTN_TRAIN_NEED_H
#define ATTN_TRAIN_NEED_H

#include "model/net.h"
#include "text/corpus.h"
#include "train/examples.h"
#include "train/recipe.h"

typedef struct {
    double weights;         /* bytes: what a updater saves (updater_blocks in train/updater.h), and a gradient a worker */
    double batch;           /* bytes: activations of the largest share of a batch that a worker can have, for each;
                             * copies of weights for the products; and what the validation takes */
} Need;

/* training_need - for this recipe's batches of these pairs, and of the validation's; examples and valid NULL: of the
 * shortest pair there can be. With bpe-dropout pairs may become longer than this knows. */
Need training_need(const NetworkOptions *options, int source_vocabulary, int target_vocabulary,
                   const Examples *examples, const Pairs *valid, const Recipe *recipe, int workers);

/* need_check - -1 where this process can't have so much: the message tells both numbers and what to lower. */
int need_check(const Need *need, Err *e);

#endif
