/* alignment.c - attention summed over the pieces of words; the greatest sum is the link. */
#include "translate/alignment.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Words first .. first + count - 1. */
typedef struct { int first, count; } WordRange;

static WordRange words_of(const Piece *pieces, int count)
{
    WordRange range = { 0, 0 };
    for (int i = 0; i < count; i++) {
        if (pieces[i].word < 0) continue;
        if (!range.count) range.first = pieces[i].word;
        range.count = pieces[i].word - range.first + 1;
    }
    return range;
}

/* mass[i] = attention of all pieces of target word j to all pieces of source word first + i; returns
 * how many pieces that are. */
static int gather(const Alignment *a, int j, int first, double *mass)
{
    int pieces = 0;
    for (int t = 0; t < a->target_count; t++) {
        if (a->target[t].word != j) continue;
        const float *row = a->weight + (size_t)t * (size_t)a->source_count;
        pieces++;
        for (int s = 0; s < a->source_count; s++)
            if (a->source[s].word >= 0) mass[a->source[s].word - first] += row[s];
    }
    return pieces;
}

static int greatest(const double *mass, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (mass[i] > mass[best]) best = i;
    return best;
}

/* Sets links[j], which is -1 so far, to the source word of each target word j of a chunk. A word that
 * two chunks share is linked by the first. */
static void link_words(const Alignment *a, int *links)
{
    const WordRange source = words_of(a->source, a->source_count),
        target = words_of(a->target, a->target_count);
    if (!source.count) return;
    double *mass = xmalloc((size_t)source.count, sizeof *mass);
    for (int j = target.first; j < target.first + target.count; j++) {
        memset(mass, 0, (size_t)source.count * sizeof *mass);
        if (links[j] >= 0 || !gather(a, j, source.first, mass)) continue;   /* or it stands in a tag */
        links[j] = source.first + greatest(mass, source.count);
    }
    xfree(mass);
}

/* The number of target words up to the last one of the chunks. */
static int count_target_words(const Alignment *chunk, size_t count)
{
    int words = 0;
    for (size_t i = 0; i < count; i++) {
        const WordRange target = words_of(chunk[i].target, chunk[i].target_count);
        if (target.first + target.count > words) words = target.first + target.count;
    }
    return words;
}

void alignment_links(const Alignment *chunk, size_t count, Buf *out)
{
    const int words = count_target_words(chunk, count);
    const size_t start = out->length;
    int *links = xmalloc((size_t)words, sizeof *links);
    for (int j = 0; j < words; j++)
        links[j] = -1;
    for (size_t i = 0; i < count; i++)
        link_words(&chunk[i], links);
    for (int j = 0; j < words; j++)
        if (links[j] >= 0)
            buf_printf(out, "%s%d-%d", out->length > start ? " " : "", links[j], j);
    xfree(links);
}
