/* memory_limit.c - see memory_limit.h. */
#include "train/hyperparameters/memory_limit.h"

#include "train/hyperparameters/memory_estimate.h"

#include <limits.h>
#include <math.h>

/* A batch in which every sentence is as long as it may be. */
static BatchSize longest_batch(const Hyperparameters *hyper)
{
    const double all = hyper->batch_tokens ? hyper->batch_tokens
                                           : (double)hyper->batch * hyper->max_length;
    const int tokens = (int)fmin(all, INT_MAX);
    const int sentences = (int)fmax(1, tokens / hyper->max_length);
    return (BatchSize){ sentences, hyper->max_length, tokens, hyper->max_length, tokens };
}

/* The vocabulary is not learned yet; whole words without a limit count as none. */
static double bytes_of(const NetworkOptions *network, const CorpusSize *size,
                       const TextOptions *text, const Hyperparameters *hyper)
{
    const int words = (int)fmax(1, text_vocabulary(text, size->pairs));
    const MemoryEstimate estimate = memory_estimate(network, words, words, longest_batch(hyper), 1,
                                                    NULL, hyper, (Crew){ 0, 1, 1 });
    return estimate.weights + estimate.batch;
}

static NetworkOptions settled(const CorpusSize *size, const NetworkOptions *asked, int shared,
                              int widest)
{
    const NetworkOptions usual = network_for(size, asked, shared, widest);
    NetworkOptions n = *asked;
    fields_settle(network_fields, &n, &usual);
    return n;
}

LimitedNetwork network_within(const CorpusSize *size, const NetworkOptions *asked,
                              const TextOptions *text, const Hyperparameters *hyper, double bytes)
{
    LimitedNetwork limited = { settled(size, asked, text->shared, WIDEST), 0, 0 };
    limited.worth = limited.network.hidden;
    limited.needs = bytes_of(&limited.network, size, text, hyper);
    double needs = limited.needs;
    for (int widest = WIDEST - WIDTH_STEP; widest >= NARROWEST && needs > bytes;
         widest -= WIDTH_STEP) {
        limited.network = settled(size, asked, text->shared, widest);
        needs = bytes_of(&limited.network, size, text, hyper);
    }
    return limited;
}
