/* prepacked_weights.c - the prepacked copies of weights, in one block of memory, and the caches of
 * products that depend only on the word. */
#include "model/prepacked_weights.h"

#include "base/mem.h"
#include "linalg/linear.h"

#include <string.h>

struct PrepackedWeights {
    Linear    *weight;          /* (count) */
    Prepacked *copy;            /* (count) */
    int        count;
    real      *own;             /* memory of the copies. Pages that are never
                                 * written take none */
};

/* The reals of a block's copies, each rounded up so that the next one starts at a cache line; 0:
 * there is no such copy. */
typedef struct { size_t forward, backward; } CopySizes;

static CopySizes sizes_of(const WeightBlock *block, const Linear *w, PrepackedPurpose purpose)
{
    enum { LINE = 64 / sizeof(real) };
    const int uses = purpose == PREPACKED_TO_USE, once = block->reads == READS_ONCE;
    const int sparsely = purpose == PREPACKED_TO_LEARN_SPARSELY;
    CopySizes n = { 0, 0 };
    if (uses || !once) n.forward = (prepacked_forward_size(w) + LINE - 1) / LINE * LINE;
    if (!uses && !once && !(sparsely && block->reads == READS_EACH_CHUNK))
        n.backward = (prepacked_backward_size(w) + LINE - 1) / LINE * LINE;
    return n;
}

size_t prepacked_weights_measure(const ParameterTable *table, Precision precision,
                                 PrepackedPurpose purpose)
{
    size_t size = 0;
    for (int i = 0; i < table->blocks; i++) {
        const WeightBlock *block = &table->block[i];
        const Linear w = linear_of(NULL, block->ld, block->rows, block->columns, precision);
        const CopySizes n = sizes_of(block, &w, purpose);
        size += n.forward + n.backward;
    }
    return size * sizeof(real);
}

static Linear *weight_of(Weights *w, const WeightBlock *block)
{
    return (Linear *)((char *)w + block->field);
}

/* Each weight has a precision of its own, which need not be that of the others. */
PrepackedWeights *prepacked_weights_new(const ParameterTable *table, Weights *w,
                                        PrepackedPurpose purpose)
{
    size_t size = 0;
    for (int i = 0; i < table->blocks; i++) {
        const CopySizes n = sizes_of(&table->block[i], weight_of(w, &table->block[i]), purpose);
        size += n.forward + n.backward;
    }
    if (!size) return NULL;
    PrepackedWeights *p = xcalloc(1, sizeof *p);
    p->weight = xcalloc((size_t)table->blocks, sizeof *p->weight);
    p->copy = xcalloc((size_t)table->blocks, sizeof *p->copy);
    p->own = xaligned_raw(size, sizeof(real));
    real *room = p->own;
    for (int i = 0; i < table->blocks; i++) {
        Linear *weight = weight_of(w, &table->block[i]);
        const CopySizes n = sizes_of(&table->block[i], weight, purpose);
        Prepacked *copy = &p->copy[p->count];
        if (!n.forward) continue;
        copy->forward = room;
        if (n.backward) copy->backward = room + n.forward;
        atomic_init(&copy->state, purpose == PREPACKED_TO_USE ? PREPACKED_LATER : PREPACKED_READY);
        weight->prepacked = copy;
        p->weight[p->count++] = *weight;
        room += n.forward + n.backward;
    }
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

static int has_block(const Parameter *p, const WeightBlock *block)
{
    return block->at >= p->at && block->at < p->at + parameter_count(p);
}

int prepacked_weights_suffice(const ParameterTable *table, int i, Precision precision)
{
    const Parameter *p = &table->row[i];
    size_t values = 0;
    for (const WeightBlock *b = table->block; b < table->block + table->blocks; b++) {
        const Linear w = linear_of(NULL, b->ld, b->rows, b->columns, precision);
        if (has_block(p, b) && w.precision == precision && prepacked_forward_size(&w))
            values += (size_t)b->rows * (size_t)b->columns;
    }
    return p->field == NO_FIELD && values == parameter_count(p);
}

ParameterTable *prepacked_weights_rest(const ParameterTable *table, Precision precision)
{
    const size_t rows = (size_t)table->count, blocks = (size_t)table->blocks;
    ParameterTable *rest = xmalloc(1, sizeof *rest);
    *rest = *table;
    rest->row = memcpy(xmalloc(rows, sizeof *rest->row), table->row, rows * sizeof *rest->row);
    rest->block = memcpy(xmalloc(blocks, sizeof *rest->block), table->block,
                         blocks * sizeof *rest->block);
    size_t missing = 0;             /* before this row */
    for (int i = 0; i < table->count; i++) {
        const Parameter *p = &table->row[i];
        rest->row[i].at -= missing;
        for (int k = 0; k < table->blocks; k++)
            if (has_block(p, &table->block[k])) rest->block[k].at -= missing;
        if (prepacked_weights_suffice(table, i, precision))
            missing += (i + 1 < table->count ? p[1].at : table->size) - p->at;
    }
    rest->size -= missing;
    return rest;
}

void prepacked_weights_write_row(Weights *w, const ParameterTable *table, int i, real *x)
{
    const Parameter *p = &table->row[i];
    for (int k = 0; k < table->blocks; k++) {
        if (!has_block(p, &table->block[k])) continue;
        Linear one = *weight_of(w, &table->block[k]);
        one.weights = x + (table->block[k].at - p->at);
        prepacked_write(&one, (Portion){ 0, 1 });
        atomic_store(&one.prepacked->state, PREPACKED_READY);
    }
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
    if (n->self_attention[SIDE_TARGET].layers) return;
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
