/* line_alignment.c - numbers the words of a line on both sides, across its chunks. */
#include "translate/line_alignment.h"

#include "base/mem.h"
#include "text/unicode.h"
#include "text/words.h"
#include "translate/replacements.h"
#include "translate/tag_projection.h"

#include <stdlib.h>
#include <string.h>

/* One side of a line, chunk by chunk. */
typedef struct {
    const Tokenizer *tokenizer;
    int              word;          /* the last word so far, from 0; -1: none */
    const char      *last;          /* the last piece so far; "" before the first */
} Side;

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The tags of a chunk on one side, (count) of each. */
typedef struct {
    int *place;             /* pieces before each */
    int *words;             /* of the line, by each */
    int  count;
} SideTags;

static SideTags side_tags(int count)
{
    return (SideTags){ xmalloc((size_t)count, sizeof(int)), xmalloc((size_t)count, sizeof(int)), count };
}

static SideTags source_tags(const Chunk *chunk)
{
    SideTags tags = side_tags(chunk->tags);
    for (int i = 0; i < chunk->tags; i++) {
        tags.place[i] = chunk->tag[i].source;
        tags.words[i] = chunk->tag[i].words;
    }
    return tags;
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

static SideTags target_tags(const Chunk *chunk, int k, const Model *model)
{
    SideTags tags = side_tags(chunk->tags);
    if (chunk->tags) tag_projection(tags.place, chunk, chunk_hypothesis(chunk, k), model);
    for (int i = 0; i < chunk->tags; i++)
        tags.words[i] = words_of_tag(chunk->tag[i].written);
    return tags;
}

static void tags_free(SideTags tags)
{
    xfree(tags.place);
    xfree(tags.words);
}

/* Counts the words of the tags before piece i. */
static void pass_tags(Side *side, const SideTags *tags, int i)
{
    for (int k = 0; k < tags->count; k++)
        if (tags->place[k] == i) side->word += tags->words[k];
}

/* The ids of a chunk on one side. */
typedef struct {
    const int   *ids;           /* (count) */
    int          count;
    const char **text;          /* (count) of each piece, or NULL, as tokenizer_decode takes it; owned */
    int          continues;     /* the first one continues a word of the chunk before */
    SideTags     tags;
} SideIds;

/* The blanks inside bytes, but for one at their start. */
static int further_words(const Buf *line, size_t start, size_t end)
{
    int words = 0;
    for (size_t i = start + 1; i < end; i++)
        words += line->text[i] == ' ';
    return words;
}

/* The word of each piece, as a reader of the line counts them. */
static Piece *name_pieces(Side *side, const SideIds *all)
{
    Piece *pieces = xmalloc((size_t)all->count, sizeof *pieces);
    PieceText *text = xmalloc((size_t)all->count, sizeof *text);
    Buf line = { 0 };
    int continues = all->continues;
    tokenizer_decode_pieces(side->tokenizer, all->ids, (size_t)all->count, all->text, text, &line);
    for (int i = 0; i < all->count; i++) {
        const char *piece = tokenizer_piece(side->tokenizer, all->ids[i]);
        pass_tags(side, &all->tags, i);
        side->word += text[i].begins && !continues;
        if (text[i].begins) continues = 0;
        pieces[i] = (Piece){ piece + words_mark_length(piece, strlen(piece)), all->ids[i] == ID_EOS ? -1 : side->word };
        side->word += further_words(&line, i ? text[i - 1].end : 0, text[i].end);
        if (all->ids[i] != ID_EOS) side->last = piece;
    }
    pass_tags(side, &all->tags, all->count);
    buf_free(&line);
    xfree(text);
    return pieces;
}

/* Words of the line that no token stands for: those of the marks around a chunk. inside: the first
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

/* How many copies stand behind a translation, since it lacks them. */
static int copies_behind(const Chunk *chunk, const Hypothesis *h)
{
    int count = 0;
    for (int k = 0; k < (int)chunk->copies.text.count; k++)
        count += chunk_lacks_copy(chunk, h, k);
    return count;
}

/* The text of each piece of the source. */
static const char **source_texts(const Chunk *chunk, const Tokenizer *source)
{
    const char **text = xmalloc((size_t)chunk->source_length, sizeof *text);
    for (int i = 0; i < chunk->source_length; i++)
        text[i] = chunk_source_text(chunk, i, source);
    return text;
}

/* Both sides of a line. */
typedef struct { Side source, target; } Sides;

/* Whether a chunk begins with a tag that a blank parts from the word before. */
static int begins_with_blank(const Chunk *chunk)
{
    return chunk->tags && !chunk->tag->source && *chunk->tag->written == ' ';
}

/* The chunk behind those that `sides` have passed. */
static Alignment align_chunk(Sides *sides, const Chunk *chunk, int k, const Model *model)
{
    Side *source = &sides->source, *target = &sides->target;
    const Hypothesis *found = chunk_hypothesis(chunk, k);
    const int is_apart = begins_with_blank(chunk);
    const int source_joined = *source->last && chunk->joint != JOINT_BLANK && !is_apart;
    const int target_joined = *target->last && !is_apart
        && !joint_has_blank(chunk->joint, target->last, strlen(target->last));
    const int source_continues = skip_words(source, chunk->mark, source_joined);
    const int target_continues = skip_words(target, chunk->mark, target_joined);
    const SideIds from = { chunk->source_ids, chunk->source_length, source_texts(chunk, model->source), source_continues,
                           source_tags(chunk) };
    const SideIds to = { found->ids, found->length, chunk_replacements(chunk, found, model->source), target_continues,
                         target_tags(chunk, k, model) };
    const Alignment a = { .source = name_pieces(source, &from), .target = name_pieces(target, &to),
                          .source_count = chunk->source_length, .target_count = found->length,
                          .weight = found->attention };
    tags_free(from.tags);
    tags_free(to.tags);
    xfree(from.text);
    xfree(to.text);
    target->word += copies_behind(chunk, found);
    return a;
}

/* The text of a line so far. */
typedef struct {
    Buf    text;
    size_t counted;         /* bytes, up to a blank or the end */
    int    words;           /* in these */
} LineText;

/* Appends a chunk; returns the words so far. */
static int add_to_text(LineText *line, const Chunk *chunk, int k)
{
    chunk_add(&line->text, chunk, k);
    const char *blank = strrchr(line->text.text + line->counted, ' ');
    const size_t known = blank ? (size_t)(blank - line->text.text) : line->counted;
    line->words += unicode_words(line->text.text + line->counted, known - line->counted);
    line->counted = known;
    return line->words + unicode_words(line->text.text + known, line->text.length - known);
}

/* No piece belongs to a word behind the last one. */
static void keep_within(Piece *piece, int count, int words)
{
    for (int i = 0; i < count; i++)
        if (piece[i].word >= words) piece[i].word = words - 1;
}

/* Where the words that pieces seem to make are not those of the text, the next chunk begins with the text's. */
Alignment *line_alignments(const Translation *t, int k, const Model *model)
{
    Sides sides = { { model->source, -1, "" }, { model->target, -1, "" } };
    const int is_marked = model->text.tokens != TOKENS_WORD;
    Alignment *list = xmalloc(t->chunks, sizeof *list);
    LineText written = { 0 };
    buf_clear(&written.text);
    for (size_t i = 0; i < t->chunks; i++) {
        const int words = add_to_text(&written, &t->chunk[i], k);
        list[i] = align_chunk(&sides, &t->chunk[i], k, model);
        if (!is_marked) continue;
        keep_within(list[i].source, list[i].source_count, t->source_words);
        keep_within(list[i].target, list[i].target_count, words);
        sides.target.word = words - 1;
    }
    buf_free(&written.text);
    return list;
}

void line_alignments_free(Alignment *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        xfree(list[i].source);
        xfree(list[i].target);
    }
    xfree(list);
}

void line_links(const Translation *t, int k, const Model *model, Buf *out)
{
    Alignment *list = line_alignments(t, k, model);
    alignment_links(list, t->chunks, out);
    line_alignments_free(list, t->chunks);
}
