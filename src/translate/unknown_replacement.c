/* unknown_replacement.c - each written <unk> takes the best that is left. */
#include "translate/unknown_replacement.h"

#include "base/mem.h"

#include <stdlib.h>

/* The place of the greatest weight that is free; -1: there is none. */
static int attended(const float *weight, const char *is_free, int length)
{
    int best = -1;
    for (int s = 0; s < length; s++)
        if (is_free[s] && (best < 0 || weight[s] > weight[best])) best = s;
    return best;
}

int unknown_replacement_choose(int *place, const Hypothesis *found, const int *source, int source_length, int unknown, CopyFrom from)
{
    const int words = source_length - 1;
    char *is_free = xcalloc((size_t)source_length, 1);
    int count = 0;
    for (int s = 0; s < words; s++)
        is_free[s] = from == COPY_ANY || source[s] == unknown;
    for (int t = 0; t < found->length; t++) {
        if (found->ids[t] != unknown) continue;
        int best = attended(found->attention + (size_t)t * (size_t)source_length, is_free, words);
        if (best >= 0) is_free[best] = from == COPY_ANY;
        place[count++] = best;
    }
    free(is_free);
    return count;
}
