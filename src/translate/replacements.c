/* replacements.c - see replacements.h. */
#include "translate/replacements.h"

#include "base/mem.h"
#include "text/ascii.h"
#include "text/letter_case.h"
#include "text/unicode.h"
#include "translate/quote_marks.h"

#include <stdlib.h>

static void copy_unknowns(const char **list, const Chunk *chunk, const Hypothesis *h,
                          const Tokenizer *source)
{
    int *place = xmalloc((size_t)h->length, sizeof *place);
    unknown_replacement_choose(place, h, chunk->source_ids, chunk->source_length, chunk->copy);
    for (int i = 0, k = 0; i < h->length; i++) {
        if (h->ids[i] != ID_UNK) continue;
        if (place[k] >= 0) list[i] = chunk_source_text(chunk, place[k], source);
        k++;
    }
    free(place);
}

/* Whether a text begins with a digit, or with a letter of a script that has blanks between words. */
static int begins_word(const char *text)
{
    const char *end = text;
    unicode_next(&end);
    return ascii_is_digit(*text) || letter_case_shape(text, (size_t)(end - text)) >= SHAPE_SMALL;
}

/* Where the last character of a text begins. */
static const char *last_character(const char *text)
{
    const char *last = text;
    for (const char *at = text; *at; unicode_next(&at))
        last = at;
    return last;
}

/* Writes a blank between a word or a copy and the copy that would be written on to it: from Olga, of d'Olga. */
static void part_copies(const Written *w)
{
    Buf parted = { 0 };
    for (int i = 1; !written_is_end(w, i); i++) {
        const char *copy = w->r->text[i], *before = written_at(w, i - 1);
        if (!copy || w->h->ids[i] == ID_UNK || written_is_given(w, i) || !begins_word(copy)
            || !begins_word(last_character(before)))
            continue;
        buf_clear(&parted);
        buf_putc(&parted, ' ');
        buf_puts(&parted, copy);
        replacements_own(w->r, i, parted.text);
    }
    buf_free(&parted);
}

Replacements chunk_replacements(const Chunk *chunk, const Hypothesis *h, const Tokenizer *source,
                                const Tokenizer *target)
{
    const int unknowns = chunk->copy == COPY_UNKNOWN ? chunk->unknowns : chunk->copy == COPY_ANY;
    Replacements r = { 0 };
    if (!unknowns && !chunk->prefix_unknowns && !chunk->copies.text.count) return r;
    const char **list = r.text = xcalloc((size_t)h->length, sizeof *list);
    if (unknowns) copy_unknowns(list, chunk, h, source);
    for (int i = 0, k = 0; i < h->length; i++) {
        if (h->ids[i] == ID_UNK && k < chunk->prefix_unknowns) list[i] = chunk->prefix_unknown[k++];
        if (h->ids[i] != ID_UNK) list[i] = chunk_copied_text(chunk, h->ids[i]);
    }
    const Written written = { &r, chunk, h, target };
    part_copies(&written);
    quote_marks_settle(&written);
    return r;
}

void replacements_own(Replacements *r, int i, const char *text)
{
    r->written = xrealloc(r->written, (size_t)(r->count + 1), sizeof *r->written);
    r->text[i] = r->written[r->count++] = xstrdup(text);
}

void replacements_free(Replacements *r)
{
    for (int i = 0; i < r->count; i++)
        free(r->written[i]);
    free(r->written);
    free(r->text);
    *r = (Replacements){ 0 };
}
