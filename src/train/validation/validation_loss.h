/* validation_loss.h - the loss of the network on given translations. */
#ifndef ATTN_TRAIN_VALIDATION_LOSS_H
#define ATTN_TRAIN_VALIDATION_LOSS_H

#include "base/system/pool.h"
#include "model/network.h"
#include "text/corpus/corpus.h"
#include "train/update/processes.h"

#include <stdatomic.h>

typedef struct {
    double loss;            /* mean cross-entropy per target token, in nats; perplexity is its
                             * exp */
    long   tokens;          /* target tokens, <eos> included */
    long   unknown;         /* <unk> among them: the more, the smaller the loss can be */
} ValidationLoss;

/* validation_loss_run - over all pairs, without dropout and label smoothing, in batches of `size`
 * pairs that the workers of all processes share; bos is the id of <bos>. The result does not depend
 * on how many there are. Once *stop is not 0 no further batch is begun, and the loss means nothing;
 * NULL: it runs to the end. */
ValidationLoss validation_loss_run(const Architecture *net, const Weights *w, const Pairs *pairs,
                                   int size, int bos, Pool *pool, const atomic_int *stop,
                                   Processes *processes);

/* validation_loss_measure - the bytes that one worker takes for the largest of these batches. */
size_t validation_loss_measure(const Architecture *net, const Pairs *pairs, int size);

/* sentence_view - pair i as the network reads it. */
Sentence sentence_view(const Pairs *pairs, int i, int number);

#endif
