/* corpus.c - pairs as text, as ids, and as segments. */
#include "text/corpus/corpus.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { HUNDRED = 100 };

uint64_t corpus_source_hash(const char *source, size_t length)
{
    SCOPED(buf_free) Buf normal = { 0 };
    words_normalise(source, length, 0, &normal);
    return fnv1a64(FNV1A64_START, normal.text, normal.length);
}

Part corpus_part(uint64_t hash)
{
    uint64_t part = hash % HUNDRED;
    return part == 0 ? PART_TEST : part == 1 ? PART_VALID : PART_TRAIN;
}

/* ---- Text ---- */

void corpus_add(Corpus *c, Slice source, Slice target)
{
    c->source = grow(c->source, &c->source_capacity, c->count + 1, sizeof *c->source);
    c->target = grow(c->target, &c->target_capacity, c->count + 1, sizeof *c->target);
    c->source[c->count] = region_strndup(&c->text, source.text, source.length);
    c->target[c->count++] = region_strndup(&c->text, target.text, target.length);
}

int corpus_read(Corpus *corpus, const BitextFiles *files, const BitextOptions *options, int part,
                BitextReport *report, Err *e)
{
    *corpus = (Corpus){ 0 };
    Bitext *bitext = bitext_open(files, options, e);
    if (!bitext) return -1;
    BitextLine line;
    int status = 0;
    while (bitext_wanted(bitext) > 0 && (status = bitext_read(bitext, &line, e)) > 0) {
        bitext_judge(options, &line);
        status = bitext_take(bitext, &line, e);
        if (status < 0) break;
        if (!status) continue;
        const Slice source = line.source;
        if (part < 0 || (int)corpus_part(corpus_source_hash(source.text, source.length)) == part)
            corpus_add(corpus, source, line.target);
    }
    if (status >= 0) status = bitext_end(bitext, e);
    *report = *bitext_report(bitext);
    bitext_close(bitext);
    if (status) corpus_free(corpus);
    return status;
}

void corpus_free(Corpus *corpus)
{
    region_free(&corpus->text);
    xfree(corpus->source);
    xfree(corpus->target);
    *corpus = (Corpus){ 0 };
}

/* ---- Ids ---- */

static void add_side(const Tokenizer *t, const Words *words, int limit, Ids *ids)
{
    size_t end = ids->count + (size_t)limit;
    tokenizer_encode_range(t, words, 0, words->count, ids, NULL);
    ids_add(ids, ID_EOS);
    if (ids->count > end) ids->count = end;
}

void pairs_encode(Pairs *pairs, const Corpus *corpus, Language source, Language target, int limit)
{
    *pairs = (Pairs){ .count = corpus->count,
                      .source_at = xcalloc(corpus->count + 1, sizeof *pairs->source_at),
                      .target_at = xcalloc(corpus->count + 1, sizeof *pairs->target_at) };
    Ids sources = { 0 }, targets = { 0 };
    SCOPED(masked_line_free) MaskedLine line = { 0 };
    SCOPED(words_free) Words words = { 0 };
    for (size_t i = 0; i < corpus->count; i++) {
        mask_pair(&line, &words, source, target, corpus->source[i], corpus->target[i]);
        add_side(source.tokenizer, &line.words, limit, &sources);
        add_side(target.tokenizer, &words, limit, &targets);
        pairs->source_at[i + 1] = sources.count;
        pairs->target_at[i + 1] = targets.count;
    }
    pairs->source = sources.id;
    pairs->target = targets.id;
}

static void *copy(const void *values, size_t count, size_t size)
{
    void *block = xmalloc(count, size);
    return memcpy(block, values, count * size);
}

Pairs pairs_right_left(const Pairs *pairs)
{
    const size_t count = pairs->count, *at = pairs->target_at;
    Pairs p = { .count = count };
    if (!count) return p;
    p.source_at = copy(pairs->source_at, count + 1, sizeof *p.source_at);
    p.target_at = copy(pairs->target_at, count + 1, sizeof *p.target_at);
    p.source = copy(pairs->source, p.source_at[count], sizeof *p.source);
    p.target = copy(pairs->target, p.target_at[count], sizeof *p.target);
    for (size_t i = 0; i < count; i++)
        ids_reverse(p.target + at[i], at[i + 1] - at[i]);
    return p;
}

void pairs_free(Pairs *pairs)
{
    xfree(pairs->source);
    xfree(pairs->target);
    xfree(pairs->source_at);
    xfree(pairs->target_at);
    *pairs = (Pairs){ 0 };
}

/* ---- Segments ---- */

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

/* Lines by their sources; runs of one source by where they began. */
void segments_init(Segments *s, const Corpus *corpus)
{
    const size_t count = corpus->count;
    SCOPED(xfree_at) Line *lines = xmalloc(count, sizeof *lines);
    SCOPED(xfree_at) Run *runs = xmalloc(count, sizeof *runs);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const char *source = corpus->source[i];
        lines[i] = (Line){ corpus_source_hash(source, strlen(source)), source, corpus->target[i], i };
    }
    qsort(lines, count, sizeof *lines, by_source);
    for (size_t i = 0; i < count; i++) {
        if (i && lines[i].hash == lines[i - 1].hash) runs[found - 1].count++;
        else runs[found++] = (Run){ i, 1, lines[i].place };
    }
    qsort(runs, found, sizeof *runs, by_place);

    *s = (Segments){ .count = found };
    s->source = region_take(&s->lists, found, sizeof *s->source);
    s->reference = region_take(&s->lists, found, sizeof *s->reference);
    s->references = region_take(&s->lists, found, sizeof *s->references);
    for (size_t i = 0; i < found; i++) {
        const Line *line = &lines[runs[i].first];
        s->source[i] = line->source;
        s->references[i] = (int)runs[i].count;
        s->reference[i] = region_take(&s->lists, runs[i].count + 1, sizeof **s->reference);
        for (size_t k = 0; k < runs[i].count; k++)
            s->reference[i][k] = line[k].target;
        s->reference[i][runs[i].count] = NULL;
    }
}

void segments_thin(Segments *s, size_t most)
{
    if (s->count <= most) return;
    for (size_t kept = 0; kept < most; kept++) {
        const size_t i = kept * s->count / most;
        s->source[kept] = s->source[i];
        s->references[kept] = s->references[i];
        s->reference[kept] = s->reference[i];
    }
    s->count = most;
}

void segments_free(Segments *segments)
{
    region_free(&segments->lists);
    *segments = (Segments){ 0 };
}
