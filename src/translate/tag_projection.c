/* tag_projection.c - see tag_projection.h. */
#include "translate/tag_projection.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* Pieces [first, end) of a translation. */
typedef struct { int first, end; } Span;

typedef struct {
    const Chunk      *chunk;
    const Hypothesis *h;
    const Tokenizer  *target;
    int               pieces;       /* of the translation, without <eos> */
    int              *depth;        /* (pieces) of the outermost closed pair that encloses each, from
                                       1; 0: none does */
} Projection;

/* ---- Words ---- */

static int is_letter_or_number(int32_t point)
{
    return unicode_is_letter(point) || unicode_is_number(point) || unicode_is_mark(point);
}

/* Whether a word of the translation goes on from piece t - 1 to piece t. */
static int is_inside_word(const Projection *p, int t)
{
    if (t <= 0 || t >= p->pieces) return 0;
    const char *before = tokenizer_piece(p->target, p->h->ids[t - 1]);
    const char *piece = tokenizer_piece(p->target, p->h->ids[t]);
    return is_letter_or_number(unicode_before(before, before + strlen(before)))
           && is_letter_or_number(unicode_next(&piece));
}

static Span to_words(const Projection *p, Span span)
{
    while (is_inside_word(p, span.first)) span.first--;
    while (is_inside_word(p, span.end)) span.end++;
    return span;
}

/* ---- Attention ---- */

/* The attention of piece t to pieces [first, end) of the source. A placeholder attends to nothing but
 * itself, and nothing else to it. */
static float attention_to(const Projection *p, int t, int first, int end)
{
    const Chunk *chunk = p->chunk;
    const float *row = p->h->attention + (size_t)t * (size_t)chunk->source_length;
    const int id = p->h->ids[t], is_copy = chunk_copied_text(chunk, id) != NULL;
    float sum = 0;
    for (int s = first; s < end; s++) {
        const int source = chunk->source_ids[s];
        if (is_copy) sum += source == id;
        else if (!chunk_copied_text(chunk, source)) sum += row[s];
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
    return to_words(p, most > 0 ? best : highest);
}

/* ---- Tags ---- */

/* Where a tag alone goes, or one of a pair that encloses nothing. */
static int place_alone(const Projection *p, const ChunkTag *tag)
{
    const int words = p->chunk->source_length - 1, s = tag->source;
    if (s == 0) return 0;
    if (s >= words) return p->pieces;
    return tag->is_behind ? attending(p, s - 1, s, 0).end : attending(p, s, s + 1, 0).first;
}

static Span join(Span a, Span b)
{
    if (a.first >= a.end) return b;
    if (b.first >= b.end) return a;
    return (Span){ a.first < b.first ? a.first : b.first, a.end > b.end ? a.end : b.end };
}

/* Places a pair that closes, and keeps the tags in it there. inside: what the pairs among these
 * enclose. Returns what it encloses. */
static Span place_pair(const Projection *p, int *place, int closing, int depth, Span inside)
{
    const ChunkTag *tag = p->chunk->tag + closing;
    const int opening = closing + tag->partner;
    const Span own = attending(p, p->chunk->tag[opening].source, tag->source, depth);
    const Span span = join(own, inside);
    for (int t = span.first; t < span.end; t++)
        p->depth[t] = depth;
    place[opening] = span.first;
    place[closing] = span.end;
    for (int i = opening + 1; i < closing; i++)
        place[i] = place[i] < span.first ? span.first : place[i] < span.end ? place[i] : span.end;
    return span;
}

/* Whether a tag is one of a pair that encloses words of the source. */
static int encloses(const ChunkTag *tag)
{
    return tag->partner && tag->source != tag[tag->partner].source;
}

void tag_projection(int *place, const Chunk *chunk, const Hypothesis *h, const Tokenizer *target)
{
    const int is_ended = h->length && h->ids[h->length - 1] == ID_EOS;
    Projection p = { .chunk = chunk, .h = h, .target = target, .pieces = h->length - is_ended };
    Span *inside = xcalloc((size_t)chunk->tags + 1, sizeof *inside);        /* by depth */
    int depth = 0;
    p.depth = xcalloc((size_t)p.pieces, sizeof *p.depth);
    for (int i = 0; i < chunk->tags; i++) {
        const ChunkTag *tag = &chunk->tag[i];
        if (!encloses(tag)) {
            place[i] = place_alone(&p, tag);
        } else if (tag->partner > 0) {
            inside[++depth] = (Span){ 0, 0 };
        } else {
            const Span span = place_pair(&p, place, i, depth, inside[depth]);
            depth--;
            inside[depth] = join(inside[depth], span);
        }
    }
    free(inside);
    free(p.depth);
}
