/* gradient.c - see gradient.h. */
#include "train/gradient.h"

#include "base/rng.h"

#include <stdlib.h>

int gradient_is_sparse(const Hyperparameters *hyper)
{
    return hyper->sparse_gradient > 0;
}

size_t gradient_measure(const Architecture *net, BatchSize share)
{
    return batch_measure(share) + network_measure(net, share, 1);
}

void gradient_init(GradientWorker *worker, const GradientTask *task, const ParameterTable *table,
                   BatchSize share)
{
    *worker = (GradientWorker){ .gradient = xaligned(table->size, sizeof(real)) };
    worker->dw = weights_in(table, worker->gradient, (Precision)task->hyper->precision);
    worker->sentences = xcalloc((size_t)share.sentences, sizeof *worker->sentences);
    arena_reserve(&worker->arena, gradient_measure(task->net, share));
}

void gradient_free(GradientWorker *worker)
{
    free(worker->gradient);
    free(worker->sentences);
    arena_free(&worker->arena);
}

/* The share as a batch, in an arena that has room for it and for the activations. */
static Batch build_batch(GradientWorker *worker, const GradientTask *task)
{
    const BatchSize size = batch_size(worker->sentences, worker->count);
    Batch batch;
    arena_reserve(&worker->arena, gradient_measure(task->net, size));
    batch_build(&batch, &worker->arena, worker->sentences, worker->count, task->begin);
    return batch;
}

static Noise noise_of(const GradientTask *task)
{
    const Hyperparameters *r = task->hyper;
    const uint64_t step = (uint64_t)task->step, key = rng_key(r->seed, step, RNG_DROPOUT);
    const int shared = r->dropout_mask == MASK_SENTENCE ? TOKEN_STEP_BITS : 0;
    return (Noise){
        .word = { { r->word_dropout_source, key, shared }, { r->word_dropout_target, key, shared } },
        .embedding = { r->dropout_embedding, key, shared }, .hidden = { r->dropout, key, shared },
        .recurrent = { r->dropout_recurrent, key, shared }, .attention = { r->dropout_attention, key, 0 },
        .draws = rng_key(r->seed, step, RNG_ATTENTION), .baseline = task->baseline,
        .threshold = r->sparse_gradient, .sampling = rng_key(r->seed, step, RNG_LOGITS),
    };
}

void gradient_add(GradientWorker *worker, const GradientTask *task)
{
    const Hyperparameters *r = task->hyper;
    worker->loss = (Loss){ 0 };
    worker->flops = 0;
    if (!worker->count) return;
    const Batch batch = build_batch(worker, task);
    const Noise noise = noise_of(task);
    worker->loss = network_gradient(task->net, task->w, &worker->dw, &batch, &noise, r->label_smoothing,
                                    task->scale, &worker->arena);
    worker->flops = network_flops(task->net, batch.size, gradient_is_sparse(r));
}
