/* copies.c - each written <unk> takes the best that is left. */
#include "translate/copies.h"

#include "base/mem.h"

#include <stdlib.h>

/* The place of the greatest weight on an `unknown` that is not taken; -1: there is none. */
static int attended(const float *weight, const int *source, int length, int unknown, const char *taken)
{
    int best = -1;
    for (int s = 0; s < length; s++)
        if (source[s] == unknown && !taken[s] && (best < 0 || weight[s] > weight[best])) best = s;
    return best;
}

static int number_of(const int *source, int place, int unknown)
{
    int number = 0;
    for (int s = 0; s < place; s++)
        number += source[s] == unknown;
    return number;
}

int copies_choose(int *copy, const Found *found, const int *source, int source_length, int unknown)
{
    char *taken = xcalloc((size_t)source_length, 1);
    int count = 0;
    for (int t = 0; t < found->length; t++) {
        if (found->ids[t] != unknown) continue;
        const float *weight = found->attention + (size_t)t * (size_t)source_length;
        int place = attended(weight, source, source_length, unknown, taken);
        copy[count++] = place < 0 ? -1 : number_of(source, place, unknown);
        if (place >= 0) taken[place] = 1;
    }
    free(taken);
    return count;
}
