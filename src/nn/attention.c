/* attention.c - softmax over a sentence's own positions, and the context. */
#include "nn/attention.h"

#include "nn/vector.h"

#include <string.h>

void attention_forward(real *context, real *alpha, int ld, const real *query, const AttentionSource *source,
                       const Score *score, real *const *w, int rows, ScoreSizes n)
{
    const int P = score_width(score->prepared, n);
    for (int i = 0; i < rows; i++) {
        const size_t first = (size_t)source->first[i];
        const int length = source->length[i];
        real *a = alpha + (size_t)i * ld, *c = context + (size_t)i * n.C;

        /* 1. e_s = score(query, key_s) */
        score->score_forward(a, query + (size_t)i * P, source->keys + first * P, w, length, n);
        /* 2. alpha = softmax(e) */
        vector_softmax(a, length);
        /* 3. c = sum_s alpha_s m_s */
        memset(c, 0, (size_t)n.C * sizeof *c);
        for (int s = 0; s < length; s++)
            vector_axpy(c, a[s], source->memory + (first + s) * n.C, (size_t)n.C);
    }
}

void attention_backward(real *dquery, real *dmemory, real *dkeys, real *const *dw, const real *dcontext,
                        const real *alpha, int ld, const real *query, const AttentionSource *source,
                        const Score *score, real *const *w, int rows, ScoreSizes n, real *de)
{
    const int P = score_width(score->prepared, n);
    for (int i = 0; i < rows; i++) {
        const size_t first = (size_t)source->first[i];
        const int length = source->length[i];
        const real *a = alpha + (size_t)i * ld, *dc = dcontext + (size_t)i * n.C;

        /* 3. dalpha_s = dc · m_s;  dm_s += alpha_s dc */
        for (int s = 0; s < length; s++) {
            de[s] = vector_dot(dc, source->memory + (first + s) * n.C, (size_t)n.C);
            vector_axpy(dmemory + (first + s) * n.C, a[s], dc, (size_t)n.C);
        }
        /* 2. de_s = alpha_s (dalpha_s - sum_s' alpha_s' dalpha_s') */
        real mean = vector_dot(a, de, (size_t)length);
        for (int s = 0; s < length; s++)
            de[s] = a[s] * (de[s] - mean);
        /* 1. */
        score->score_backward(dquery + (size_t)i * P, dkeys + first * P, dw, de, query + (size_t)i * P,
                              source->keys + first * P, w, length, n);
    }
}
