/* replacements.c - see replacements.h. */
#include "translate/replacements.h"

#include "base/mem.h"
#include "text/ascii.h"
#include "text/letter_case.h"
#include "text/unicode.h"

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

/* Whether piece i is of the beginning that the user has given. */
static int is_given(const Chunk *chunk, int i)
{
    return i < chunk->prefix_length && !chunk->is_all_copied;
}

/* The text of piece i becomes a blank and that text. */
static void add_blank_before(Replacements *r, int i)
{
    Buf parted = { 0 };
    buf_printf(&parted, " %s", r->text[i]);
    r->written = xrealloc(r->written, (size_t)(r->count + 1), sizeof *r->written);
    r->text[i] = r->written[r->count++] = parted.text;
}

/* Writes a blank between a word or a copy and the copy that would be written on to it: from Olga, of d'Olga. */
static void part_copies(Replacements *r, const Chunk *chunk, const Hypothesis *h, const Tokenizer *target)
{
    for (int i = 1; i < h->length && h->ids[i] != ID_EOS; i++) {
        const char *before = r->text[i - 1] ? r->text[i - 1] : tokenizer_piece(target, h->ids[i - 1]);
        if (r->text[i] && h->ids[i] != ID_UNK && !is_given(chunk, i) && begins_word(r->text[i])
            && begins_word(last_character(before)))
            add_blank_before(r, i);
    }
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
    part_copies(&r, chunk, h, target);
    return r;
}

void replacements_free(Replacements *r)
{
    for (int i = 0; i < r->count; i++)
        free(r->written[i]);
    free(r->written);
    free(r->text);
    *r = (Replacements){ 0 };
}
