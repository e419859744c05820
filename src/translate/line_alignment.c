/* line_alignment.c - numbers the words of a line on both sides, across its chunks. */
#include "translate/line_alignment.h"

#include "base/mem.h"
#include "base/min.h"
#include "text/unicode.h"
#include "text/words.h"
#include "translate/part_marks.h"
#include "translate/replacements.h"
#include "translate/tag_projection.h"
#include "translate/tagged_text.h"

#include <stdlib.h>
#include <string.h>

/* One side of a line, chunk by chunk. */
typedef struct {
    const Tokenizer *tokenizer;
    /* the mark of a blank begins a word; otherwise each piece is a word */
    int              marked;
    int              word;          /* the last word so far, from 0; -1: none */
    const char      *last;          /* the last piece so far; "" before the first */
} Side;

/* The words of a copied text beside the first; NULL: none. */
static int further_words(const char *copied)
{
    int words = 0;
    for (; copied && *copied; copied++)
        words += *copied == ' ';
    return words;
}

/* The tags of a chunk on one side, (count) of each. */
typedef struct {
    int *place;             /* pieces before each */
    int *words;             /* of the line, by each; those of asides too */
    int *before;            /* the last word before each */
    int  count;
} SideTags;

static SideTags side_tags(int count)
{
    return (SideTags){ xmalloc((size_t)count, sizeof(int)), xmalloc((size_t)count, sizeof(int)),
                       xmalloc((size_t)count, sizeof(int)), count };
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

/* The words of the line that begin in a tag. One that ends in a blank, as a guillemet that opens,
 * ends the word before what it encloses: that counts as one more. */
static int words_of_tag(const Chunk *chunk, int k, int number)
{
    Buf text = { 0 };
    buf_clear(&text);
    tag_text_add(&text, chunk, k, number);
    const int ends_in_blank = text.length && text.text[text.length - 1] == ' ';
    const int words = words_begun(text.text, text.text + text.length) + ends_in_blank;
    buf_free(&text);
    return words;
}

static SideTags target_tags(const Chunk *chunk, int k, const Model *model)
{
    SideTags tags = side_tags(chunk->tags);
    if (chunk->tags) tag_projection(tags.place, chunk, chunk_hypothesis(chunk, k), model);
    for (int i = 0; i < chunk->tags; i++)
        tags.words[i] = words_of_tag(chunk, k, i);
    return tags;
}

static void tags_free(SideTags tags)
{
    free(tags.place);
    free(tags.words);
    free(tags.before);
}

/* Counts the words of the tags before piece i. */
static void pass_tags(Side *side, const SideTags *tags, int i)
{
    for (int k = 0; k < tags->count; k++) {
        if (tags->place[k] != i) continue;
        tags->before[k] = side->word;
        side->word += tags->words[k];
    }
}

/* The ids of a chunk on one side. */
typedef struct {
    const Chunk *chunk;
    const int   *ids;           /* (count) */
    int          count;
    int          continues;     /* the first one continues a word of the chunk before */
    SideTags     tags;
    WordNumbers  joined;        /* of the source: Chunk.joined */
    const char *const *written; /* of the target: (count) Replacements.text; or NULL */
} SideIds;

static int is_joined(const SideIds *ids, int i)
{
    for (size_t k = 0; k < ids->joined.count; k++)
        if (ids->joined.number[k] == (size_t)i) return 1;
    return 0;
}

/* What stands for the placeholder at piece i; NULL: it is none. */
static const char *copied_at(const SideIds *ids, int i)
{
    const char *source = chunk_copied_text(ids->chunk, ids->ids[i]);
    return source && ids->written ? ids->written[i] : source;
}

/* Whether piece i is left out of the translation. */
static int is_left_out(const SideIds *ids, int i)
{
    return ids->written && ids->written[i] && !*ids->written[i];
}

static Piece *name_pieces(Side *side, const SideIds *all)
{
    Piece *pieces = xmalloc((size_t)all->count, sizeof *pieces);
    for (int i = 0; i < all->count; i++) {
        const int id = all->ids[i];
        const char *text = tokenizer_piece(side->tokenizer, id);
        pass_tags(side, &all->tags, i);
        if (id == ID_EOS) {
            pieces[i] = (Piece){ text, -1 };
            continue;
        }
        const int mark = side->marked && !strncmp(text, BLANK_MARK, BLANK_MARK_LENGTH);
        const int begins = i == 0 ? !all->continues : !side->marked || mark;
        side->word += begins && !is_joined(all, i) && !is_left_out(all, i);
        pieces[i] = (Piece){ mark ? text + BLANK_MARK_LENGTH : text, side->word };
        side->word += further_words(copied_at(all, i));
        side->last = text;
    }
    pass_tags(side, &all->tags, all->count);
    return pieces;
}

/* Words of the line that no token stands for: those of the marks around a chunk. inside: the first
 * goes on with a word. Returns whether the last one is not ended. */
static int skip_words(Side *side, const char *words, int inside)
{
    for (; words && *words; words++) {
        if (*words != ' ' && *words != '\t' && !inside) side->word++;
        inside = *words != ' ' && *words != '\t';
        side->last = "";
    }
    return inside;
}

static int words_in(const char *marks)
{
    return marks ? words_begun(marks, marks + strlen(marks)) : 0;
}

/* The words of the copies that stand behind a translation, since it lacks them. */
static int words_behind(const Chunk *chunk, const Hypothesis *h)
{
    int words = 0;
    for (int k = 0; k < (int)chunk->copies.text.count; k++) {
        Buf text = { 0 };
        if (!chunk_lacks_copy(chunk, h, k)) continue;
        copies_written(&chunk->copies, k, &text);
        words += 1 + further_words(text.text);
        buf_free(&text);
    }
    return words;
}

/* The words of a chunk's tail instead of those of the marks that it replaces, whose pieces now
 * belong to the last word that stays. */
static void settle_tail(Side *target, Alignment *a, const char *tail, const char *replaced)
{
    const int before = words_in(replaced), now = words_in(tail);
    const int last = target->word - before + (now < before ? now : before);
    for (int i = 0; i < a->target_count; i++)
        if (a->target[i].word > last) a->target[i].word = last;
    target->word += now - before;
    if (now) target->last = "";
}

/* Both sides of a line, or of an aside of it. */
typedef struct { Side source, target; } Sides;

/* Where the aside that begins with a chunk stands: the last word before it on each side, and what is
 * before its chunks in the source, perhaps written on to that word, and in the target; NULL: none
 * begins. */
typedef struct {
    int         source, target, is_tight;
    const char *opening, *opening_written;
} AsideStart;

/* start: of the asides by chunk, counted from this one. */
static void note_asides(const Chunk *chunk, const SideTags *from, const SideTags *to,
                        AsideStart *start)
{
    for (int i = 0; i < chunk->tags; i++) {
        const ChunkTag *tag = &chunk->tag[i];
        if (tag->chunks)
            start[tag->chunk] = (AsideStart){ from->before[i], to->before[i], tag->is_tight,
                                              tag->is_tight ? "-" : tag->written, tag->written };
    }
}

/* Whether a chunk begins with a tag that parts it from the word before: a tab. */
static int begins_with_blank(const Chunk *chunk)
{
    const char *first = chunk->tags && !chunk->tag->source ? chunk->tag->written : "";
    return *first && strchr(" \t\r\n", *first);
}

/* The chunk behind those that `sides` have passed. start: as note_asides has it. */
static Alignment align_chunk(Sides *sides, const Chunk *chunk, int k, const Model *model,
                             AsideStart *start)
{
    Side *source = &sides->source, *target = &sides->target;
    const Hypothesis *found = chunk_hypothesis(chunk, k);
    const int is_apart = begins_with_blank(chunk);
    const int source_joined = *source->last && chunk->joint != JOINT_BLANK && !is_apart;
    const int target_joined = *target->last && !is_apart
        && !joint_has_blank(chunk->joint, target->last, strlen(target->last));
    const int source_opened = skip_words(source, start->opening, start->is_tight);
    const int source_continues = skip_words(source, chunk->mark, source_opened || source_joined);
    const int target_opened = skip_words(target, start->opening_written, 0);
    const int target_continues = skip_words(target, chunk_opening(chunk),
                                            target_opened || target_joined);
    const SideIds from = { chunk, chunk->source_ids, chunk->source_length, source_continues,
                           source_tags(chunk), chunk->joined, NULL };
    Replacements written = chunk_replacements(chunk, found, model->source, model->target);
    const SideIds to = { chunk, found->ids, found->length, target_continues,
                         target_tags(chunk, k, model), { 0 }, written.text };
    Alignment a = { .source = name_pieces(source, &from), .target = name_pieces(target, &to),
                    .source_count = chunk->source_length, .target_count = found->length,
                    .weight = found->attention };
    note_asides(chunk, &from.tags, &to.tags, start);
    tags_free(from.tags);
    tags_free(to.tags);
    replacements_free(&written);
    target->word += words_behind(chunk, found);
    settle_tail(target, &a, chunk->tail, chunk_replaced(chunk, k));
    source->word += chunk->tail_words;
    if (chunk->tail_words) source->last = "";
    return a;
}

static Side side_of(const Tokenizer *tokenizer, const Model *model, int word)
{
    return (Side){ tokenizer, model->text.tokens != TOKENS_WORD, word, "" };
}

static Sides sides_behind(const Model *model, int source, int target)
{
    return (Sides){ side_of(model->source, model, source), side_of(model->target, model, target) };
}

/* The text of a line so far. */
typedef struct {
    Buf    text;
    size_t counted;         /* bytes, up to a blank or the end */
    int    words;           /* in these */
} LineText;

/* Appends a chunk with its asides; returns the words so far. */
static int add_to_text(LineText *line, const Chunk *chunk, int k)
{
    chunk_add(&line->text, chunk, k);
    const char *blank = strrchr(line->text.text + line->counted, ' ');
    const size_t known = blank ? (size_t)(blank - line->text.text) : line->counted;
    line->words += unicode_words(line->text.text + line->counted, known - line->counted);
    line->counted = known;
    return line->words + unicode_words(line->text.text + known, line->text.length - known);
}

/* At the end: JSON writes some blanks in other ways. */
static int words_at_end(const Translation *t, int k)
{
    const char *text = t->hypothesis[k].text;
    return unicode_words(text, strlen(text));
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
    Sides line = sides_behind(model, -1, -1), aside = line;
    AsideStart *start = xcalloc(t->chunks, sizeof *start);
    Alignment *list = xmalloc(t->chunks, sizeof *list);
    LineText written = { 0 };
    const int all = words_at_end(t, k);
    int words = 0;
    buf_clear(&written.text);
    if (t->before) buf_puts(&written.text, t->before);
    if (t->before) *start = (AsideStart){ .opening = t->before, .opening_written = t->before };
    for (size_t i = 0; i < t->chunks; i++) {
        if (start[i].opening) aside = sides_behind(model, start[i].source, start[i].target);
        Sides *sides = t->chunk[i].is_aside ? &aside : &line;
        if (!t->chunk[i].is_aside) words = min_int(add_to_text(&written, &t->chunk[i], k), all);
        list[i] = align_chunk(sides, &t->chunk[i], k, model, start + i);
        if (!line.target.marked) continue;
        keep_within(list[i].source, list[i].source_count, t->source_words);
        keep_within(list[i].target, list[i].target_count, words);
        if (!t->chunk[i].is_aside) line.target.word = words - 1;
    }
    buf_free(&written.text);
    free(start);
    return list;
}

void line_alignments_free(Alignment *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(list[i].source);
        free(list[i].target);
    }
    free(list);
}

/* Asides come first: a mark behind one belongs to its last word, and not to the clause. */
void line_links(const Translation *t, int k, const Model *model, Buf *out)
{
    Alignment *list = line_alignments(t, k, model), *sorted = xmalloc(t->chunks, sizeof *sorted);
    size_t count = 0;
    for (int is_aside = 1; is_aside >= 0; is_aside--)
        for (size_t i = 0; i < t->chunks; i++)
            if (t->chunk[i].is_aside == is_aside) sorted[count++] = list[i];
    alignment_links(sorted, count, out);
    free(sorted);
    line_alignments_free(list, t->chunks);
}
