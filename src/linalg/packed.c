/* packed.c - a hash table that grows by one entry a weight, without locks: an entry is complete before it is seen. */
#include "linalg/packed.h"

#include "base/mem.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
    Operand    b;
    int        k, n;
    PackedCopy copy;
} Entry;

enum { SLOTS = 512 };       /* a network of MAX_LAYERS has some 60 weights */

struct PackedWeights {
    const real      *block;
    size_t           size;
    Precision        precision;
    _Atomic(Entry *) slot[SLOTS];
};

PackedWeights *packed_new(const real *block, size_t size, Precision precision)
{
    if (!gemm_is_fastest()) return NULL;
    PackedWeights *p = xmalloc(1, sizeof *p);
    p->block = block;
    p->size = size;
    p->precision = precision;
    for (int i = 0; i < SLOTS; i++)
        atomic_init(&p->slot[i], NULL);
    return p;
}

static void entry_free(Entry *entry)
{
    if (entry) free((real *)entry->copy.panels);
    free(entry);
}

void packed_free(PackedWeights *p)
{
    for (int i = 0; p && i < SLOTS; i++)
        entry_free(atomic_load(&p->slot[i]));
    free(p);
}

static Entry *entry_new(Precision wanted, Operand b, int k, int n)
{
    const int is_small = k < PACKED_LEAST || n < PACKED_LEAST;
    const Precision precision = wanted == PRECISION_INT8 && is_small ? PRECISION_FLOAT : wanted;
    Entry *entry = xmalloc(1, sizeof *entry);
    real *panels = xaligned_raw(gemm_panels(precision, k, n), sizeof *panels);
    gemm_pack(precision, panels, b, k, n, (Portion){ 0, 1 });
    *entry = (Entry){ b, k, n, { panels, precision } };
    return entry;
}

static int is_of(const Entry *entry, Operand b, int k, int n)
{
    return entry->b.x == b.x && entry->b.row == b.row && entry->b.column == b.column && entry->k == k && entry->n == n;
}

/* Fibonacci hashing (Knuth, volume 3, section 6.4): weights lie a multiple of 64 bytes apart. */
static unsigned hash_of(const real *x)
{
    return (unsigned)(((uint64_t)(uintptr_t)x * 0x9E3779B97F4A7C15u) >> 55) % SLOTS;
}

PackedCopy packed_find(PackedWeights *p, Operand b, int k, int n)
{
    const PackedCopy none = { NULL, PRECISION_FLOAT };
    if (b.x < p->block || b.x >= p->block + p->size) return none;
    Entry *made = NULL, *found = NULL;
    for (unsigned i = hash_of(b.x), tried = 0; tried < SLOTS; i = (i + 1) % SLOTS, tried++) {
        found = atomic_load_explicit(&p->slot[i], memory_order_acquire);
        if (!found && !made) made = entry_new(p->precision, b, k, n);
        if (!found && atomic_compare_exchange_strong(&p->slot[i], &found, made)) return made->copy;
        if (is_of(found, b, k, n)) break;   /* perhaps another thread's of this moment */
        found = NULL;
    }
    entry_free(made);
    return found ? found->copy : none;
}
