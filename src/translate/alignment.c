/* alignment.c - numbers the words of a line on both sides, across its chunks, and links them by
 * attention summed over their pieces. */
#include "translate/alignment.h"

#include "text/unicode.h"
#include "text/words.h"
#include "translate/tag_projection.h"

#include <string.h>

/* ---- the words of one side ---- */

/* One side of a line, chunk by chunk. */
typedef struct {
    const Tokenizer *tokenizer;
    int              word;          /* the last word so far, from 0; -1: none */
    const char      *last;          /* the last piece so far; "" before the first */
} Side;

/* A chunk on one side. */
typedef struct {
    const int   *ids;           /* (count) */
    int          count;
    const char **text;          /* (count) of each piece, or NULL, as tokenizer_decode takes it */
    int          continues;     /* the first one continues a word of the chunk before */
    int          tags;
    int         *tag_place;     /* (tags) pieces before each */
    int         *tag_words;     /* (tags) words of the line by each */
} SideChunk;

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static SideChunk source_side(const Chunk *chunk, const Model *model, int continues, Region *region)
{
    SideChunk side = { .ids = chunk->source_ids, .count = chunk->source_length,
                       .continues = continues, .tags = chunk->tags };
    side.text = region_take(region, (size_t)side.count, sizeof *side.text);
    side.tag_place = region_take(region, (size_t)side.tags, sizeof *side.tag_place);
    side.tag_words = region_take(region, (size_t)side.tags, sizeof *side.tag_words);
    for (int i = 0; i < side.count; i++)
        side.text[i] = chunk_source_text(chunk, i, model->source);
    for (int i = 0; i < side.tags; i++) {
        side.tag_place[i] = chunk->tag[i].source;
        side.tag_words[i] = chunk->tag[i].words;
    }
    return side;
}

/* The words of the line that begin in a tag, behind a blank. One that ends in a blank (<br/> before
 * words) ends the word before what is behind it: that counts as one more. */
static int words_of_tag(const char *tag)
{
    int words = 0;
    for (; *tag; tag++)
        words += is_blank(*tag) && !is_blank(tag[1]);
    return words;
}

static SideChunk target_side(const Chunk *chunk, const Hypothesis *h, const Model *model,
                             int continues, Region *region)
{
    SideChunk side = { .ids = h->ids, .count = h->length, .continues = continues,
                       .tags = chunk->tags };
    side.text = chunk_replacements(chunk, h, model->source, region);
    side.tag_words = region_take(region, (size_t)side.tags, sizeof *side.tag_words);
    if (side.tags) side.tag_place = tag_projection(chunk, h, model, region);
    for (int i = 0; i < side.tags; i++)
        side.tag_words[i] = words_of_tag(chunk->tag[i].written);
    return side;
}

/* Counts the words of the tags before piece i. */
static void pass_tags(Side *side, const SideChunk *chunk, int i)
{
    for (int k = 0; k < chunk->tags; k++)
        if (chunk->tag_place[k] == i) side->word += chunk->tag_words[k];
}

/* The blanks inside bytes, but for one at their start. */
static int further_words(const Buf *line, size_t start, size_t end)
{
    int words = 0;
    for (size_t i = start + 1; i < end; i++)
        words += line->text[i] == ' ';
    return words;
}

/* The word of each piece, as a reader of the line counts them. */
static Piece *name_pieces(Side *side, const SideChunk *chunk, Region *region)
{
    const size_t count = (size_t)chunk->count;
    Piece *pieces = region_take(region, count, sizeof *pieces);
    PieceText *text = region_take(region, count, sizeof *text);
    SCOPED(buf_free) Buf line = { 0 };
    int continues = chunk->continues;
    tokenizer_decode(side->tokenizer, chunk->ids, count, chunk->text, text, &line);
    for (int i = 0; i < chunk->count; i++) {
        const char *piece = tokenizer_piece(side->tokenizer, chunk->ids[i]);
        const int is_end = chunk->ids[i] == ID_EOS;
        pass_tags(side, chunk, i);
        side->word += text[i].begins && !continues;
        if (text[i].begins) continues = 0;
        pieces[i] = (Piece){ piece + words_mark_length(slice_of(piece)),
                             is_end ? -1 : side->word };
        side->word += further_words(&line, i ? text[i - 1].end : 0, text[i].end);
        if (!is_end) side->last = piece;
    }
    pass_tags(side, chunk, chunk->count);
    return pieces;
}

/* Words of the line that no token stands for: those of the mark before a chunk. inside: the first
 * goes on with a word. Returns whether the last one is not ended. */
static int skip_words(Side *side, const char *words, int inside)
{
    for (; words && *words; words++) {
        if (!is_blank(*words) && !inside) side->word++;
        inside = !is_blank(*words);
        side->last = "";
    }
    return inside;
}

/* ---- the chunks of a line ---- */

