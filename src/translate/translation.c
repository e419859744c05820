/* translation.c - hypotheses to the text of chunks, and chunks to lines. */
#include "translate/translation.h"

#include "text/unicode.h"
#include "translate/tag_projection.h"

#include <math.h>
#include <string.h>

void translations_free(Translations *all)
{
    for (int i = 0; i < all->regions; i++)
        region_free(&all->region[i]);
    xfree(all->region);
    *all = (Translations){ 0 };
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

int chunk_part_of(const Chunk *chunk, int k)
{
    return k < chunk->count ? k : chunk->count - 1;
}

const Hypothesis *chunk_hypothesis(const Chunk *chunk, int k)
{
    return &chunk->hypothesis[chunk_part_of(chunk, k)];
}

int chunk_is_given(const Chunk *chunk)
{
    return chunk->prefix_length && chunk->prefix_ids[chunk->prefix_length - 1] == ID_EOS;
}

/* ---- copies ---- */

/* The number of the copy that the placeholder with this id stands for; -1: it is none of this
 * chunk. */
static int copy_of(const Chunk *chunk, int id)
{
    return placeholder_bit(id) ? copies_find(&chunk->copies, id - ID_SPECIALS) : -1;
}

const char *chunk_copied_word(const Chunk *chunk, int id)
{
    const int number = copy_of(chunk, id);
    return number < 0 ? NULL : copies_word(&chunk->copies, number);
}

int chunk_lacks_copy(const Chunk *chunk, const Hypothesis *h, int number)
{
    for (int i = 0; i < h->length; i++)
        if (copy_of(chunk, h->ids[i]) == number) return 0;
    return !chunk_is_given(chunk);
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

const char **chunk_replacements(const Chunk *chunk, const Hypothesis *h, const Tokenizer *source,
                                Region *region)
{
    const int copies = chunk->copy == COPY_UNKNOWN ? chunk->unknowns : chunk->copy == COPY_ANY;
    const int *place = NULL;            /* in the source, of each <unk> */
    if (!copies && !chunk->prefix_unknowns && !chunk->copies.text.count) return NULL;
    const char **list = region_take(region, (size_t)h->length, sizeof *list);
    if (copies)
        place = unknown_replacements(h, chunk->source_ids, chunk->source_length, chunk->copy,
                                     region);
    for (int i = 0, unknowns = 0; i < h->length; i++) {
        list[i] = NULL;
        if (h->ids[i] != ID_UNK) {
            list[i] = chunk_copied_word(chunk, h->ids[i]);
            continue;
        }
        if (unknowns < chunk->prefix_unknowns)
            list[i] = chunk->prefix_unknown[unknowns];
        else if (place && place[unknowns] >= 0)
            list[i] = chunk_source_text(chunk, place[unknowns], source);
        unknowns++;
    }
    return list;
}

/* ---- the text of a chunk ---- */

/* Lists the bytes of a text that are copies of the source, whose case they keep; returns how many
 * runs there are. copied: (pieces). */
static size_t list_copied(const Hypothesis *h, int pieces, const char *const *list,
                          const PieceText *text, const char *bytes, CopiedBytes *copied)
{
    size_t count = 0;
    for (int i = 0; list && i < pieces; i++) {
        if (!list[i] || (h->ids[i] != ID_UNK && !placeholder_bit(h->ids[i]))) continue;
        const size_t before = i ? text[i - 1].end : 0;
        copied[count++] = (CopiedBytes){ before + (before < text[i].end && bytes[before] == ' '),
                                         text[i].end };
    }
    return count;
}

const char *chunk_text_before(const Chunk *chunk, const Hypothesis *h, int pieces,
                              const Model *model, Region *region)
{
    const char **list = chunk_replacements(chunk, h, model->source, region);
    PieceText *piece = region_take(region, (size_t)pieces, sizeof *piece);
    CopiedBytes *copied = region_take(region, (size_t)pieces, sizeof *copied);
    SCOPED(buf_free) Buf text = { 0 }, out = { 0 };
    tokenizer_decode(model->target, h->ids, (size_t)pieces, list, piece, &text);
    const size_t copies = list_copied(h, pieces, list, piece, text.text, copied);
    buf_clear(&out);
    mask_output(text.text, text.length, chunk->output, chunk->language, copied, copies, &out);
    return region_strndup(region, out.text, out.length);
}

const char *chunk_text(const Chunk *chunk, const Hypothesis *h, const Model *model, Region *region)
{
    SCOPED(buf_free) Buf text = { 0 };
    buf_puts(&text, chunk_text_before(chunk, h, h->length, model, region));
    for (int k = 0; k < (int)chunk->copies.text.count; k++) {
        if (!chunk_lacks_copy(chunk, h, k)) continue;
        if (text.length) buf_putc(&text, ' ');
        buf_puts(&text, copies_at(&chunk->copies, k));
    }
    return region_strndup(region, text.text, text.length);
}

/* ---- lines ---- */

void chunk_add(Buf *line, const Chunk *chunk, int k)
{
    SCOPED(buf_free) Buf part = { 0 };
    buf_clear(&part);
    if (chunk->mark) buf_puts(&part, chunk->mark);
    tagged_text_add(&part, chunk, k);
    joint_add(line, chunk->joint, part.text);
}

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

static LineHypothesis line_hypothesis(const Translation *line, int k, Region *region)
{
    LineHypothesis h = { 0 };
    SCOPED(buf_free) Buf whole = { 0 }, text = { 0 };
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
    h.text = region_strndup(region, text.text, text.length);
    return h;
}

void translation_join(Translation *t, Region *region)
{
    for (size_t i = 0; i < t->chunks; i++)
        if (t->chunk[i].count > t->count) t->count = t->chunk[i].count;
    t->hypothesis = region_take(region, (size_t)t->count, sizeof *t->hypothesis);
    for (int k = 0; k < t->count; k++)
        t->hypothesis[k] = line_hypothesis(t, k, region);
}
