/* need.c - the plan of a run, measured with no memory behind it. */
#include "train/need.h"

#include "base/memory.h"
#include "model/network.h"
#include "train/evaluation.h"

#include <math.h>

/* The longest sentences there are, all in one batch. */
static BatchSize largest_batch(const Examples *examples, int pairs)
{
    if (!examples) return (BatchSize){ 1, 1, 1, 1, 1 };
    if ((size_t)pairs > examples->count) pairs = (int)examples->count;
    const Extent source = lengths_largest(&examples->source_lengths, pairs);
    const Extent target = lengths_largest(&examples->target_lengths, pairs);
    return (BatchSize){ pairs, source.longest, source.tokens, target.longest, target.tokens };
}

static double activations(const Net *net, BatchSize size)
{
    return (double)(batch_measure(size) + network_measure(net, size, 1));
}

Need training_need(const NetworkOptions *options, int source_vocabulary, int target_vocabulary,
                   const Examples *examples, const Pairs *valid, int pairs, int workers)
{
    enum { BLOCKS = 4 };        /* and one a worker */
    ParameterTable *table = parameters_new(options, source_vocabulary, target_vocabulary);
    const Net net = net_new(options, source_vocabulary, target_vocabulary);
    const Need need = {
        .weights = (double)table->size * sizeof(real) * (BLOCKS + workers),
        .batch = activations(&net, largest_batch(examples, pairs))
                 + (workers - 1) * activations(&net, (BatchSize){ 1, 1, 1, 1, 1 })
                 + (valid ? workers * (double)evaluation_measure(&net, valid, pairs) : 0),
    };
    parameters_free(table);
    return need;
}

int need_check(const Need *need, Err *e)
{
    const char *limit = "", *lower = need->weights > need->batch
        ? "--hidden, --embedding, --layers or --vocabulary" : "--batch or --max-length";
    const double all = need->weights + need->batch, available = memory_available(&limit), mega = 1e6;
    if (all <= available) return 0;
    return err(e, "out of memory: training needs %.0f MB (%.0f for weights, moments and gradients, %.0f for the "
                  "largest batch), and %s leaves %.0f MB; lower %s", ceil(all / mega), ceil(need->weights / mega),
               ceil(need->batch / mega), limit, floor(available / mega), lower);
}
