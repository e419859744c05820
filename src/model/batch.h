/* batch.h - sentence pairs as the network reads them: packed, time-major, no padding (nn/nn.h).
 *
 * The decoder's rows are the sentences sorted by falling target length. The encoder packs the
 * sources in its own order, by falling source length, so that neither side computes padding. The
 * encoder writes the memory sentence after sentence, in the decoder's order.
 */
#ifndef ATTN_MODEL_BATCH_H
#define ATTN_MODEL_BATCH_H

#include "base/mem.h"
#include "base/system/pool.h"
#include "nn/nn.h"

#include <stdatomic.h>
#include <stdint.h>

/* A token is named by its sentence's number << TOKEN_STEP_BITS | its step (nn/dropout.h). */
enum { TOKEN_STEP_BITS = 20 };

/* A view of one pair; both sides end in <eos>, the target has no <bos>. */
typedef struct {
    const int *source, *target;
    int        source_length, target_length;    /* >= 1; the target may be absent: 0 */
    int        number;                          /* in the undivided batch; names dropout masks */
    int        without_end;     /* the encoder does not read the <eos> of the source, unless it is
                                 * alone (--source-end none) */
} Sentence;

/* The sizes of a batch that determine its memory. */
typedef struct {
    int sentences;                  /* B */
    int source_steps, source_tokens;
    int target_steps, target_tokens;
} BatchSize;

BatchSize batch_size(const Sentence *sentences, int count);

typedef struct {
    PackedSequence  packed;         /* the encoder's own order */
    const int      *ids;            /* (N) */
    const uint64_t *token;          /* (N) names each token's dropout mask */
    const int      *memory_row;     /* (N) packed row -> row of the memory */
    const int      *first, *length; /* (B) memory rows of each sentence, in the decoder's order */
    const int      *last;           /* (B) packed row of each sentence's last word */
} SourceBatch;

typedef struct {
    PackedSequence  packed;
    const int      *input;          /* (N) the previous word: <bos>, y_1, y_2, ... */
    const int      *output;         /* (N) the word to predict: y_1, y_2, ..., <eos> */
    const uint64_t *token;          /* (N) */
} TargetBatch;

typedef struct {
    BatchSize   size;
    SourceBatch source;
    TargetBatch target;
} Batch;

/* batch_sort - sorts by falling target length, then falling source length, then number. batch_build
 * expects this order (only of the targets). */
void batch_sort(Sentence *sentences, int count);

/* batch_build - lays the batch out in the arena and fills it; `bos` is the id of <bos>.
 * batch_build_source - builds the encoder's part alone, for translation; the sentences may be in
 * any order. */
void batch_build(Batch *batch, Arena *arena, const Sentence *sentences, int count, int bos);
void batch_build_source(SourceBatch *source, Arena *arena, const Sentence *sentences, int count);

/* batch_measure - the bytes of an arena that batch_build takes. */
size_t batch_measure(BatchSize size);

/* ---- many sentences, divided into batches that the workers of a pool share ---- */

/* A batch: sentences first .. first + count - 1. */
typedef struct { int first, count; } BatchSlice;

typedef struct {
    BatchSlice *slice;          /* (count) */
    int         count;
} BatchSlices;

/* batch_slices_init - divides sorted sentences (batch_sort) into batches of at most `most`
 * sentences, fewer if they are long: both sides together have no more than most * 100 tokens. */
void batch_slices_init(BatchSlices *s, const Sentence *sentences, int count, int most);
void batch_slices_free(BatchSlices *s);

/* batch_slices_run - calls work(context, worker, i) once for each slice i. Each worker takes the
 * first slice that no worker has taken, so none waits while there is work. No further slice starts
 * once *stop is not 0; with NULL all slices run. It must not be called from a task of the pool. */
typedef void BatchSliceWork(void *context, int worker, int slice);
void batch_slices_run(const BatchSlices *s, Pool *pool, const atomic_int *stop,
                      BatchSliceWork *work, void *context);

/* ---- how many tokens a translation has at most ----
 *
 * Corpora differ: numbers in words have some six times the tokens of their digits, most pairs of
 * languages about as many on either side. With x tokens of the source, of training pairs
 * a x + z sqrt(x + 1) tokens of the target are more than 99.9 % have; the spread of a length grows
 * with its square root (Gale and Church 1993, "A Program for Aligning Sentences in Bilingual
 * Corpora", section 3.2). The limit leaves half as much again, and some. */

/* What is learned from the corpus (train/data/lengths.c). A ratio of 0: nothing. */
typedef struct {
    double ratio;       /* a: tokens of the target for each of the source, <eos> among both */
    double spread;      /* z */
    double factor;      /* above 0, of a model of another program: a translation has at most so many
                         * times the tokens of its source, rounded up, and nothing else counts */
} LengthLimit;

/* The most of either in a model file. */
enum { LENGTH_RATIO_MOST = 1000, LENGTH_SPREAD_MOST = 10000 };

/* length_limit_most - tokens of a translation of so many tokens. */
int length_limit_most(LengthLimit limit, int source);

/* length_limit_wider - the larger of each of both; nothing, if one of them is. */
LengthLimit length_limit_wider(LengthLimit one, LengthLimit other);

#endif
