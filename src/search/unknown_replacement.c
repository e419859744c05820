/* unknown_replacement.c - each written <unk> takes the most attended place that is free. */
#include "search/unknown_replacement.h"

#include "base/mem.h"
#include "text/tokenizer/tokenizer.h"

#include <stdlib.h>

/* The free place of the greatest weight; -1: none is free. */
static int attended(const float *weight, const char *is_free, int length)
{
    int best = -1;
    for (int s = 0; s < length; s++)
        if (is_free[s] && (best < 0 || weight[s] > weight[best])) best = s;
    return best;
}

int unknown_replacement_choose(int *place, const Hypothesis *h, const int *source,
                               int source_length, CopyFrom from)
{
    const int words = source_length - 1;
    char *is_free = xcalloc((size_t)source_length, 1);
    int count = 0;
    for (int s = 0; s < words; s++)
        is_free[s] = from == COPY_ANY || source[s] == ID_UNK;
    for (int t = 0; t < h->length; t++) {
        if (h->ids[t] != ID_UNK) continue;
        const float *attention = h->attention + (size_t)t * (size_t)source_length;
        const int best = attended(attention, is_free, words);
        if (best >= 0) is_free[best] = from == COPY_ANY;
        place[count++] = best;
    }
    xfree(is_free);
    return count;
}
