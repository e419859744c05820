/* memory_estimate.c - see memory_estimate.h. */
#include "train/hyperparameters/memory_estimate.h"

#include "base/system/available_memory.h"
#include "model/prepacked_weights.h"
#include "train/validation/validation_loss.h"
#include "train/update/updater.h"

#include <math.h>

/* Copies of the weights, which the workers share, and a batch for each worker. */
static double validation_bytes(const Architecture *net, const ParameterTable *table,
                               const Pairs *valid, int batch, int workers)
{
    if (!valid || !valid->count) return 0;
    return (double)prepacked_weights_measure(table, PRECISION_FLOAT, PREPACKED_TO_USE)
           + workers * (double)validation_loss_measure(net, valid, batch);
}

MemoryEstimate memory_estimate(const NetworkOptions *options, int source_vocabulary,
                               int target_vocabulary, BatchSize share, int workers,
                               const Pairs *valid, const Hyperparameters *hyper, Crew team)
{
    const int blocks = updater_blocks(hyper) + team.all + hyper->ensemble - 1;
    ParameterTable *table = parameters_new(options, source_vocabulary, target_vocabulary);
    const Architecture net = architecture_of(options, source_vocabulary, target_vocabulary);
    const double update = team.own * (double)updater_measure(&net, share, hyper, workers);
    const double validation = validation_bytes(&net, table, valid, hyper->batch, team.own);
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
