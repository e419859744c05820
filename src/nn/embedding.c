/* embedding.c - gather rows, scatter their gradients. */
#include "nn/embedding.h"

#include "linalg/vector.h"

#include <string.h>

void embedding_forward(real *y, const real *table, const int *id, int N, int E)
{
    for (int i = 0; i < N; i++)
        memcpy(y + (size_t)i * E, table + (size_t)id[i] * E, (size_t)E * sizeof *y);
}

void embedding_backward(real *dtable, const real *dy, const int *id, int N, int E)
{
    for (int i = 0; i < N; i++)
        vector_add(dtable + (size_t)id[i] * E, dy + (size_t)i * E, (size_t)E);
}
