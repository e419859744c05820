/* vowel_forms.c - see vowel_forms.h. */
#include "translate/vowel_forms.h"

#include <string.h>

/* Gives the word that ends before piece i, which is this name, the form that it has there. What ends in an
 * apostrophe has no blank behind it. */
static void replace_before(const Written *w, int i, const char *name)
{
    const int last = written_before(w, i);
    if (last < 0 || written_is_given(w, last)) return;
    Buf word = { 0 };
    const int first = written_word_before(w, last, &word);
    const char *form = locale_before_vowel(w->chunk->copies.into, word.text, word.length, name);
    if (form) {
        written_replace_word(w, first, last, form);
        if (form[strlen(form) - 1] == '\'') written_leave_out(w, last + 1, i);
    }
    buf_free(&word);
}

void vowel_forms_replace(const Written *w)
{
    const Copies *copies = &w->chunk->copies;
    if (!copies->into) return;
    for (int i = 0; i < w->h->length; i++) {
        const int number = chunk_copy(w->chunk, w->h->ids[i]);
        if (number >= 0 && copies->item[number].kind == LOCALE_NONE)
            replace_before(w, i, copies_at(copies, number));
    }
}
