/* memory_estimate.c - see memory_estimate.h. */
#include "train/hyperparameters/memory_estimate.h"

#include "base/system/available_memory.h"
#include "model/prepacked_weights.h"
#include "train/update/updater.h"
#include "train/validation.h"

#include <limits.h>
#include <math.h>

MemoryEstimate memory_estimate(const NetworkOptions *options, int source_vocabulary,
                               int target_vocabulary, BatchSize share, const Pairs *valid,
                               const Hyperparameters *hyper, Crew crew)
{
    const int blocks = updater_blocks(hyper) + crew.own + hyper->ensemble - 1;
    ParameterTable *table = parameters_new(options, source_vocabulary, target_vocabulary);
    const Architecture net = architecture_of(options, source_vocabulary, target_vocabulary);
    const double update = crew.own * (double)updater_measure(&net, share, hyper, crew.all);
    double validation = 0;      /* copies of the weights, and a batch for each worker */
    if (valid && valid->count)
        validation = (double)prepacked_weights_measure(table, PRECISION_FLOAT, PREPACKED_TO_USE)
                     + crew.own * (double)validation_loss_measure(&net, valid, hyper->batch);
    const MemoryEstimate estimate = {
        .weights = (double)table->size * sizeof(real) * blocks,
        .batch = (double)updater_measure_shared(table, hyper) + fmax(update, validation),
    };
    parameters_free(table);
    return estimate;
}

int memory_estimate_check(const MemoryEstimate *estimate, Err *e)
{
    const double all = estimate->weights + estimate->batch, mega = 1e6;
    const char *limit = "";
    const double available = available_memory(&limit);
    const char *lower = estimate->weights > estimate->batch
                        ? "--hidden, --embedding, --layers or --vocabulary"
                        : "--batch, --batch-tokens or --max-length";
    if (all <= available) return 0;
    return err(e, "out of memory: training needs %.0f MB (%.0f for weights, moments and gradients, "
                  "%.0f for the largest batch), and %s leaves %.0f MB; lower %s",
               ceil(all / mega), ceil(estimate->weights / mega), ceil(estimate->batch / mega),
               limit, floor(available / mega), lower);
}

/* ---- within a limit ---- */

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
    const MemoryEstimate estimate = memory_estimate(network, words, words, longest_batch(hyper),
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