/* The chunk behind those that the sides have passed. */
static Alignment align_chunk(Side *source, Side *target, const Chunk *chunk, int k,
                             const Model *model, Region *region)
{
    const Hypothesis *found = chunk_hypothesis(chunk, k);
    const int is_apart = chunk->tags && !chunk->tag->source    /* by a tag with a blank */
        && *chunk->tag->written == ' ';
    const int source_joined = *source->last && chunk->joint != JOINT_BLANK && !is_apart;
    const int target_joined = *target->last && !is_apart
        && !joint_has_blank(chunk->joint, target->last, strlen(target->last));
    const SideChunk from = source_side(chunk, model, skip_words(source, chunk->mark, source_joined),
                                       region);
    const SideChunk to = target_side(chunk, found, model,
                                     skip_words(target, chunk->mark, target_joined), region);
    const Alignment a = { .source = name_pieces(source, &from, region),
                          .target = name_pieces(target, &to, region),
                          .source_count = from.count, .target_count = to.count,
                          .weight = found->attention };
    for (int copy = 0; copy < (int)chunk->copies.text.count; copy++)
        target->word += chunk_lacks_copy(chunk, found, copy);   /* it is behind the translation */
    return a;
}

/* No piece belongs to a word behind the last one. */
static void keep_within(Piece *piece, int count, int words)
{
    for (int i = 0; i < count; i++)
        if (piece[i].word >= words) piece[i].word = words - 1;
}

/* Where the words that pieces seem to make are not those of the text, the next chunk begins with
 * the text's. */
Alignment *line_alignments(const Translation *t, int k, const Model *model, Region *region)
{
    Side source = { model->source, -1, "" }, target = { model->target, -1, "" };
    const int is_marked = !text_has_words(&model->text);
    Alignment *list = region_take(region, t->chunks, sizeof *list);
    SCOPED(buf_free) Buf written = { 0 };
    WordCount count = { 0 };
    buf_clear(&written);
    for (size_t i = 0; i < t->chunks; i++) {
        const size_t before = written.length;
        chunk_add(&written, &t->chunk[i], k);
        unicode_count_words(&count, written.text + before, written.text + written.length);
        list[i] = align_chunk(&source, &target, &t->chunk[i], k, model, region);
        if (!is_marked) continue;
        keep_within(list[i].source, list[i].source_count, t->source_words);
        keep_within(list[i].target, list[i].target_count, count.words);
        target.word = count.words - 1;
    }
    return list;
}

/* ---- links ---- */

/* Words first .. first + count - 1. */
typedef struct { int first, count; } WordRange;

static WordRange words_of(const Piece *pieces, int count)
{
    WordRange range = { 0, 0 };
    for (int i = 0; i < count; i++) {
        if (pieces[i].word < 0) continue;
        if (!range.count) range.first = pieces[i].word;
        range.count = pieces[i].word - range.first + 1;
    }
    return range;
}

/* mass[i] = attention of all pieces of target word j to all pieces of source word first + i;
 * returns how many pieces that are. */
static int gather(const Alignment *a, int j, int first, double *mass)
{
    int pieces = 0;
    for (int t = 0; t < a->target_count; t++) {
        if (a->target[t].word != j) continue;
        const float *row = a->weight + (size_t)t * (size_t)a->source_count;
        pieces++;
        for (int s = 0; s < a->source_count; s++)
            if (a->source[s].word >= 0) mass[a->source[s].word - first] += row[s];
    }
    return pieces;
}

/* Sets links[j], which is -1 so far, to the source word of each target word j of a chunk. A word
 * that two chunks share is linked by the first. */
static void link_words(const Alignment *a, int *links, Region *region)
{
    const WordRange source = words_of(a->source, a->source_count),
        target = words_of(a->target, a->target_count);
    double *mass = region_take(region, (size_t)source.count, sizeof *mass);
    if (!source.count) return;
    for (int j = target.first; j < target.first + target.count; j++) {
        memset(mass, 0, (size_t)source.count * sizeof *mass);
        if (links[j] >= 0 || !gather(a, j, source.first, mass)) continue;   /* or it is in a tag */
        int best = 0;
        for (int i = 1; i < source.count; i++)
            if (mass[i] > mass[best]) best = i;
        links[j] = source.first + best;
    }
}

void alignment_links(const Alignment *chunk, size_t count, Buf *out, Region *region)
{
    const size_t start = out->length;
    int words = 0;                      /* of the target, up to the last one of the chunks */
    for (size_t i = 0; i < count; i++) {
        const WordRange target = words_of(chunk[i].target, chunk[i].target_count);
        if (target.first + target.count > words) words = target.first + target.count;
    }
    int *links = region_take(region, (size_t)words, sizeof *links);
    for (int j = 0; j < words; j++)
        links[j] = -1;
    for (size_t i = 0; i < count; i++)
        link_words(&chunk[i], links, region);
    for (int j = 0; j < words; j++)
        if (links[j] >= 0)
            buf_printf(out, "%s%d-%d", out->length > start ? " " : "", links[j], j);
}

void line_links(const Translation *t, int k, const Model *model, Buf *out)
{
    SCOPED(region_free) Region region = { 0 };
    alignment_links(line_alignments(t, k, model, &region), t->chunks, out, &region);
}
