/* tag_projection.c - finds the pieces of a translation that a tag belongs to, and writes both in
 * their order. */
#include "translate/tag_projection.h"

#include "base/real.h"
#include "text/markup.h"
#include "text/unicode.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

/* Pieces [first, end) of a translation. */
typedef struct { int first, end; } Span;

typedef struct {
    const Chunk      *chunk;
    const Hypothesis *h;
    const Model      *model;        /* its tokenizers */
    int               pieces;       /* of the translation, without <eos> */
    int              *depth;        /* (pieces) of the outermost closed pair that encloses each,
                                       from 1; 0: none does */
} Projection;

/* ---- words ---- */

/* A piece without the mark of a blank; "": it is the mark alone. */
static const char *piece_text(const Projection *p, int t)
{
    const char *piece = tokenizer_piece(p->model->target, p->h->ids[t]);
    return piece + words_mark_length(slice_of(piece));
}

/* Whether no tag may stand between pieces t - 1 and t: a word goes on, or is behind a blank that is
 * a piece by itself. */
static int is_inside_word(const Projection *p, int t)
{
    if (t <= 0 || t >= p->pieces) return 0;
    const char *before = piece_text(p, t - 1), *piece = piece_text(p, t);
    if (!*before) return 1;
    if (piece != tokenizer_piece(p->model->target, p->h->ids[t])) return 0;     /* behind a blank */
    const int32_t last = unicode_before(before, before + strlen(before));
    const int32_t first = unicode_next(&piece);
    return (unicode_is_word_character(last) || unicode_is_mark(last))
           && (unicode_is_word_character(first) || unicode_is_mark(first));
}

static Span to_words(const Projection *p, Span span)
{
    while (is_inside_word(p, span.first)) span.first--;
    while (is_inside_word(p, span.end)) span.end++;
    return span;
}

static int is_punctuation(const Tokenizer *t, int id)
{
    const Slice core = words_core(slice_of(tokenizer_piece(t, id)));
    for (const char *at = core.text; at < core.text + core.length;)
        if (!unicode_is_punctuation(unicode_next(&at))) return 0;
    return 1;
}

/* Whether piece t of the translation is punctuation, and that piece of the source is none. */
static int is_extra(const Projection *p, int t, int source)
{
    return is_punctuation(p->model->target, p->h->ids[t])
           && !is_punctuation(p->model->source, p->chunk->source_ids[source]);
}

/* A span without the punctuation at its ends, where pieces [first, end) of the source have none. */
static Span trimmed(const Projection *p, Span span, int first, int end)
{
    while (span.end - span.first > 1 && is_extra(p, span.first, first)) span.first++;
    while (span.end - span.first > 1 && is_extra(p, span.end - 1, end - 1)) span.end--;
    return span;
}

/* ---- attention ---- */

/* The attention of piece t to pieces [first, end) of the source. A placeholder attends to nothing
 * but itself, and nothing else to it. */
static float attention_to(const Projection *p, int t, int first, int end)
{
    const Chunk *chunk = p->chunk;
    const float *row = p->h->attention + (size_t)t * (size_t)chunk->source_length;
    const int id = p->h->ids[t], is_copy = chunk_copied_word(chunk, id) != NULL;
    float sum = 0;
    for (int s = first; s < end; s++) {
        const int source = chunk->source_ids[s];
        if (is_copy) sum += source == id;
        else if (!chunk_copied_word(chunk, source)) sum += row[s];
    }
    return sum;
}

/* The words that attend to pieces [first, end) of the source: the span of the largest sum (Kadane's
 * algorithm), or the best piece. depth: of the pair that encloses them; it leaves out what pairs
 * beside it have. */
static Span attending(const Projection *p, int first, int end, int depth)
{
    Span best = { p->pieces, p->pieces }, highest = best;
    float most = 0, sum = 0, top = -1;
    for (int t = 0, from = 0; t < p->pieces; t++) {
        const int is_taken = p->depth[t] && p->depth[t] <= depth;
        const float m = attention_to(p, t, first, end);
        if (m > top && !is_taken) { top = m; highest = (Span){ t, t + 1 }; }
        if (sum <= 0 || is_taken) { sum = 0; from = t + is_taken; }
        if (is_taken) continue;
        sum += m - 0.5F;
        if (sum > most) { most = sum; best = (Span){ from, t + 1 }; }
    }
    return most > 0 ? best : highest;
}

/* ---- tags ---- */

/* Where a tag alone goes, or one of a pair that encloses nothing. */
static int place_alone(const Projection *p, const ChunkTag *tag)
{
    const int words = p->chunk->source_length - 1, s = tag->source;
    if (s == 0) return 0;
    if (s >= words) return p->pieces;
    const int beside = tag->is_behind ? s - 1 : s;
    const Span word = to_words(p, attending(p, beside, beside + 1, 0));
    return tag->is_behind ? word.end : word.first;
}

static Span join(Span a, Span b)
{
    if (a.first >= a.end) return b;
    if (b.first >= b.end) return a;
    return (Span){ a.first < b.first ? a.first : b.first, a.end > b.end ? a.end : b.end };
}

