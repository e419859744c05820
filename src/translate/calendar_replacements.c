/* calendar_replacements.c - looks at the word before each date, and at the one behind each time. */
#include "translate/calendar_replacements.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Replacements     *r;
    const Chunk      *chunk;
    const Hypothesis *h;
    const Tokenizer  *target;
    int               was_bare;     /* the last date had no preposition or article of its own */
} Writer;

/* ---- Pieces ---- */

static int is_end(const Writer *w, int i)
{
    return i >= w->h->length || w->h->ids[i] == ID_EOS;
}

/* What is written for piece i. */
static const char *written_at(const Writer *w, int i)
{
    const char *text = w->r->text[i];
    return text ? text : tokenizer_piece(w->target, w->h->ids[i]);
}

static int begins_word(const Writer *w, int i)
{
    return !strncmp(written_at(w, i), BLANK_MARK, BLANK_MARK_LENGTH);
}

static int has_letters(const char *text)
{
    for (int32_t point; *text;) {
        point = unicode_next(&text);
        if (unicode_is_letter(point) || unicode_is_number(point)) return 1;
    }
    return 0;
}

/* Whether nothing but marks is before piece i, or behind it. */
static int is_first(const Writer *w, int i)
{
    while (i-- > 0)
        if (has_letters(written_at(w, i))) return 0;
    return 1;
}

static int is_last(const Writer *w, int i)
{
    while (!is_end(w, ++i))
        if (has_letters(written_at(w, i))) return 0;
    return 1;
}

/* The piece that ends the word before piece i; -1: there is none. The mark of a blank alone belongs
 * to what is behind it. */
static int piece_before(const Writer *w, int i)
{
    while (--i >= 0 && (!strcmp(written_at(w, i), BLANK_MARK) || !*written_at(w, i)))
        ;
    return i;
}

static int ends_in_apostrophe(const char *text)
{
    return *text && text[strlen(text) - 1] == '\'';
}

/* Appends the word that piece `last` ends, or a part of it that an apostrophe parts off: à of jusqu'à,
 * 's of it's; returns its first piece. */
static int add_word_before(const Writer *w, int last, Buf *word)
{
    int first = last;
    while (first > 0 && !begins_word(w, first) && *written_at(w, first) != '\''
           && !ends_in_apostrophe(written_at(w, first - 1)))
        first--;
    for (int i = first; i <= last; i++) {
        const char *text = written_at(w, i);
        buf_puts(word, text + (begins_word(w, i) ? BLANK_MARK_LENGTH : 0));
    }
    return first;
}

/* Appends the word that begins with piece i; returns where it ends. */
static int add_word_at(const Writer *w, int i, Buf *word)
{
    for (int first = i; !is_end(w, i) && (i == first || !begins_word(w, i)); i++) {
        const char *text = written_at(w, i);
        if (i > first && !has_letters(text) && *text != '\'') break;
        buf_puts(word, text + (begins_word(w, i) ? BLANK_MARK_LENGTH : 0));
    }
    return i;
}

/* Leaves pieces [first, end) out of the translation. */
static void leave_out(const Writer *w, int first, int end)
{
    for (int i = first; i < end; i++)
        w->r->text[i] = "";
}

/* ---- Case ---- */

/* Sets what is written for piece i, in the case that the translation has there. */
static void write_cased(const Writer *w, int i, const Buf *text)
{
    Buf cased = { 0 };
    const OutputCase output = w->chunk->output;
    if (output == CASE_ALL_CAPITALS)
        letter_case_capitals(text->text, text->length, &cased);
    else if (output == CASE_FIRST_CAPITAL && is_first(w, i))
        letter_case_capitalised(text->text, text->length, &cased);
    else
        buf_add(&cased, text->text, text->length);
    replacements_own(w->r, i, cased.text);
    buf_free(&cased);
}

/* ---- Dates ---- */

