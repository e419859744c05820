/* context_projection.c - the weights that read the context, one beside the other. */
#include "model/context_projection.h"

#include "linalg/vector.h"
#include "model/decoder/decoder_type.h"

#include <string.h>

static int reads_context(const Architecture *net)
{
    return net->options.readout == READOUT_DEEP;
}

int context_projection_width(const Architecture *net, const Weights *w)
{
    const Sizes *n = &net->n;
    const int has_sum = net->attention.score->context_forward == NULL;
    if (!net->decoder->context_weight || !has_sum || w->precision != PRECISION_FLOAT) return 0;
    return n->G + (reads_context(net) ? n->E : 0);
}

void context_projection_forward(real *values, const Architecture *net, const Weights *w,
                                const real *memory, int M)
{
    const Sizes *n = &net->n;
    const int width = context_projection_width(net, w);
    linear_forward(OVERWRITE, values, width, memory, n->C, net->decoder->context_weight(w), NULL,
                   M);
    if (reads_context(net))
        linear_forward(OVERWRITE, values + n->G, width, memory, n->C, &w->hidden[HIDDEN_CONTEXT],
                       NULL, M);
}

int context_is_projected(const Pass *pass)
{
    return pass->memory && pass->memory->values;
}

void context_to_gates(real *gates, const DecoderState *d, const Pass *pass, const real *bias,
                      int rows)
{
    const size_t G = (size_t)pass->architecture->n.G, width = (size_t)pass->memory->width;
    for (size_t i = 0; i < (size_t)rows; i++) {
        memcpy(gates + i * G, bias, G * sizeof *gates);
        vector_add(gates + i * G, d->context + i * width, G);
    }
}

void context_to_readout(real *hidden, const DecoderState *d, const Pass *pass, int rows)
{
    const Sizes *n = &pass->architecture->n;
    const size_t E = (size_t)n->E, width = (size_t)pass->memory->width;
    for (size_t i = 0; i < (size_t)rows; i++)
        vector_add(hidden + i * E, d->context + i * width + n->G, E);
}
