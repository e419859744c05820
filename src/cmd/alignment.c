/* alignment.c - attention summed over the pieces of words; the greatest sum is the link. */
#include "cmd/alignment.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static int word_count(const Piece *pieces, int count)
{
    int words = 0;
    for (int i = 0; i < count; i++)
        if (pieces[i].word >= words) words = pieces[i].word + 1;
    return words;
}

/* mass[i] = attention of all pieces of target word j to all pieces of source word i */
static void gather(const Alignment *a, int j, double *mass)
{
    for (int t = 0; t < a->target_count; t++) {
        if (a->target[t].word != j) continue;
        const float *row = a->weight + (size_t)t * (size_t)a->source_count;
        for (int s = 0; s < a->source_count; s++)
            if (a->source[s].word >= 0) mass[a->source[s].word] += row[s];
    }
}

static int greatest(const double *mass, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (mass[i] > mass[best]) best = i;
    return best;
}

void alignment_links(const Alignment *a, Buf *out)
{
    int sources = word_count(a->source, a->source_count), targets = word_count(a->target, a->target_count);
    if (!sources) return;
    double *mass = xmalloc((size_t)sources, sizeof *mass);
    for (int j = 0; j < targets; j++) {
        memset(mass, 0, (size_t)sources * sizeof *mass);
        gather(a, j, mass);
        buf_printf(out, "%s%d-%d", j ? " " : "", greatest(mass, sources), j);
    }
    free(mass);
}
