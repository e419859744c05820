/* prepacked_weights.c - the prepacked copies of weights, in one block of memory, and the caches of
 * products that depend only on the word. */
#include "model/prepacked_weights.h"

#include "base/mem.h"
#include "linalg/linear.h"

#include <stdlib.h>

struct PrepackedWeights {
    Linear    *weight;          /* (count) */
    Prepacked *copy;            /* (count) */
    int        count;
    real      *own;             /* memory of the copies. Pages that are never
                                 * written take none */
};

/* ---- which copies, and their sizes ---- */

static int has_forward(const WeightBlock *block, PrepackedPurpose purpose)
{
    return purpose == PREPACKED_TO_USE || block->reads != READS_ONCE;
}

static int has_backward(const WeightBlock *block, PrepackedPurpose purpose)
{
    if (purpose == PREPACKED_TO_USE || block->reads == READS_ONCE) return 0;
    return purpose == PREPACKED_TO_LEARN || block->reads != READS_EACH_CHUNK;
}

/* The count rounded up so that the next copy starts at a cache line. */
static size_t aligned(size_t count)
{
    enum { LINE = 64 / sizeof(real) };
    return (count + LINE - 1) / LINE * LINE;
}

static size_t size_of(const WeightBlock *block, const Linear *w, PrepackedPurpose purpose)
{
    const size_t forward = has_forward(block, purpose) ? aligned(prepacked_forward_size(w)) : 0;
    return forward + (has_backward(block, purpose) ? aligned(prepacked_backward_size(w)) : 0);
}

size_t prepacked_weights_measure(const ParameterTable *table, Precision precision,
                                 PrepackedPurpose purpose)
{
    size_t size = 0;
    for (int i = 0; i < table->blocks; i++) {
        const WeightBlock *block = &table->block[i];
        const Linear w = linear_of(NULL, block->ld, block->rows, block->columns, precision);
        size += size_of(block, &w, purpose);
    }
    return size * sizeof(real);
}

/* ---- the copies ---- */

static Linear *weight_of(Weights *w, const WeightBlock *block)
{
    return (Linear *)((char *)w + block->field);
}

/* The bytes of the copies of these weights, each of which has its own precision. */
static size_t measure(const ParameterTable *table, Weights *w, PrepackedPurpose purpose)
{
    size_t size = 0;
    for (int i = 0; i < table->blocks; i++)
        size += size_of(&table->block[i], weight_of(w, &table->block[i]), purpose);
    return size * sizeof(real);
}

/* Gives the block's Linear its copies, if our kernels multiply by it, stored from `room` on;
 * returns the end of them. */
static real *add(PrepackedWeights *p, Linear *w, const WeightBlock *block,
                 PrepackedPurpose purpose, real *room)
{
    Prepacked *copy = &p->copy[p->count];
    if (!has_forward(block, purpose) || !prepacked_forward_size(w)) return room;
    copy->forward = room;
    if (has_backward(block, purpose)) copy->backward = room + aligned(prepacked_forward_size(w));
    atomic_init(&copy->state, purpose == PREPACKED_TO_USE ? PREPACKED_LATER : PREPACKED_READY);
    w->prepacked = copy;
    p->weight[p->count++] = *w;
    return room + size_of(block, w, purpose);
}

PrepackedWeights *prepacked_weights_new(const ParameterTable *table, Weights *w,
                                        PrepackedPurpose purpose)
{
    const size_t bytes = measure(table, w, purpose);
    if (!bytes) return NULL;
    PrepackedWeights *p = xcalloc(1, sizeof *p);
    p->weight = xcalloc((size_t)table->blocks, sizeof *p->weight);
    p->copy = xcalloc((size_t)table->blocks, sizeof *p->copy);
    p->own = xaligned_raw(bytes, 1);
    real *room = p->own;
    for (int i = 0; i < table->blocks; i++)
        room = add(p, weight_of(w, &table->block[i]), &table->block[i], purpose, room);
    return p;
}

void prepacked_weights_free(PrepackedWeights *p)
{
    if (!p) return;
    xfree(p->weight);
    xfree(p->copy);
    xfree(p->own);
    xfree(p);
}

void prepacked_weights_write(PrepackedWeights *p, Portion portion)
{
    for (int i = 0; p && i < p->count; i++)
        prepacked_write(&p->weight[i], portion);
}

/* ---- words ---- */

void word_projections_init(WordProjections *words, const Architecture *net)
{
    const Sizes *n = &net->n;
    *words = (WordProjections){ .target = NULL };
    for (int d = 0; n->R && d < encoder_directions(n, 0); d++)
        words->source[d] = projection_cache_new(n->Vs, n->G);
    if (n->decoder_attention.layers) return;
    words->target = projection_cache_new(n->Vt, n->G);
    if (net->options.readout == READOUT_DEEP) words->readout = projection_cache_new(n->Vt, n->E);
}

void word_projections_free(WordProjections *words)
{
    projection_cache_free(words->source[0]);
    projection_cache_free(words->source[1]);
    projection_cache_free(words->target);
    projection_cache_free(words->readout);
}
