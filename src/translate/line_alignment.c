/* line_alignment.c - numbers the words of a line on both sides, across its chunks. */
#include "translate/line_alignment.h"

#include "base/mem.h"
#include "text/words.h"
#include "translate/part_marks.h"
#include "translate/tag_projection.h"

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

/* The tags of a chunk on one side. place: (chunk->tags) pieces before each; words: of the line, by
 * each of them. */
typedef struct { int *place, *words; } SideTags;

static SideTags source_tags(const Chunk *chunk)
{
    SideTags tags = { xmalloc((size_t)chunk->tags, sizeof(int)),
                      xmalloc((size_t)chunk->tags, sizeof(int)) };
    for (int i = 0; i < chunk->tags; i++) {
        tags.place[i] = chunk->tag[i].source;
        tags.words[i] = chunk->tag[i].words;
    }
    return tags;
}

/* The words that begin in a tag: of one that opens, those behind a blank in it with the next. */
static int words_of_tag(const ChunkTag *tag)
{
    const size_t length = strlen(tag->written);
    const int ends_in_blank = length && tag->written[length - 1] == ' ';
    return words_begun(tag->written, tag->written + length) + ends_in_blank;
}

static SideTags target_tags(const Chunk *chunk, const Hypothesis *h, const Model *model)
{
    SideTags tags = { xmalloc((size_t)chunk->tags, sizeof(int)),
                      xmalloc((size_t)chunk->tags, sizeof(int)) };
    if (chunk->tags) tag_projection(tags.place, chunk, h, model);
    for (int i = 0; i < chunk->tags; i++)
        tags.words[i] = words_of_tag(&chunk->tag[i]);
    return tags;
}

static void tags_free(SideTags tags)
{
    free(tags.place);
    free(tags.words);
}

/* The words of the tags before piece i. */
static int words_of_tags(const SideTags *tags, int count, int i)
{
    int words = 0;
    for (int k = 0; k < count; k++)
        words += tags->place[k] == i ? tags->words[k] : 0;
    return words;
}

/* The ids of a chunk on one side. */
typedef struct {
    const Chunk *chunk;
    const int   *ids;           /* (count) */
    int          count;
    int          continues;     /* the first one continues a word of the chunk before */
    SideTags     tags;
} SideIds;

static Piece *name_pieces(Side *side, const SideIds *all)
{
    Piece *pieces = xmalloc((size_t)all->count, sizeof *pieces);
    for (int i = 0; i < all->count; i++) {
        const int id = all->ids[i];
        const char *text = tokenizer_piece(side->tokenizer, id);
        side->word += words_of_tags(&all->tags, all->chunk->tags, i);
        if (id == ID_EOS) {
            pieces[i] = (Piece){ text, -1 };
            continue;
        }
        int mark = side->marked && !strncmp(text, BLANK_MARK, BLANK_MARK_LENGTH);
        if (i == 0 ? !all->continues : !side->marked || mark) side->word++;
        pieces[i] = (Piece){ mark ? text + BLANK_MARK_LENGTH : text, side->word };
        side->word += further_words(chunk_copied_text(all->chunk, id));
        side->last = text;
    }
    return pieces;
}

/* Words of the line that no token stands for: those of the marks around a chunk. Returns whether
 * they end inside a word. */
static int skip_words(Side *side, const char *words)
{
    int inside = 0;
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

Alignment *line_alignments(const Translation *t, int k, const Model *model)
{
    int marked = model->text.tokens != TOKENS_WORD;
    Side source = { model->source, marked, -1, "" }, target = { model->target, marked, -1, "" };
    Alignment *list = xmalloc(t->chunks, sizeof *list);
    for (size_t i = 0; i < t->chunks; i++) {
        const Chunk *s = &t->chunk[i];
        const Hypothesis *found = chunk_hypothesis(s, k);
        const int source_continues = skip_words(&source, s->mark)
            || (*source.last && s->joint != JOINT_BLANK);
        const int target_continues = skip_words(&target, chunk_opening(s))
            || (*target.last && !joint_has_blank(s->joint, target.last, strlen(target.last)));
        const SideIds from = { s, s->source_ids, s->source_length, source_continues,
                               source_tags(s) };
        const SideIds to = { s, found->ids, found->length, target_continues,
                             target_tags(s, found, model) };
        list[i] = (Alignment){
            .source = name_pieces(&source, &from), .target = name_pieces(&target, &to),
            .source_count = s->source_length, .target_count = found->length,
            .weight = found->attention
        };
        tags_free(from.tags);
        tags_free(to.tags);
        settle_tail(&target, &list[i], s->tail, chunk_replaced(s, k));
        source.word += s->tail_words;
        if (s->tail_words) source.last = "";
    }
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

void line_links(const Translation *t, int k, const Model *model, Buf *out)
{
    Alignment *list = line_alignments(t, k, model);
    alignment_links(list, t->chunks, out);
    line_alignments_free(list, t->chunks);
}
