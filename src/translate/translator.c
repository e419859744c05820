/* translator.c - lines to stretches, stretches to batches, batches to workers, and back to lines. */
#include "translate/translator.h"

#include "text/unicode.h"

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
    { .name = "split", .kind = FIELD_FLAG, AT(split),
      .help = "translate each sentence of a line by itself; off: only what is too long for that is cut" },
    { .name = NULL }
};

SearchOptions search_defaults(void)
{
    return (SearchOptions){ .beam = 5, .nbest = 1, .normalize = 1, .batch = 64, .split = 1, .attention = 1 };
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
    const Sentence *source;     /* longest first; the number says which stretch */
    const Slice    *slice;
    int             slices;
    Stretch       **stretch;    /* of all lines */
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

/* Sources of equal length together; the results go where their stretches stand. */
static void translate_slice(Translator *t, int worker, const Sentence *source, int count)
{
    const int nbest = t->rules.nbest;
    Found *found = xcalloc((size_t)count * (size_t)nbest, sizeof *found);
    int *how_many = xcalloc((size_t)count, sizeof *how_many);
    search_run(found, how_many, &t->net, &t->w, source, count, &t->rules, &t->arena[worker]);
    for (int i = 0; i < count; i++) {
        Stretch *stretch = t->stretch[source[i].number];
        stretch->count = how_many[i];
        stretch->found = xmalloc((size_t)how_many[i], sizeof *stretch->found);
        memcpy(stretch->found, &found[i * nbest], (size_t)how_many[i] * sizeof *found);
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

/* ---- lines to stretches ---- */

/* Appends a stretch, which takes the ids; one without tokens is none. */
static void add_stretch(Translation *out, size_t *capacity, Ids *ids, Joint joint)
{
    if (!ids->count) {
        ids_free(ids);
        return;
    }
    ids_add(ids, ID_END);
    out->stretch = grow(out->stretch, capacity, out->stretches + 1, sizeof *out->stretch);
    out->stretch[out->stretches++] =
        (Stretch){ .source_ids = ids->id, .source_length = (int)ids->count, .joint = joint };
}

/* The stretches of line[at .. end), a sentence or a whole line. */
static void cut(const Translator *t, const char *line, size_t at, size_t end, Translation *out, size_t *capacity)
{
    Ids ids = { 0 };
    tokenizer_encode(t->model->source, line + at, end - at, &ids, NULL);
    if (ids.count <= STRETCH_TOKENS) {
        add_stretch(out, capacity, &ids, at ? joint_at(line, at) : JOINT_NONE);
        return;
    }
    ids_free(&ids);
    for (size_t length; at < end; at += length) {
        ids = (Ids){ 0 };
        length = stretch_length(t->model->source, line + at, end - at, STRETCH_TOKENS);
        tokenizer_encode(t->model->source, line + at, length, &ids, NULL);
        add_stretch(out, capacity, &ids, at ? joint_at(line, at) : JOINT_NONE);
    }
}

/* Whether a reader would see anything: the textbook's words can be made of what nobody sees. */
static int shows_something(const char *line)
{
    while (*line) {
        int32_t point = unicode_next(&line);
        if (!unicode_is_space(point) && !unicode_is_control(point) && !unicode_is_invisible(point)) return 1;
    }
    return 0;
}

static Translation cut_line(const Translator *t, const char *line)
{
    Translation out = { 0 };
    size_t capacity = 0, length = shows_something(line) ? strlen(line) : 0;
    for (size_t at = 0, end; at < length; at = end) {
        end = t->options.split ? at + sentence_length(line + at, length - at) : length;
        cut(t, line, at, end, &out, &capacity);
    }
    return out;
}

/* ---- stretches to lines ---- */

const Found *translation_found(const Stretch *stretch, int k)
{
    return &stretch->found[k < stretch->count ? k : stretch->count - 1];
}

/* What some reader takes for the end of a line becomes a blank: words of the textbook, and foreign vocabularies, may
 * hold it. */
static void add_on_one_line(const char *text, Buf *out)
{
    while (*text) {
        const char *character = text;
        int32_t point = unicode_next(&text);
        if (point == 0x2028 || point == 0x2029 || unicode_is_control(point)) buf_putc(out, ' ');
        else buf_add(out, character, (size_t)(text - character));
    }
}

static Hypothesis hypothesis_of(const Translator *t, const Translation *line, int k)
{
    Hypothesis h = { 0 };
    Buf text = { 0 }, whole = { 0 }, safe = { 0 };
    for (size_t i = 0; i < line->stretches; i++) {
        const Found *found = translation_found(&line->stretch[i], k);
        buf_clear(&text);
        tokenizer_decode(t->model->target, found->ids, (size_t)found->length, NULL, &text);
        joint_add(&whole, line->stretch[i].joint, text.text);
        h.log_probability += found->log_probability;
        h.score += found->score / (double)line->stretches;
    }
    buf_clear(&safe);
    add_on_one_line(whole.text, &safe);
    buf_free(&whole);
    buf_free(&text);
    h.text = safe.text;
    return h;
}

static void join_line(const Translator *t, Translation *line)
{
    for (size_t i = 0; i < line->stretches; i++)
        if (line->stretch[i].count > line->count) line->count = line->stretch[i].count;
    line->hypothesis = xcalloc((size_t)line->count, sizeof *line->hypothesis);
    for (int k = 0; k < line->count; k++)
        line->hypothesis[k] = hypothesis_of(t, line, k);
}

/* ---- a run ---- */

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

static void translate(Translator *t, Translation *lines, size_t count, size_t stretches)
{
    Sentence *source = xmalloc(stretches, sizeof *source);
    int sentences = 0;
    t->stretch = xmalloc(stretches, sizeof *t->stretch);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < lines[i].stretches; k++) {
            Stretch *stretch = t->stretch[sentences] = &lines[i].stretch[k];
            source[sentences] = (Sentence){ .source = stretch->source_ids, .source_length = stretch->source_length,
                                            .number = sentences };
            sentences++;
        }
    batch_sort(source, sentences);
    run_slices(t, source, sentences);
    free(t->stretch);
    free(source);
}

void translator_run(Translator *t, const char *const *lines, size_t count, Translation *out)
{
    size_t stretches = 0;
    for (size_t i = 0; i < count; i++) {
        out[i] = cut_line(t, lines[i]);
        stretches += out[i].stretches;
    }
    translate(t, out, count, stretches);
    for (size_t i = 0; i < count; i++)
        join_line(t, &out[i]);
}

static void stretch_free(Stretch *stretch)
{
    for (int k = 0; k < stretch->count; k++) {
        free(stretch->found[k].ids);
        free(stretch->found[k].attention);
    }
    free(stretch->found);
    free(stretch->source_ids);
}

void translation_free(Translation *translation)
{
    for (size_t i = 0; i < translation->stretches; i++)
        stretch_free(&translation->stretch[i]);
    for (int k = 0; k < translation->count; k++)
        free(translation->hypothesis[k].text);
    free(translation->stretch);
    free(translation->hypothesis);
    *translation = (Translation){ 0 };
}
