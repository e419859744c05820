/* translation.c - chunks to lines. */
#include "translate/translation.h"

#include "base/mem.h"
#include "text/unicode.h"
#include "translate/replacements.h"
#include "translate/tag_projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int chunk_part_of(const Chunk *chunk, int k)
{
    return k < chunk->count ? k : chunk->count - 1;
}

const Hypothesis *chunk_hypothesis(const Chunk *chunk, int k)
{
    return &chunk->hypothesis[chunk_part_of(chunk, k)];
}

/* ---- copies ---- */

/* The number of the copy that the placeholder with this id stands for; -1: it is none of this chunk. */
static int copy_of(const Chunk *chunk, int id)
{
    return placeholder_bit(id) ? copies_find(&chunk->copies, id - ID_SPECIALS) : -1;
}

const char *chunk_copied_word(const Chunk *chunk, int id)
{
    const int number = copy_of(chunk, id);
    return number < 0 ? NULL : copies_word(&chunk->copies, number);
}

const char *chunk_source_text(const Chunk *chunk, int place, const Tokenizer *source)
{
    const int id = chunk->source_ids[place];
    const char *copied = chunk_copied_word(chunk, id);
    int number = 0;
    if (copied) return copied;
    if (id != ID_UNK || !chunk->unknowns) return tokenizer_piece(source, id);
    for (int s = 0; s < place; s++)
        number += chunk->source_ids[s] == ID_UNK;
    return chunk->unknown[number];
}

/* Whether a piece stands for a text of the source, whose case it keeps. */
static int is_copy(int id)
{
    return id == ID_UNK || placeholder_bit(id);
}

/* Lists the bytes of a text that are copies; returns how many runs there are. copied: (pieces). */
static size_t list_copied(const Hypothesis *h, int pieces, const char *const *list, const PieceText *text, const char *bytes,
                          CopiedBytes *copied)
{
    size_t count = 0;
    for (int i = 0; list && i < pieces; i++) {
        if (!list[i] || !is_copy(h->ids[i])) continue;
        const size_t before = i ? text[i - 1].end : 0;
        copied[count++] = (CopiedBytes){ before + (before < text[i].end && bytes[before] == ' '), text[i].end };
    }
    return count;
}

char *chunk_text_before(const Chunk *chunk, const Hypothesis *h, int pieces, const Tokenizer *source, const Tokenizer *target)
{
    const char **list = chunk_replacements(chunk, h, source);
    PieceText *piece = xmalloc((size_t)pieces, sizeof *piece);
    CopiedBytes *copied = xmalloc((size_t)pieces, sizeof *copied);
    Buf text = { 0 }, out = { 0 };
    buf_clear(&out);
    tokenizer_decode_pieces(target, h->ids, (size_t)pieces, list, piece, &text);
    const size_t copies = list_copied(h, pieces, list, piece, text.text, copied);
    mask_output(text.text, text.length, chunk->output, chunk->language, copied, copies, &out);
    buf_free(&text);
    xfree(copied);
    xfree(piece);
    xfree(list);
    return out.text;
}

int chunk_is_given(const Chunk *chunk)
{
    return chunk->prefix_length && chunk->prefix_ids[chunk->prefix_length - 1] == ID_EOS;
}

int chunk_lacks_copy(const Chunk *chunk, const Hypothesis *h, int number)
{
    for (int i = 0; i < h->length; i++)
        if (copy_of(chunk, h->ids[i]) == number) return 0;
    return !chunk_is_given(chunk);
}

char *chunk_text(const Chunk *chunk, const Hypothesis *h, const Tokenizer *source,
                 const Tokenizer *target)
{
    char *text = chunk_text_before(chunk, h, h->length, source, target);
    Buf whole = { 0 };
    buf_puts(&whole, text);
    xfree(text);
    for (int k = 0; k < (int)chunk->copies.text.count; k++) {
        if (!chunk_lacks_copy(chunk, h, k)) continue;
        if (whole.length) buf_putc(&whole, ' ');
        buf_puts(&whole, copies_at(&chunk->copies, k));
    }
    return whole.text;
}

/* ---- lines ---- */

/* Whatever some reader takes for the end of a line becomes a blank: words of a word vocabulary, and
 * foreign vocabularies, may hold it. */
static void add_on_one_line(const char *text, Buf *out)
{
    while (*text) {
        const char *character = text;
        int32_t point = unicode_next(&text);
        const int is_control = unicode_is_control(point) && point != '\t';
        if (point == 0x2028 || point == 0x2029 || is_control) buf_putc(out, ' ');
        else buf_add(out, character, (size_t)(text - character));
    }
}

void chunk_add(Buf *line, const Chunk *chunk, int k)
{
    Buf part = { 0 };
    buf_clear(&part);
    if (chunk->mark) buf_puts(&part, chunk->mark);
    tagged_text_add(&part, chunk, k);
    joint_add(line, chunk->joint, part.text);
    buf_free(&part);
}

static LineHypothesis line_hypothesis(const Translation *line, int k)
{
    LineHypothesis h = { 0 };
    Buf whole = { 0 }, text = { 0 };
    buf_clear(&whole);
    for (size_t i = 0; i < line->chunks; i++) {
        const Chunk *chunk = &line->chunk[i];
        const Hypothesis *part = chunk_hypothesis(chunk, k);
        chunk_add(&whole, chunk, k);
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

int translation_is_cut(const Translation *t)
{
    for (size_t i = 0; i < t->chunks; i++)
        if (!hypothesis_is_finished(chunk_hypothesis(&t->chunk[i], 0))) return 1;
    return 0;
}

int translation_is_void(const Translation *t)
{
    return t->count && isnan(t->hypothesis[0].log_probability);
}

static void texts_free(char **text, int count)
{
    for (int i = 0; i < count; i++)
        xfree(text[i]);
    xfree(text);
}

void chunk_free_prefix(Chunk *chunk)
{
    texts_free(chunk->prefix_unknown, chunk->prefix_unknowns);
    xfree(chunk->prefix_ids);
    chunk->prefix_unknown = NULL;
    chunk->prefix_ids = NULL;
    chunk->prefix_unknowns = chunk->prefix_length = 0;
}

static void tags_free(Chunk *chunk)
{
    for (int i = 0; i < chunk->tags; i++)
        xfree(chunk->tag[i].written);
    for (int k = 0; k < chunk->count && chunk->tag_at; k++)
        xfree(chunk->tag_at[k]);
    xfree(chunk->tag);
    xfree(chunk->tag_at);
}

static void chunk_free(Chunk *chunk)
{
    tags_free(chunk);
    for (int k = 0; k < chunk->count; k++)
        hypothesis_free(&chunk->hypothesis[k]);
    xfree(chunk->hypothesis);
    texts_free(chunk->text, chunk->count);
    texts_free(chunk->unknown, chunk->unknowns);
    chunk_free_prefix(chunk);
    copies_free(&chunk->copies);
    xfree(chunk->mark);
    xfree(chunk->source_ids);
}

void translation_free(Translation *t)
{
    for (size_t i = 0; i < t->chunks; i++)
        chunk_free(&t->chunk[i]);
    for (int k = 0; k < t->count; k++)
        xfree(t->hypothesis[k].text);
    xfree(t->chunk);
    xfree(t->hypothesis);
    *t = (Translation){ 0 };
}

void translations_free(Translations *all)
{
    for (size_t i = 0; i < all->count; i++)
        translation_free(&all->line[i]);
    xfree(all->line);
    *all = (Translations){ 0 };
}
