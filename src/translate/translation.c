/* translation.c - chunks to lines. */
#include "translate/translation.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The line's hypothesis k, as one of a chunk: the last where that has fewer. */
static int part_of(const Chunk *chunk, int k)
{
    return k < chunk->count ? k : chunk->count - 1;
}

const Hypothesis *chunk_hypothesis(const Chunk *chunk, int k)
{
    return &chunk->hypothesis[part_of(chunk, k)];
}

/* ---- unknown words ---- */

int chunk_lost_unknown(const Chunk *chunk, int i)
{
    return !strstr(chunk->text[0], chunk->unknown[i]);
}

/* The text of a word of the source. */
static const char *source_text(const Chunk *chunk, int place, const Tokenizer *source)
{
    const int id = chunk->source_ids[place];
    int number = 0;
    if (id != ID_UNK) return tokenizer_piece(source, id);
    for (int s = 0; s < place; s++)
        number += chunk->source_ids[s] == ID_UNK;
    return chunk->unknown[number];
}

static void copy_from_source(const char **list, const Chunk *chunk, const Hypothesis *h,
                             const Tokenizer *source)
{
    int *place = xmalloc((size_t)h->length, sizeof *place);
    const int count = unknown_replacement_choose(place, h, chunk->source_ids, chunk->source_length,
                                                 chunk->copy);
    for (int i = 0; i < count; i++)
        list[i] = place[i] < 0 ? NULL : source_text(chunk, place[i], source);
    free(place);
}

const char **chunk_replacements(const Chunk *chunk, const Hypothesis *h, const Tokenizer *source)
{
    const int copies = chunk->copy == COPY_UNKNOWN ? chunk->unknowns : chunk->copy == COPY_ANY;
    if (!copies && !chunk->prefix_unknowns) return NULL;
    const char **list = xcalloc((size_t)h->length, sizeof *list);
    if (copies) copy_from_source(list, chunk, h, source);
    for (int i = 0; i < chunk->prefix_unknowns && i < h->length; i++)
        list[i] = chunk->prefix_unknown[i];
    return list;
}

/* ---- lines ---- */

/* Whatever some reader takes for the end of a line becomes a blank: words of a word vocabulary, and
 * foreign vocabularies, may hold it. */
static void add_on_one_line(const char *text, Buf *out)
{
    while (*text) {
        const char *character = text;
        int32_t point = unicode_next(&text);
        if (point == 0x2028 || point == 0x2029 || unicode_is_control(point)) buf_putc(out, ' ');
        else buf_add(out, character, (size_t)(text - character));
    }
}

static LineHypothesis line_hypothesis(const Translation *line, int k)
{
    LineHypothesis h = { 0 };
    Buf whole = { 0 }, text = { 0 };
    for (size_t i = 0; i < line->chunks; i++) {
        const Chunk *chunk = &line->chunk[i];
        const Hypothesis *part = chunk_hypothesis(chunk, k);
        joint_add(&whole, chunk->joint, chunk->text[part_of(chunk, k)]);
        h.log_probability += part->log_probability;
        h.score += part->score / (double)line->chunks;
    }
    buf_clear(&text);
    add_on_one_line(whole.text, &text);
    buf_free(&whole);
    h.text = text.text;
    return h;
}

void translation_join(Translation *t)
{
    for (size_t i = 0; i < t->chunks; i++)
        if (t->chunk[i].count > t->count) t->count = t->chunk[i].count;
    t->hypothesis = xcalloc((size_t)t->count, sizeof *t->hypothesis);
    for (int k = 0; k < t->count; k++)
        t->hypothesis[k] = line_hypothesis(t, k);
}

int translation_is_void(const Translation *t)
{
    return t->count && isnan(t->hypothesis[0].log_probability);
}

static void texts_free(char **text, int count)
{
    for (int i = 0; i < count; i++)
        free(text[i]);
    free(text);
}

static void chunk_free(Chunk *chunk)
{
    for (int k = 0; k < chunk->count; k++)
        hypothesis_free(&chunk->hypothesis[k]);
    free(chunk->hypothesis);
    texts_free(chunk->text, chunk->count);
    texts_free(chunk->unknown, chunk->unknowns);
    texts_free(chunk->prefix_unknown, chunk->prefix_unknowns);
    free(chunk->prefix_ids);
    free(chunk->source_ids);
}

void translation_free(Translation *t)
{
    for (size_t i = 0; i < t->chunks; i++)
        chunk_free(&t->chunk[i]);
    for (int k = 0; k < t->count; k++)
        free(t->hypothesis[k].text);
    free(t->chunk);
    free(t->hypothesis);
    *t = (Translation){ 0 };
}
