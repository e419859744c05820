/* locale_replacements.c - looks at the word before each date, and at what is behind each time and
 * ordinal. */
#include "translate/locale_replacements.h"

#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Replacements     *r;
    const Chunk      *chunk;
    const Hypothesis *h;
    const Tokenizer  *target;
    int               was_bare;     /* the last date had no prefix */
} Writer;

/* ---- Pieces ---- */

static int is_end(const Writer *w, int i)
{
    return i >= w->h->length || w->h->ids[i] == ID_EOS;
}

/* Whether piece i is of the beginning that the user has given. */
static int is_given(const Writer *w, int i)
{
    return i < w->chunk->prefix_length && !w->chunk->is_all_copied;
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

/* Whether no word is before piece i. */
static int is_first(const Writer *w, int i)
{
    while (i-- > 0)
        if (has_letters(written_at(w, i))) return 0;
    return 1;
}

/* Whether no word is behind piece i. */
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

/* Appends the word that piece `last` ends, or a part of it that an apostrophe parts off (à of jusqu'à,
 * 's of it's), or the mark that it is; returns its first piece. */
static int add_word_before(const Writer *w, int last, Buf *word)
{
    int first = last;
    const int is_mark = !has_letters(written_at(w, last));
    while (!is_mark && first > 0 && !begins_word(w, first) && *written_at(w, first) != '\''
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

/* The word before a date: its pieces, and its text or a part of it. */
typedef struct {
    int first, last;
    Buf text;
} WordBefore;

/* Whether a date has no prefix behind this word: also if its apostrophe is a piece by itself. */
static int takes_date(const Writer *w, const WordBefore *word)
{
    const Locale *locale = w->chunk->copies.into;
    if (locale_takes_date(locale, word->text.text, word->text.length)) return 1;
    if (!word->first || strcmp(written_at(w, word->first - 1), "'") != 0) return 0;
    Buf whole = { 0 };
    buf_printf(&whole, "'%s", word->text.text);
    const int takes = locale_takes_date(locale, whole.text, whole.length);
    buf_free(&whole);
    return takes;
}

/* What a rule says of the word that begins behind piece i. */
static int says_behind(const Writer *w, int i,
                       int (*rule)(const Locale *locale, const char *word, size_t length))
{
    Buf word = { 0 };
    buf_clear(&word);
    add_word_at(w, i + 1, &word);
    const int says = rule(w->chunk->copies.into, word.text, word.length);
    buf_free(&word);
    return says;
}

/* Whether a date that begins a sentence has no prefix. */
static int is_bare_at_start(const Writer *w, int i, const LocaleItem *item)
{
    if (is_last(w, i)) return !item->has_prefix;
    return locale_may_be_bare(w->chunk->copies.into) && !says_behind(w, i, locale_is_subject);
}

/* Whether a date at piece i has no prefix. A part that is all copied, and what the user has given,
 * stay as they are. */
static int is_bare(const Writer *w, int i, const LocaleItem *item, const WordBefore *word)
{
    const Locale *locale = w->chunk->copies.into;
    if (w->chunk->is_all_copied) return !item->has_prefix;
    if (is_given(w, i)) return 1;
    if (word->last < 0) return is_bare_at_start(w, i, item);
    if (locale_may_be_bare(locale) && !item->has_prefix) return 1;
    return takes_date(w, word) || says_behind(w, i, locale_follows_date)
           || (w->was_bare && locale_joins(locale, word->text.text, word->text.length));
}

/* Makes one word of the preposition before a date and its prefix; returns 0 where they stay two. */
static int merge(const Writer *w, const WordBefore *word)
{
    const char *merged = locale_merged(w->chunk->copies.into, word->text.text, word->text.length);
    if (!merged || word->last < 0 || is_given(w, word->last)) return 0;
    Buf piece = { 0 };
    if (begins_word(w, word->first)) buf_puts(&piece, BLANK_MARK);
    buf_puts(&piece, merged);
    replacements_own(w->r, word->first, piece.text);
    leave_out(w, word->first + 1, word->last + 1);
    buf_free(&piece);
    return 1;
}

static void write_date(Writer *w, int i, const LocaleItem *item)
{
    const Locale *locale = w->chunk->copies.into;
    WordBefore word = { .last = piece_before(w, i) };
    Buf text = { 0 };
    buf_clear(&text);
    buf_clear(&word.text);
    if (word.last >= 0) word.first = add_word_before(w, word.last, &word.text);
    w->was_bare = is_bare(w, i, item, &word);
    const int is_merged = !w->chunk->is_all_copied && merge(w, &word);
    if (!w->was_bare && !is_merged) buf_printf(&text, "%s ", locale_prefix(locale));
    locale_write_item(locale, item, &text);
    write_cased(w, i, &text);
    buf_free(&word.text);
    buf_free(&text);
}

/* ---- Times ---- */

/* Behind the word for an hour that follows piece i; i + 1: none does. */
static int hour_end(const Writer *w, int i)
{
    Buf word = { 0 };
    buf_clear(&word);
    const int end = add_word_at(w, i + 1, &word);
    const int is_hour = locale_is_hour(w->chunk->copies.into, word.text, word.length);
    buf_free(&word);
    return is_hour ? end : i + 1;
}

static void write_time(const Writer *w, int i, const LocaleItem *item)
{
    const int end = hour_end(w, i);
    Buf text = { 0 };
    locale_write_item(w->chunk->copies.into, item, &text);
    if (!is_given(w, end - 1)) leave_out(w, i + 1, end);
    write_cased(w, i, &text);
    buf_free(&text);
}

/* ---- Ordinals ---- */

/* Whether piece i is written on to the piece before it, by the network. */
static int is_written_on(const Writer *w, int i)
{
    return !is_end(w, i) && !begins_word(w, i) && !is_given(w, i);
}

/* Behind the ending that the network has written from piece i on; i: it has written none. One letter
 * is an ending where no other follows: the e of est is none. */
static int ending_end(const Writer *w, int i)
{
    Buf ending = { 0 };
    int end = i;
    for (int k = i; is_written_on(w, k); k++) {
        buf_puts(&ending, written_at(w, k));
        const int goes_on = is_written_on(w, k + 1) && has_letters(written_at(w, k + 1));
        if (locale_is_ending(w->chunk->copies.into, ending.text, ending.length)
            && (ending.length > 1 || !goes_on))
            end = k + 1;
    }
    buf_free(&ending);
    return end;
}

/* The network may have written an ending of its own, or gone on with the next word. Behind what the
 * user has given an ending may be given, too. */
static void write_ordinal(const Writer *w, int i, const LocaleItem *item)
{
    const int end = ending_end(w, i + 1);
    const int has_given_ending = is_given(w, i + 1) && !is_end(w, i + 1) && !begins_word(w, i + 1);
    Buf text = { 0 };
    if (has_given_ending) buf_printf(&text, "%d", item->ordinal);
    else locale_write_item(w->chunk->copies.into, item, &text);
    if (is_written_on(w, end) && has_letters(written_at(w, end))) buf_putc(&text, ' ');
    leave_out(w, i + 1, end);
    write_cased(w, i, &text);
    buf_free(&text);
}

void locale_replace(Replacements *r, const Chunk *chunk, const Hypothesis *h,
                      const Tokenizer *target)
{
    Writer writer = { r, chunk, h, target, 0 };
    for (int i = 0; i < h->length; i++) {
        const int number = chunk_copy(chunk, h->ids[i]);
        if (number < 0) continue;
        const LocaleItem *item = &chunk->copies.item[number];
        if (item->kind == LOCALE_DATE) write_date(&writer, i, item);
        else if (item->kind == LOCALE_TIME) write_time(&writer, i, item);
        else if (item->kind == LOCALE_ORDINAL) write_ordinal(&writer, i, item);
    }
}
