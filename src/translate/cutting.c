/* cutting.c - where lines are cut, and the ids of the parts. */
#include "translate/cutting.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdint.h>
#include <string.h>

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
    const Cutter *cutter;
    const char   *line;
    Translation   out;
    size_t        capacity;     /* of its stretches */
} Cutting;

/* Appends the stretch that begins at byte `at`, with its ids, which it takes. */
static void add_stretch(Cutting *c, size_t at, Ids *ids, const Words *unknown)
{
    Translation *out = &c->out;
    ids_add(ids, ID_END);
    out->stretch = grow(out->stretch, &c->capacity, out->stretches + 1, sizeof *out->stretch);
    out->stretch[out->stretches++] =
        (Stretch){ .source_ids = ids->id, .source_length = (int)ids->count,
                   .joint = at ? joint_at(c->line, at) : JOINT_NONE,
                   .unknown = strings_of(unknown), .unknowns = (int)unknown->count };
}

static Ids encode(const Cutter *cutter, const char *text, size_t length, Words *unknown)
{
    Ids ids = { 0 };
    tokenizer_encode(cutter->source, text, length, &ids, cutter->keep_unknown ? unknown : NULL);
    return ids;
}

/* Makes line[at .. end) a stretch unless it has no tokens; or, if it has more than `most`, nothing, and the answer is
 * 0. */
static int take(Cutting *c, size_t at, size_t end, size_t most)
{
    Words unknown = { 0 };
    Ids ids = encode(c->cutter, c->line + at, end - at, &unknown);
    int fits = ids.count <= most;
    if (fits && ids.count) add_stretch(c, at, &ids, &unknown);
    else ids_free(&ids);
    words_free(&unknown);
    return fits;
}

/* Makes line[at .. end), a sentence or a whole line, one stretch or several. */
static void cut(Cutting *c, size_t at, size_t end)
{
    if (take(c, at, end, STRETCH_TOKENS)) return;
    for (size_t length; at < end; at += length) {
        length = stretch_length(c->cutter->source, c->line + at, end - at, STRETCH_TOKENS);
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

Translation cut_line(const Cutter *cutter, const char *line)
{
    Cutting c = { .cutter = cutter, .line = line };
    size_t length = shows_something(line) ? strlen(line) : 0;
    for (size_t at = 0, end; at < length; at = end) {
        end = cutter->split ? at + sentence_length(line + at, length - at) : length;
        cut(&c, at, end);
    }
    return c.out;
}

Translation cut_whole(const Cutter *cutter, const char *line)
{
    Cutting c = { .cutter = cutter, .line = line };
    Words unknown = { 0 };
    Ids ids = encode(cutter, line, strlen(line), &unknown);
    add_stretch(&c, 0, &ids, &unknown);
    words_free(&unknown);
    return c.out;
}

void give_words(const Cutter *cutter, Stretch *stretch, const char *text, int complete)
{
    Words unknown = { 0 };
    Ids ids = { 0 };
    tokenizer_encode(cutter->target, text, strlen(text), &ids, &unknown);
    if (complete) ids_add(&ids, ID_END);
    stretch->given_ids = ids.id;
    stretch->given_length = (int)ids.count;
    stretch->given_unknown = strings_of(&unknown);
    stretch->given_unknowns = (int)unknown.count;
    words_free(&unknown);
}
