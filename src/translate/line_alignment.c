/* line_alignment.c - numbers the words of a line on both sides, across its chunks. */
#include "translate/line_alignment.h"

#include "base/mem.h"
#include "text/words.h"
#include "translate/part_marks.h"

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

/* The pieces of `count` ids of a chunk. continues: the first one continues a word of the chunk
 * before. */
static Piece *name_pieces(Side *side, int continues, const Chunk *chunk, const int *ids, int count)
{
    Piece *pieces = xmalloc((size_t)count, sizeof *pieces);
    for (int i = 0; i < count; i++) {
        const char *text = tokenizer_piece(side->tokenizer, ids[i]);
        if (ids[i] == ID_EOS) {
            pieces[i] = (Piece){ text, -1 };
            continue;
        }
        int mark = side->marked && !strncmp(text, BLANK_MARK, BLANK_MARK_LENGTH);
        if (i == 0 ? !continues : !side->marked || mark) side->word++;
        pieces[i] = (Piece){ mark ? text + BLANK_MARK_LENGTH : text, side->word };
        side->word += further_words(chunk_copied_text(chunk, ids[i]));
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
        list[i] = (Alignment){
            .source = name_pieces(&source, source_continues, s, s->source_ids, s->source_length),
            .target = name_pieces(&target, target_continues, s, found->ids, found->length),
            .source_count = s->source_length, .target_count = found->length,
            .weight = found->attention
        };
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
