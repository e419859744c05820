/* batch_slices.h - many sentences, cut into batches that the workers of a pool share. */
#ifndef ATTN_MODEL_BATCH_SLICES_H
#define ATTN_MODEL_BATCH_SLICES_H

#include "base/pool.h"
#include "model/batch.h"

#include <stdatomic.h>

/* A batch: sentences first .. first + count - 1. */
typedef struct { int first, count; } BatchSlice;

typedef struct {
    BatchSlice *slice;          /* (count) */
    int         count;
} BatchSlices;

/* batch_slices_init - cuts sorted sentences (batch_sort) into batches of at most `most`
 * (batch_take). batch_slices_free. */
void batch_slices_init(BatchSlices *s, const Sentence *sentences, int count, int most);
void batch_slices_free(BatchSlices *s);

/* batch_slices_run - calls work(context, worker, i) once for each slice i. Each worker takes the
 * first slice that nobody has taken, so that no worker waits while there is work. Once *stop is not
 * 0 no further slice is begun; NULL: all are done. Not from inside a task of the pool. */
typedef void BatchSliceWork(void *context, int worker, int slice);
void batch_slices_run(const BatchSlices *s, Pool *pool, const atomic_int *stop,
                      BatchSliceWork *work, void *context);

#endif
