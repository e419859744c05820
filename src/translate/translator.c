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
    return (SearchOptions){ .beam = 5, .nbest = 1, .normalize = 1, .batch = 64, .attention = 1 };
}

/* A batch: sources first .. first + count - 1. */
typedef struct { int first, count; } Slice;

struct Translator {
    const Model  *model;
    SearchOptions options;
    SearchRules   rules;
    Pool         *pool;
    Net           net;
    Weights       w;
    Arena        *arena;        /* (workers) */
    /* what the workers read during a run */
    const Sentence *source;     /* longest first; the number says which line */
    const Slice    *slice;
    int             slices;
    Translation    *out;
    atomic_int      next;       /* first slice that no worker has taken */
};

Translator *translator_new(const Model *model, const SearchOptions *options, Pool *pool)
{
    Translator *t = xcalloc(1, sizeof *t);
    t->model = model;
    t->options = *options;
    int nbest = options->nbest < options->beam ? options->nbest : options->beam;
    t->rules = (SearchRules){ .beam = options->beam, .nbest = nbest, .normalize = options->normalize,
                              .begin = ID_BEGIN, .end = ID_END, .first_word = ID_SPECIALS, .unknown = ID_UNKNOWN,
                              .attention = options->attention };
    t->pool = pool;
    t->net = model_net(model);
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
    tokenizer_decode(t->model->target, f->ids, (size_t)f->length, NULL, &text);
    return (Hypothesis){ .text = text.text, .log_probability = f->log_probability, .score = f->score, .ids = f->ids,
                         .length = f->length, .attention = f->attention };
}

/* Sources of equal length together; the results go where their lines stand. */
static void translate_slice(Translator *t, int worker, const Sentence *source, int count)
{
    const int nbest = t->rules.nbest;
    Found *found = xcalloc((size_t)count * (size_t)nbest, sizeof *found);
    int *how_many = xcalloc((size_t)count, sizeof *how_many);
    search_run(found, how_many, &t->net, &t->w, source, count, &t->rules, &t->arena[worker]);
    for (int i = 0; i < count; i++) {
        Translation *out = &t->out[source[i].number];
        out->count = how_many[i];
        out->hypothesis = xcalloc((size_t)how_many[i], sizeof *out->hypothesis);
        for (int k = 0; k < how_many[i]; k++)
            out->hypothesis[k] = hypothesis_of(t, &found[i * nbest + k]);
    }
    free(found);
    free(how_many);
}

static void work(void *context, int worker)
{
    Translator *t = context;
    for (int i; (i = atomic_fetch_add(&t->next, 1)) < t->slices;)
        translate_slice(t, worker, t->source + t->slice[i].first, t->slice[i].count);
}

/* ---- a run ---- */

/* The ids of one line with <eos>; none for a line without words. */
static Translation encode(const Translator *t, const char *line, long *cut)
{
    Ids ids = { 0 };
    tokenizer_encode(t->model->source, line, strlen(line), &ids, NULL);
    if (ids.count > TRANSLATE_MAX_SOURCE) {
        ids.count = TRANSLATE_MAX_SOURCE;
        ++*cut;
    }
    if (ids.count) ids_add(&ids, ID_END);
    return (Translation){ .source_ids = ids.id, .source_length = (int)ids.count };
}

static void run_slices(Translator *t, const Sentence *source, int count)
{
    Slice *slice = xmalloc((size_t)count, sizeof *slice);
    t->slices = 0;
    for (int at = 0; at < count; at += slice[t->slices++].count)
        slice[t->slices] = (Slice){ at, batch_take(source + at, count - at, t->options.batch) };
    t->source = source;
    t->slice = slice;
    atomic_store(&t->next, 0);
    pool_run(t->pool, work, t);
    free(slice);
}

void translator_run(Translator *t, const char *const *lines, size_t count, Translation *out, long *cut)
{
    Sentence *source = xmalloc(count, sizeof *source);
    int sentences = 0;
    for (size_t i = 0; i < count; i++) {
        out[i] = encode(t, lines[i], cut);
        if (out[i].source_length)
            source[sentences++] = (Sentence){ .source = out[i].source_ids, .source_length = out[i].source_length,
                                              .number = (int)i };
    }
    batch_sort(source, sentences);
    t->out = out;
    run_slices(t, source, sentences);
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
