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

/* Links the target words of one chunk from word `from` on; returns the word behind them. */
static int add_links(const Alignment *a, int from, Buf *out)
{
    WordRange source = words_of(a->source, a->source_count),
        target = words_of(a->target, a->target_count);
    if (!source.count) return from;
    int end = target.first + target.count, j = target.first > from ? target.first : from;
    double *mass = xmalloc((size_t)source.count, sizeof *mass);
    for (; j < end; j++) {
        memset(mass, 0, (size_t)source.count * sizeof *mass);
        if (!gather(a, j, source.first, mass)) continue;        /* it stands in a tag */
        buf_printf(out, "%s%d-%d", out->length ? " " : "",
                   source.first + greatest(mass, source.count), j);
    }
    free(mass);
    return j;
}

void alignment_links(const Alignment *chunk, size_t count, Buf *out)
{
    Buf links = { 0 };
    int from = 0;
    for (size_t i = 0; i < count; i++)
        from = add_links(&chunk[i], from, &links);
    if (links.length) buf_add(out, links.text, links.length);
    buf_free(&links);
}
