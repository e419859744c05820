/* memory_limit.h - a network as wide as the corpus is worth, within a limit of memory. */
#ifndef ATTN_TRAIN_MEMORY_LIMIT_H
#define ATTN_TRAIN_MEMORY_LIMIT_H

#include "text/tokenizer/tokenizer.h"
#include "train/hyperparameters/defaults.h"

typedef struct {
    NetworkOptions network;     /* nothing is "auto" any more */
    int            worth;       /* its hidden width without the limit */
    double         needs;       /* bytes that it would then take */
} LimitedNetwork;

/* network_within - the network for a corpus (network_for), as wide as training it takes no more
 * bytes, and at least as wide as that of a small corpus. What the user has chosen stays. It is a
 * function of corpus and limit alone, so that no number of workers makes another network: the bytes
 * are those of one worker and a batch of the longest sentences, which several workers share; each
 * further one takes a gradient more. Nothing of hyper may be "auto". */
LimitedNetwork network_within(const CorpusSize *size, const NetworkOptions *asked,
                              const TextOptions *text, const Hyperparameters *hyper, double bytes);

#endif
