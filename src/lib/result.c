/* result.c - translations as values that need neither model nor translator. */
#include "lib/result.h"

#include "base/mem.h"
#include "lib/attempt.h"
#include "translate/alignment.h"

#include <math.h>

typedef struct {
    char  *text, *alignment;        /* alignment NULL: not wanted */
    double log_probability, score;
} Best;

typedef struct {
    Best  *best;                    /* (count) */
    size_t count;
} Line;

struct attn_result {
    Heap  *heap;
    Line  *line;                    /* (count) */
    size_t count;
};

/* What a result is made of, and how far it is made. */
typedef struct {
    const Translation *translation; /* (count) */
    size_t             count;
    const Model       *aligned;     /* NULL: no alignments */
    Heap              *heap;
    attn_result       *result;
} Making;

static char *links_of(const Translation *t, int k, const Model *model)
{
    Buf links = { 0 };
    buf_clear(&links);
    if (t->count) line_links(t, k, model, &links);
    return links.text;
}

static Best best_of(const Making *m, const Translation *t, int k)
{
    char *alignment = m->aligned ? links_of(t, k, m->aligned) : NULL;
    if (!t->count) return (Best){ .text = xstrdup(""), .alignment = alignment };
    const LineHypothesis *h = &t->hypothesis[k];
    return (Best){ xstrdup(h->text), alignment, h->log_probability, h->score };
}

static Line line_of(const Making *m, const Translation *t)
{
    const int count = t->count ? t->count : 1;
    Line line = { xmalloc((size_t)count, sizeof *line.best), (size_t)count };
    for (int k = 0; k < count; k++)
        line.best[k] = best_of(m, t, k);
    return line;
}

static void make(void *context)
{
    Making *m = context;
    attn_result *r = m->result = xmalloc(1, sizeof *r);
    *r = (attn_result){ m->heap, xmalloc(m->count, sizeof *r->line), m->count };
    for (size_t i = 0; i < m->count; i++)
        r->line[i] = line_of(m, &m->translation[i]);
}

static int check(const Translation *translations, size_t count, Err *e)
{
    for (size_t i = 0; i < count; i++)
        if (translations[i].count && translation_is_void(&translations[i]))
            return err(e, "line %zu: what the model computes of it is no number: its weights are "
                       "too large", i);
    return 0;
}

attn_result *result_new(const Translation *translations, size_t count, const Model *aligned, Err *e)
{
    if (check(translations, count, e)) return NULL;
    Making m = { translations, count, aligned, heap_new(), NULL };
    if (m.heap && !attempt(m.heap, make, &m, e)) return m.result;
    if (!m.heap) err(e, "out of memory");
    heap_free(m.heap);
    return NULL;
}

void attn_result_free(attn_result *result)
{
    if (result) heap_free(result->heap);
}

/* Translation k of a line, or NULL. */
static const Best *find(const attn_result *r, size_t line, size_t k)
{
    return k < attn_result_count(r, line) ? &r->line[line].best[k] : NULL;
}

size_t attn_result_count(const attn_result *r, size_t line)
{
    return line < r->count ? r->line[line].count : 0;
}

const char *attn_result_text(const attn_result *r, size_t line, size_t k)
{
    const Best *best = find(r, line, k);
    return best ? best->text : NULL;
}

double attn_result_log_probability(const attn_result *r, size_t line, size_t k)
{
    const Best *best = find(r, line, k);
    return best ? best->log_probability : NAN;
}

double attn_result_score(const attn_result *r, size_t line, size_t k)
{
    const Best *best = find(r, line, k);
    return best ? best->score : NAN;
}

const char *attn_result_alignment(const attn_result *r, size_t line, size_t k)
{
    const Best *best = find(r, line, k);
    return best ? best->alignment : NULL;
}
