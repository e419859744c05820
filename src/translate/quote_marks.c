/* quote_marks.c - see quote_marks.h. */
#include "translate/quote_marks.h"

#include <string.h>

/* Whether piece i is this text, with a blank before it or without. */
static int is_piece(const Written *w, int i, const char *text)
{
    const char *piece = written_at(w, i);
    return !strcmp(piece + (written_begins_word(w, i) ? BLANK_MARK_LENGTH : 0), text);
}

/* Whether a blank is before piece i. */
static int has_blank_before(const Written *w, int i)
{
    return written_begins_word(w, i) || (i > 0 && !strcmp(written_at(w, i - 1), BLANK_MARK));
}

/* Whether a blank is behind piece i. */
static int has_blank_behind(const Written *w, int i)
{
    return !written_is_end(w, i + 1) && written_begins_word(w, i + 1);
}

/* Writes a guillemet, with its blank, in place of the mark at piece i. */
static void open_with_guillemet(const Written *w, int i)
{
    written_replace_word(w, i, i, has_blank_behind(w, i) ? "«" : "«" BLANK_MARK);
}

void quote_marks_settle(const Written *w)
{
    int open = -1;
    for (int i = 0; !written_is_end(w, i); i++) {
        const int is_plain = is_piece(w, i, "\""), is_opening = is_piece(w, i, "«");
        if (is_opening || (is_plain && open < 0)) open = i;
        else if (is_plain) open = -1;
        if (!is_piece(w, i, "»") || open < 0) continue;
        if (!written_is_given(w, open) && has_blank_before(w, i)) open_with_guillemet(w, open);
        open = -1;
    }
}
