/* segments.c - group by source: sort, cut into runs, sort the runs by where they began. */
#include "text/corpus/corpus.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

typedef struct { uint64_t hash; const char *source, *target; size_t place; } Line;
typedef struct { size_t first, count, place; } Run;

static int by_source(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    if (x->hash != y->hash) return x->hash > y->hash ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
    const Run *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static size_t find_runs(Run *runs, const Line *lines, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && lines[i].hash == lines[i - 1].hash)
            runs[found - 1].count++;
        else
            runs[found++] = (Run){ i, 1, lines[i].place };
    }
    return found;
}

static Line line_of(const Corpus *corpus, size_t i)
{
    const char *source = corpus->source[i];
    return (Line){ corpus_source_hash(source, strlen(source)), source, corpus->target[i], i };
}

void segments_init(Segments *segments, const Corpus *corpus)
{
    const size_t count = corpus->count;
    Line *lines = xmalloc(count, sizeof *lines);
    Run *runs = xmalloc(count, sizeof *runs);
    for (size_t i = 0; i < count; i++)
        lines[i] = line_of(corpus, i);
    qsort(lines, count, sizeof *lines, by_source);
    size_t found = find_runs(runs, lines, count);
    qsort(runs, found, sizeof *runs, by_place);

    *segments = (Segments){ .count = found };
    segments->source = xmalloc(found, sizeof *segments->source);
    segments->reference = xmalloc(found, sizeof *segments->reference);
    segments->references = xmalloc(found, sizeof *segments->references);
    for (size_t i = 0; i < found; i++) {
        const Run *run = &runs[i];
        segments->source[i] = lines[run->first].source;
        segments->references[i] = (int)run->count;
        segments->reference[i] = xcalloc(run->count + 1, sizeof **segments->reference);
        for (size_t k = 0; k < run->count; k++)
            segments->reference[i][k] = lines[run->first + k].target;
    }
    xfree(runs);
    xfree(lines);
}

void segments_free(Segments *segments)
{
    for (size_t i = 0; i < segments->count; i++)
        xfree(segments->reference[i]);
    xfree(segments->reference);
    xfree(segments->references);
    xfree(segments->source);
    *segments = (Segments){ 0 };
}

void segments_thin(Segments *segments, size_t most)
{
    if (segments->count <= most) return;
    for (size_t i = 0, kept = 0; i < segments->count; i++) {
        if (kept < most && i == kept * segments->count / most) {
            segments->source[kept] = segments->source[i];
            segments->references[kept] = segments->references[i];
            segments->reference[kept] = segments->reference[i];
            kept++;
        } else {
            xfree(segments->reference[i]);
        }
    }
    segments->count = most;
}
