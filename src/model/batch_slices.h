/* batch_slices.h - many sentences, divided into batches that the workers of a pool share. */
#ifndef ATTN_MODEL_BATCH_SLICES_H
#define ATTN_MODEL_BATCH_SLICES_H

#include "base/system/pool.h"
#include "model/batch.h"

#include <stdatomic.h>

/* A batch: sentences first .. first + count - 1. */
typedef struct { int first, count; } BatchSlice;

typedef struct {
    BatchSlice *slice;          /* (count) */
    int         count;
} BatchSlices;

/* batch_slices_init - divides sorted sentences (batch_sort) into batches of at most `most`
 * sentences (batch_take). */
void batch_slices_init(BatchSlices *s, const Sentence *sentences, int count, int most);
void batch_slices_free(BatchSlices *s);

/* batch_slices_run - calls work(context, worker, i) once for each slice i. Each worker takes the
 * first slice that no worker has taken, so none waits while there is work. No further slice starts
 * once *stop is not 0; with NULL all slices run. It must not be called from a task of the pool. */
typedef void BatchSliceWork(void *context, int worker, int slice);
void batch_slices_run(const BatchSlices *s, Pool *pool, const atomic_int *stop,
                      BatchSliceWork *work, void *context);

#endif