/* Makes one word of the preposition before a date and what the date has before it. */
static int contract(const Writer *w, int first, int last, const Buf *word)
{
    const Calendar *calendar = w->chunk->copies.into;
    const char *contraction = calendar_contraction(calendar, word->text, word->length);
    if (!contraction) return 0;
    Buf piece = { 0 };
    if (begins_word(w, first)) buf_puts(&piece, BLANK_MARK);
    buf_puts(&piece, contraction);
    replacements_own(w->r, first, piece.text);
    leave_out(w, first + 1, last + 1);
    buf_free(&piece);
    return 1;
}

/* Whether a date has none of its own behind this word, which begins with piece `first`: also if its
 * apostrophe is a piece by itself. */
static int takes_date(const Writer *w, int first, const Buf *word)
{
    const Calendar *calendar = w->chunk->copies.into;
    if (calendar_takes_date(calendar, word->text, word->length)) return 1;
    if (!first || strcmp(written_at(w, first - 1), "'") != 0) return 0;
    Buf whole = { 0 };
    buf_printf(&whole, "'%s", word->text);
    const int takes = calendar_takes_date(calendar, whole.text, whole.length);
    buf_free(&whole);
    return takes;
}

/* Whether the word before a date says that it has no preposition or article of its own. */
static int is_bare_behind(const Writer *w, int last)
{
    const Calendar *calendar = w->chunk->copies.into;
    Buf word = { 0 };
    buf_clear(&word);
    const int first = add_word_before(w, last, &word);
    const int bare = takes_date(w, first, &word)
                     || (w->was_bare && calendar_joins(calendar, word.text, word.length))
                     || contract(w, first, last, &word);
    buf_free(&word);
    return bare;
}

/* The same of the word that begins at piece i. */
static int is_bare_before(const Writer *w, int i)
{
    Buf word = { 0 };
    buf_clear(&word);
    add_word_at(w, i, &word);
    const int bare = calendar_follows_date(w->chunk->copies.into, word.text, word.length);
    buf_free(&word);
    return bare;
}

/* Whether a date at piece i has no preposition or article of its own. */
static int is_bare(const Writer *w, int i, const CalendarItem *item)
{
    const int last = piece_before(w, i);
    if (last < 0 && !item->is_adverb && is_last(w, i)) return 1;
    return (last >= 0 && is_bare_behind(w, last)) || is_bare_before(w, i + 1);
}

static void write_date(Writer *w, int i, const CalendarItem *item)
{
    const Calendar *calendar = w->chunk->copies.into;
    Buf text = { 0 };
    buf_clear(&text);
    w->was_bare = is_bare(w, i, item);
    if (!w->was_bare) buf_printf(&text, "%s ", calendar_adverb(calendar));
    calendar_write(calendar, item, &text);
    write_cased(w, i, &text);
    buf_free(&text);
}

/* ---- Times ---- */

/* Behind the word for an hour that follows piece i; i + 1: none does. */
static int hour_end(const Writer *w, int i)
{
    Buf word = { 0 };
    buf_clear(&word);
    const int end = add_word_at(w, i + 1, &word);
    const int is_hour = calendar_is_hour(w->chunk->copies.into, word.text, word.length);
    buf_free(&word);
    return is_hour ? end : i + 1;
}

static void write_time(const Writer *w, int i, const CalendarItem *item)
{
    const int end = hour_end(w, i);
    Buf text = { 0 };
    calendar_write(w->chunk->copies.into, item, &text);
    leave_out(w, i + 1, end);
    const int ends_in_stop = text.text[text.length - 1] == '.';
    if (ends_in_stop && !is_end(w, end) && !strcmp(written_at(w, end), ".")) leave_out(w, end, end + 1);
    write_cased(w, i, &text);
    buf_free(&text);
}

void calendar_replace(Replacements *r, const Chunk *chunk, const Hypothesis *h,
                      const Tokenizer *target)
{
    Writer writer = { r, chunk, h, target, 0 };
    for (int i = 0; i < h->length; i++) {
        const int number = chunk_copy(chunk, h->ids[i]);
        if (number < 0) continue;
        const CalendarItem *item = &chunk->copies.item[number];
        if (item->kind == CALENDAR_DATE) write_date(&writer, i, item);
        else if (item->kind == CALENDAR_TIME) write_time(&writer, i, item);
    }
}
