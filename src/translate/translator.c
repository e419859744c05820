/* translator.c - lines to batches, batches to workers, hypotheses to text. */
#include "translate/translator.h"

#include "translate/search.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) .offset = offsetof(SearchOptions, member)
const Field search_fields[] = {
    { .group = "Search", .name = "beam", .kind = FIELD_INT, AT(beam), .low = 1, .high = 100, .value = "N",
      .help = "translations kept in mind at every word; 1: greedy" },
    { .name = "nbest", .kind = FIELD_INT, AT(nbest), .low = 1, .high = 100, .value = "N",
      .help = "translations given for each line, at most --beam" },
    { .name = "normalize", .kind = FIELD_REAL, AT(normalize), .low = 0, .high = 10, .value = "A",
      .help = "compare log-probabilities divided by length^A" },
    { .name = "batch", .kind = FIELD_INT, AT(batch), .low = 1, .high = 10000, .value = "N",
      .help = "sentences translated together" },
    { .name = NULL }
};

SearchOptions search_defaults(void)
{
    return (SearchOptions){ .beam = 5, .nbest = 1, .normalize = 1, .batch = 64 };
}

/* A line as ids. */
typedef struct { int *id; int length; size_t line; } Source;

struct Translator {
    const Model  *model;
    SearchOptions options;
    SearchRules   rules;
    Pool         *pool;
    Net           net;
    Weights       w;
    Arena        *arena;        /* (workers) */
    /* what the workers read during a run */
    const Source *source;       /* longest first */
    size_t        count;
    Translation  *out;
    atomic_size_t next;         /* first source that no worker has taken */
};

Translator *translator_new(const Model *model, const SearchOptions *options, Pool *pool)
{
    Translator *t = xcalloc(1, sizeof *t);
    t->model = model;
    t->options = *options;
    int nbest = options->nbest < options->beam ? options->nbest : options->beam;
    t->rules = (SearchRules){ .beam = options->beam, .nbest = nbest, .normalize = options->normalize,
                              .begin = ID_BEGIN, .end = ID_END, .last_special = ID_SPECIALS, .unknown = ID_UNKNOWN };
    t->pool = pool;
    t->net = net_new(&model->network, tokenizer_size(model->source), tokenizer_size(model->target));
    t->w = weights_at(model->table, model->weights);
    t->arena = xcalloc((size_t)pool_workers(pool), sizeof *t->arena);
    return t;
}

void translator_free(Translator *t)
{
    if (!t) return;
    for (int i = 0; i < pool_workers(t->pool); i++)
        arena_free(&t->arena[i]);
    free(t->arena);
    free(t);
}

/* ---- a batch ---- */

static Hypothesis hypothesis_of(const Translator *t, const Found *f)
{
    Buf text = { 0 };
    buf_clear(&text);
    tokenizer_decode(t->model->target, f->ids, (size_t)f->length, &text);
    return (Hypothesis){ .text = text.text, .log_probability = f->log_probability, .score = f->score, .ids = f->ids,
                         .length = f->length, .attention = f->attention };
}

static void fill(const Translator *t, Translation *out, const Source *source, const Found *found, int count)
{
    out->source_ids = source->id;
    out->source_length = source->length;
    out->count = count;
    out->hypothesis = xcalloc((size_t)count, sizeof *out->hypothesis);
    for (int k = 0; k < count; k++)
        out->hypothesis[k] = hypothesis_of(t, &found[k]);
}

static void translate_batch(Translator *t, int worker, const Source *source, int count)
{
    const int nbest = t->rules.nbest;
    Sentence *sentences = xcalloc((size_t)count, sizeof *sentences);
    Found *found = xcalloc((size_t)count * nbest, sizeof *found);
    int *how_many = xcalloc((size_t)count, sizeof *how_many);
    for (int i = 0; i < count; i++)
        sentences[i] = (Sentence){ .source = source[i].id, .source_length = source[i].length };
    search_run(found, how_many, &t->net, &t->w, sentences, count, &t->rules, &t->arena[worker]);
    for (int i = 0; i < count; i++)
        fill(t, &t->out[source[i].line], &source[i], found + (size_t)i * nbest, how_many[i]);
    free(sentences);
    free(found);
    free(how_many);
}

static void work(void *context, int worker)
{
    Translator *t = context;
    const size_t batch = (size_t)t->options.batch;
    for (;;) {
        size_t at = atomic_fetch_add(&t->next, batch);
        if (at >= t->count) return;
        translate_batch(t, worker, t->source + at, (int)(t->count - at < batch ? t->count - at : batch));
    }
}

/* ---- a run ---- */

/* The ids of one line with <eos>; none for a line without words. */
static Source encode(const Translator *t, const char *line, size_t number, long *cut)
{
    Ids ids = { 0 };
    tokenizer_encode(t->model->source, line, strlen(line), &ids);
    if (ids.count > TRANSLATE_MAX_SOURCE) {
        ids.count = TRANSLATE_MAX_SOURCE;
        ++*cut;
    }
    if (ids.count) ids_add(&ids, ID_END);
    return (Source){ .id = ids.id, .length = (int)ids.count, .line = number };
}

static int longest_first(const void *a, const void *b)
{
    const Source *x = a, *y = b;
    if (x->length != y->length) return y->length - x->length;
    return x->line < y->line ? -1 : x->line > y->line;
}

void translator_run(Translator *t, const char *const *lines, size_t count, Translation *out, long *cut)
{
    Source *source = xmalloc(count, sizeof *source);
    t->count = 0;
    for (size_t i = 0; i < count; i++) {
        out[i] = (Translation){ 0 };
        Source s = encode(t, lines[i], i, cut);
        if (s.length) source[t->count++] = s;
        else free(s.id);
    }
    qsort(source, t->count, sizeof *source, longest_first);
    t->source = source;
    t->out = out;
    atomic_store(&t->next, 0);
    pool_run(t->pool, work, t);
    free(source);
}

void translation_free(Translation *translation)
{
    for (int k = 0; k < translation->count; k++) {
        free(translation->hypothesis[k].text);
        free(translation->hypothesis[k].ids);
        free(translation->hypothesis[k].attention);
    }
    free(translation->hypothesis);
    free(translation->source_ids);
    *translation = (Translation){ 0 };
}
