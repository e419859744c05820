/* written_words.c - see written_words.h. */
#include "translate/written_words.h"

#include "text/unicode.h"

#include <string.h>

int written_is_end(const Written *w, int i)
{
    return i >= w->h->length || w->h->ids[i] == ID_EOS;
}

int written_is_given(const Written *w, int i)
{
    return i < w->chunk->prefix_length && !w->chunk->is_all_copied;
}

const char *written_at(const Written *w, int i)
{
    const char *text = w->r->text[i];
    return text ? text : tokenizer_piece(w->target, w->h->ids[i]);
}

int written_begins_word(const Written *w, int i)
{
    return !strncmp(written_at(w, i), BLANK_MARK, BLANK_MARK_LENGTH);
}

int written_has_letters(const char *text)
{
    for (int32_t point; *text;) {
        point = unicode_next(&text);
        if (unicode_is_letter(point) || unicode_is_number(point)) return 1;
    }
    return 0;
}

int written_is_first(const Written *w, int i)
{
    while (i-- > 0)
        if (written_has_letters(written_at(w, i))) return 0;
    return 1;
}

int written_is_last(const Written *w, int i)
{
    while (!written_is_end(w, ++i))
        if (written_has_letters(written_at(w, i))) return 0;
    return 1;
}

int written_before(const Written *w, int i)
{
    while (--i >= 0 && (!strcmp(written_at(w, i), BLANK_MARK) || !*written_at(w, i)))
        ;
    return i;
}

static int ends_in_apostrophe(const char *text)
{
    return *text && text[strlen(text) - 1] == '\'';
}

int written_word_before(const Written *w, int last, Buf *word)
{
    int first = last;
    const int is_mark = !written_has_letters(written_at(w, last));
    while (!is_mark && first > 0 && !written_begins_word(w, first) && *written_at(w, first) != '\''
           && !ends_in_apostrophe(written_at(w, first - 1)))
        first--;
    for (int i = first; i <= last; i++) {
        const char *text = written_at(w, i);
        buf_puts(word, text + (written_begins_word(w, i) ? BLANK_MARK_LENGTH : 0));
    }
    return first;
}

int written_word_at(const Written *w, int i, Buf *word)
{
    for (int first = i; !written_is_end(w, i) && (i == first || !written_begins_word(w, i)); i++) {
        const char *text = written_at(w, i);
        if (i > first && !written_has_letters(text) && *text != '\'') break;
        buf_puts(word, text + (written_begins_word(w, i) ? BLANK_MARK_LENGTH : 0));
    }
    return i;
}

void written_leave_out(const Written *w, int first, int end)
{
    for (int i = first; i < end; i++)
        w->r->text[i] = "";
}

void written_replace_word(const Written *w, int first, int last, const char *text)
{
    Buf piece = { 0 };
    if (written_begins_word(w, first)) buf_puts(&piece, BLANK_MARK);
    buf_puts(&piece, text);
    replacements_own(w->r, first, piece.text);
    written_leave_out(w, first + 1, last + 1);
    buf_free(&piece);
}
