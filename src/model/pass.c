/* pass.c - a pass over a batch. */
#include "model/pass.h"

const Noise no_noise = { .threshold = 0 };

Pass pass_of_batch(const Architecture *net, const Weights *w, const Batch *batch)
{
    return (Pass){ .architecture = net, .weights = w, .source = &batch->source,
                   .target = &batch->target, .noise = &no_noise };
}

BatchSize pass_size(const Pass *pass)
{
    const PackedSequence *source = &pass->source->packed, *target = &pass->target->packed;
    return (BatchSize){ .sentences = source->rows[0], .source_steps = source->steps,
                        .source_tokens = source->total,
                        .target_steps = target->steps, .target_tokens = target->total };
}

SideWords pass_words(const Pass *pass, PassSide side)
{
    const SourceBatch *x = pass->source;
    const TargetBatch *y = pass->target;
    return side == SIDE_SOURCE ? (SideWords){ &x->packed, x->ids, x->token }
                               : (SideWords){ &y->packed, y->input, y->token };
}
