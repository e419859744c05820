/* prepacked.c - how a copy is made, and when it may be read. */
#include "linalg/prepacked.h"

size_t prepacked_forward_size(const Linear *w)
{
    return gemm_multiplies(w->precision) ? gemm_packed_size(w->precision, w->columns, w->rows) : 0;
}

size_t prepacked_backward_size(const Linear *w)
{
    return gemm_multiplies(w->precision) ? gemm_packed_size(w->precision, w->rows, w->columns) : 0;
}

static void write_forward(const Linear *w, Portion portion)
{
    gemm_pack(w->precision, w->prepacked->forward, transposed(w->weights, w->ld), w->columns,
              w->rows, portion);
}

static void write_backward(const Linear *w, Portion portion)
{
    gemm_pack(w->precision, w->prepacked->backward, matrix_of(w->weights, w->ld), w->rows,
              w->columns, portion);
}

void prepacked_write(const Linear *w, Portion portion)
{
    if (w->prepacked->forward) write_forward(w, portion);
    if (w->prepacked->backward) write_backward(w, portion);
}

/* The first thread that asks makes the copy, while the others go without. */
const real *prepacked_forward(const Linear *w)
{
    Prepacked *p = w->prepacked;
    int state = PREPACKED_LATER;
    if (!p || !p->forward) return NULL;
    if (atomic_load_explicit(&p->state, memory_order_acquire) == PREPACKED_READY) return p->forward;
    if (!atomic_compare_exchange_strong(&p->state, &state, PREPACKED_NOW)) return NULL;
    write_forward(w, (Portion){ 0, 1 });
    atomic_store_explicit(&p->state, PREPACKED_READY, memory_order_release);
    return p->forward;
}

const real *prepacked_backward(const Linear *w)
{
    return w->prepacked ? w->prepacked->backward : NULL;
}
