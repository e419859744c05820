/* translator.c - lines to stretches, stretches to batches, batches to workers, and back to lines. */
#include "translate/translator.h"

#include "text/unicode.h"
#include "translate/copies.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
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
                              .copies = model->text.tokens != TOKENS_WORD, .attention = options->attention };
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

/* The text of hypothesis k of a stretch. */
static char *text_of(const Translator *t, const Stretch *stretch, int k)
{
    const Found *found = &stretch->found[k];
    const char **copies = NULL;
    if (stretch->unknowns) {
        int *copy = xmalloc((size_t)found->length, sizeof *copy);
        copies = xmalloc((size_t)found->length, sizeof *copies);
        int count = copies_choose(copy, found, stretch->source_ids, stretch->source_length, ID_UNKNOWN);
        for (int i = 0; i < count; i++)
            copies[i] = copy[i] < 0 ? NULL : stretch->unknown[copy[i]];
        free(copy);
    }
    Buf text = { 0 };
    buf_clear(&text);
    tokenizer_decode(t->model->target, found->ids, (size_t)found->length, copies, &text);
    free(copies);
    return text.text;
}

/* What search found becomes text; attention that served only for that goes. */
static void finish_stretch(const Translator *t, Stretch *stretch, const Found *found, int count)
{
    stretch->count = count;
    stretch->found = xmalloc((size_t)count, sizeof *stretch->found);
    stretch->text = xmalloc((size_t)count, sizeof *stretch->text);
    for (int k = 0; k < count; k++) {
        stretch->found[k] = found[k];
        stretch->text[k] = text_of(t, stretch, k);
        if (t->options.attention) continue;
        free(stretch->found[k].attention);
        stretch->found[k].attention = NULL;
    }
}

/* Sources of equal length together; the results go where their stretches stand. */
static void translate_slice(Translator *t, int worker, const Sentence *source, int count)
{
    const int nbest = t->rules.nbest;
    Found *found = xcalloc((size_t)count * (size_t)nbest, sizeof *found);
    int *how_many = xcalloc((size_t)count, sizeof *how_many);
    search_run(found, how_many, &t->net, &t->w, source, count, &t->rules, &t->arena[worker]);
    for (int i = 0; i < count; i++)
        finish_stretch(t, t->stretch[source[i].number], &found[i * nbest], how_many[i]);
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

/* Each word as a string of its own. */
static char **strings_of(const Words *words)
{
    char **list = xmalloc(words->count, sizeof *list);
    for (size_t i = 0, length; i < words->count; i++) {
        const char *word = words_at(words, i, &length);
        list[i] = xstrndup(word, length);
    }
    return list;
}

/* A line that is being cut. */
typedef struct {
    const Translator *t;
    const char       *line;
    Translation       out;
    size_t            capacity;     /* of its stretches */
} Cutting;

/* Appends the stretch that begins at byte `at`, with its ids, which it takes; one without tokens is none. */
static void add_stretch(Cutting *c, size_t at, Ids *ids, const Words *unknown)
{
    if (!ids->count) {
        ids_free(ids);
        return;
    }
    ids_add(ids, ID_END);
    Translation *out = &c->out;
    out->stretch = grow(out->stretch, &c->capacity, out->stretches + 1, sizeof *out->stretch);
    out->stretch[out->stretches++] =
        (Stretch){ .source_ids = ids->id, .source_length = (int)ids->count,
                   .joint = at ? joint_at(c->line, at) : JOINT_NONE,
                   .unknown = strings_of(unknown), .unknowns = (int)unknown->count };
}

/* Makes line[at .. end) a stretch; or, if it has more than `most` tokens, nothing, and the answer is 0. */
static int take(Cutting *c, size_t at, size_t end, size_t most)
{
    Ids ids = { 0 };
    Words unknown = { 0 };
    tokenizer_encode(c->t->model->source, c->line + at, end - at, &ids, c->t->rules.copies ? &unknown : NULL);
    int fits = ids.count <= most;
    if (fits) add_stretch(c, at, &ids, &unknown);
    else ids_free(&ids);
    words_free(&unknown);
    return fits;
}

/* Makes line[at .. end), a sentence or a whole line, one stretch or several. */
static void cut(Cutting *c, size_t at, size_t end)
{
    if (take(c, at, end, STRETCH_TOKENS)) return;
    for (size_t length; at < end; at += length) {
        length = stretch_length(c->t->model->source, c->line + at, end - at, STRETCH_TOKENS);
        take(c, at, at + length, SIZE_MAX);
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
    Cutting c = { .t = t, .line = line };
    size_t length = shows_something(line) ? strlen(line) : 0;
    for (size_t at = 0, end; at < length; at = end) {
        end = t->options.split ? at + sentence_length(line + at, length - at) : length;
        cut(&c, at, end);
    }
    return c.out;
}

/* ---- stretches to lines ---- */

/* The line's hypothesis k, as one of a stretch: the last where that has fewer. */
static int part_of(const Stretch *stretch, int k)
{
    return k < stretch->count ? k : stretch->count - 1;
}

const Found *stretch_found(const Stretch *stretch, int k)
{
    return &stretch->found[part_of(stretch, k)];
}

int stretch_lacks(const Stretch *stretch, int i)
{
    return !strstr(stretch->text[0], stretch->unknown[i]);
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

static Hypothesis hypothesis_of(const Translation *line, int k)
{
    Hypothesis h = { 0 };
    Buf whole = { 0 }, text = { 0 };
    for (size_t i = 0; i < line->stretches; i++) {
        const Stretch *stretch = &line->stretch[i];
        const Found *found = stretch_found(stretch, k);
        joint_add(&whole, stretch->joint, stretch->text[part_of(stretch, k)]);
        h.log_probability += found->log_probability;
        h.score += found->score / (double)line->stretches;
    }
    buf_clear(&text);
    add_on_one_line(whole.text, &text);
    buf_free(&whole);
    h.text = text.text;
    return h;
}

static void join_line(Translation *line)
{
    for (size_t i = 0; i < line->stretches; i++)
        if (line->stretch[i].count > line->count) line->count = line->stretch[i].count;
    line->hypothesis = xcalloc((size_t)line->count, sizeof *line->hypothesis);
    for (int k = 0; k < line->count; k++)
        line->hypothesis[k] = hypothesis_of(line, k);
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
        join_line(&out[i]);
}

static void stretch_free(Stretch *stretch)
{
    for (int k = 0; k < stretch->count; k++) {
        free(stretch->found[k].ids);
        free(stretch->found[k].attention);
        free(stretch->text[k]);
    }
    for (int i = 0; i < stretch->unknowns; i++)
        free(stretch->unknown[i]);
    free(stretch->unknown);
    free(stretch->text);
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
