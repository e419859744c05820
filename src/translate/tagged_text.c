/* tagged_text.c - pieces to bytes, and tags in their order. */
#include "translate/tagged_text.h"

#include "base/mem.h"
#include "text/sentences/scan.h"
#include "translate/tag_projection.h"

#include <stdlib.h>
#include <string.h>

/* The bytes of the text of the first pieces of a hypothesis. */
static size_t text_bytes(const Chunk *chunk, const Hypothesis *h, int pieces, const Model *model)
{
    char *text = chunk_text_before(chunk, h, pieces, model->source, model->target);
    const size_t length = strlen(text);
    free(text);
    return length;
}

/* Whether nothing of the source is between a tag and the one before it: <b></b>. */
static int is_after_last(const Chunk *chunk, int i)
{
    return i && chunk->tag[i - 1].source == chunk->tag[i].source;
}

size_t *tag_bytes(const Chunk *chunk, const Hypothesis *h, const char *text, const Model *model)
{
    int *place = xmalloc((size_t)chunk->tags, sizeof *place);
    size_t *at = xmalloc((size_t)chunk->tags, sizeof *at);
    const size_t length = strlen(text);
    tag_projection(place, chunk, h, model);
    for (int i = 0; i < chunk->tags; i++) {
        const ChunkTag *tag = &chunk->tag[i];
        at[i] = text_bytes(chunk, h, place[i], model);
        if (at[i] > length) at[i] = length;
        if (!tag->is_behind && text[at[i]] == ' ') at[i]++;
        if (is_after_last(chunk, i) && at[i] < at[i - 1]) at[i] = at[i - 1];
    }
    free(place);
    return at;
}

/* ---- Writing ---- */

/* A tag that stands alone, or one that opens, in a text. */
typedef struct { size_t at; int number; } TagPlace;

static int compare_places(const void *a, const void *b)
{
    const TagPlace *one = a, *other = b;
    if (one->at != other->at) return one->at < other->at ? -1 : 1;
    return one->number - other->number;
}

/* A text on its way out. */
typedef struct {
    Buf          *out;
    const Chunk  *chunk;
    int           k;            /* the line's hypothesis */
    const size_t *at;           /* (tags) bytes of the text before each */
    const ChunkBody *body;
    size_t        written;      /* bytes of the body */
} Writing;

void tag_text_add(Buf *out, const Chunk *chunk, int k, int number)
{
    const ChunkTag *tag = &chunk->tag[number];
    buf_puts(out, tag->written);
    for (int i = 0; i < tag->chunks; i++)
        chunk_add(out, chunk + tag->chunk + i, k);
    if (tag->closing) buf_puts(out, tag->closing);
}

/* Whether a tag is an aside before nothing but marks that ends in a dash, which it then lacks. */
static int is_last_dash(const Writing *w, int number)
{
    const char *closing = w->chunk->tag[number].closing, *rest = w->body->text.text + w->written;
    return closing && is_dash(last_before(closing, closing + strlen(closing)))
           && !unmarked_length(rest, w->body->text.length - w->written);
}

static void write_body(Writing *w, size_t end)
{
    if (end <= w->written) return;
    buf_add(w->out, w->body->text.text + w->written, end - w->written);
    w->written = end;
}

/* Whether a tag stands behind what the tail replaces. */
static int is_behind_tail(const Chunk *chunk, const ChunkTag *tag)
{
    return chunk->tail && tag->is_last && tag->source >= chunk->source_length - 1;
}

/* The bytes of the body before a tag. */
static size_t place_of(const Writing *w, int number)
{
    const ChunkBody *body = w->body;
    const size_t at = w->at[number] ? (size_t)((long)w->at[number] + body->grown) : 0;
    if (is_behind_tail(w->chunk, &w->chunk->tag[number])) return body->text.length;
    return at < body->kept ? at : body->kept;
}

/* Writes the body up to a tag, and the tag. */
static void write_tag(Writing *w, int number)
{
    write_body(w, place_of(w, number));
    tag_text_add(w->out, w->chunk, w->k, number);
    if (is_last_dash(w, number)) w->out->length -= strlen(w->chunk->tag[number].closing);
}

/* Writes tags [first, end), which are those of a pair or all: pair by pair, each with what is in it,
 * as deep as tags are nested (text/markup/markup.c). */
static void write_tags(Writing *w, int first, int end)
{
    TagPlace *list = xmalloc((size_t)(end - first), sizeof *list);
    size_t count = 0;
    for (int i = first; i < end; i += 1 + w->chunk->tag[i].to_partner)
        list[count++] = (TagPlace){ w->at[i], i };
    qsort(list, count, sizeof *list, compare_places);
    for (size_t k = 0; k < count; k++) {
        const int opening = list[k].number, partner = w->chunk->tag[opening].to_partner;
        write_tag(w, opening);
        if (!partner) continue;
        write_tags(w, opening + 1, opening + partner);
        write_tag(w, opening + partner);
    }
    free(list);
}

void tagged_text_add(Buf *out, const Chunk *chunk, int k, const ChunkBody *body)
{
    Writing w = { .out = out, .chunk = chunk, .k = k,
                  .at = chunk->tag_at[chunk_part_of(chunk, k)], .body = body };
    write_tags(&w, 0, chunk->tags);
    write_body(&w, body->text.length);
}