/* What a pair encloses that enclosed pieces [first, end) of the source: of the whole source all. */
static Span enclosed(const Projection *p, int first, int end, int depth)
{
    if (first == 0 && end == p->chunk->source_length - 1) return (Span){ 0, p->pieces };
    const Span span = attending(p, first, end, depth);
    return to_words(p, trimmed(p, span, first, end));
}

/* Places a pair that closes, and keeps the tags in it there. inside: what the pairs among these
 * enclose. Returns what it encloses. */
static Span place_pair(const Projection *p, int *place, int closing, int depth, Span inside)
{
    const ChunkTag *tag = p->chunk->tag + closing;
    const int opening = closing + tag->to_partner;
    const int first = p->chunk->tag[opening].source, end = tag->source;
    const Span span = join(enclosed(p, first, end, depth), inside);
    for (int t = span.first; t < span.end; t++)
        p->depth[t] = depth;
    place[opening] = span.first;
    place[closing] = span.end;
    for (int i = opening + 1; i < closing; i++)
        place[i] = place[i] < span.first ? span.first : place[i] < span.end ? place[i] : span.end;
    return span;
}

/* Tags stand behind the prefix of the translation. */
static void keep_prefix(const Projection *p, int *place)
{
    const Chunk *chunk = p->chunk;
    const int least = min_int(chunk->prefix_length, p->pieces);
    for (int i = 0; i < chunk->tags && !chunk_is_given(chunk); i++)
        if (place[i] < least) place[i] = least;
}

int *tag_projection(const Chunk *chunk, const Hypothesis *h, const Model *model, Region *region)
{
    Projection p = { .chunk = chunk, .h = h, .model = model,
                     .pieces = h->length - hypothesis_is_finished(h) };
    int *place = region_take(region, (size_t)chunk->tags, sizeof *place);
    Span *inside = region_take(region, (size_t)chunk->tags + 1, sizeof *inside);    /* by depth */
    int depth = 0, last = 0;
    p.depth = region_take(region, (size_t)p.pieces, sizeof *p.depth);
    memset(p.depth, 0, (size_t)p.pieces * sizeof *p.depth);
    inside[0] = (Span){ 0, 0 };
    for (int i = 0; i < chunk->tags; i++) {
        const ChunkTag *tag = &chunk->tag[i];
        const int encloses = tag->source != tag[tag->to_partner].source;     /* words */
        if (!encloses) {
            const int own = tag->to_partner < 0 ? 0 : place_alone(&p, tag);
            place[i] = last = own > last ? own : last;          /* in the order of the source */
        } else if (tag->to_partner > 0) {
            inside[++depth] = (Span){ 0, 0 };
        } else {
            const Span span = place_pair(&p, place, i, depth, inside[depth]);
            depth--;
            inside[depth] = join(inside[depth], span);
        }
    }
    keep_prefix(&p, place);
    return place;
}

void tag_bytes(size_t *at, const Chunk *chunk, const Hypothesis *h, const char *text,
               const Model *model, Region *region)
{
    const int *place = tag_projection(chunk, h, model, region);
    const size_t length = strlen(text), unknown = SIZE_MAX;
    size_t *before = region_take(region, (size_t)h->length + 1, sizeof *before);  /* bytes */
    for (int i = 0; i <= h->length; i++)
        before[i] = unknown;
    for (int i = 0; i < chunk->tags; i++) {
        const ChunkTag *tag = &chunk->tag[i];
        size_t *bytes = &before[place[i]];
        if (*bytes == unknown)
            *bytes = strlen(chunk_text_before(chunk, h, place[i], model, region));
        at[i] = *bytes < length ? *bytes : length;
        if (!tag->is_behind && text[at[i]] == ' ') at[i]++;
        const int is_after_last = i && tag[-1].source == tag->source;      /* <b></b> */
        if (is_after_last && at[i] < at[i - 1]) at[i] = at[i - 1];
    }
}

/* ---- writing ---- */

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
    const char   *text;
    const size_t *at;           /* (tags) bytes of the text before each */
    size_t        written;      /* bytes of the text */
    Region        region;
} Writing;

static void write_text(Writing *w, size_t end)
{
    if (end <= w->written) return;
    entities_encode(w->text + w->written, end - w->written, w->chunk->signs, w->out);
    w->written = end;
}

/* Writes the text up to a tag, and the tag. */
static void write_tag(Writing *w, int number)
{
    write_text(w, w->at[number]);
    buf_puts(w->out, w->chunk->tag[number].written);
}

/* Writes tags [first, end), which are those of a pair or all: pair by pair, each with what is in
 * it, as deep as tags are nested (text/markup.c). */
static void write_tags(Writing *w, int first, int end)
{
    TagPlace *list = region_take(&w->region, (size_t)(end - first), sizeof *list);
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
}

void tagged_text_add(Buf *out, const Chunk *chunk, int k)
{
    const int part = chunk_part_of(chunk, k);
    Writing w = { .out = out, .chunk = chunk, .text = chunk->text[part],
                  .at = chunk->tags ? chunk->tag_at[part] : NULL };
    if (chunk->tags) write_tags(&w, 0, chunk->tags);
    write_text(&w, strlen(w.text));
    region_free(&w.region);
}
