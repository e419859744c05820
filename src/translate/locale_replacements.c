/* locale_replacements.c - looks at the word before each date, and at what is behind each time and
 * ordinal. */
#include "translate/locale_replacements.h"

#include "translate/written_words.h"

#include <string.h>

/* ---- Case ---- */

/* Sets what is written for piece i, in the case that the translation has there. */
static void write_cased(const Written *w, int i, const Buf *text)
{
    Buf cased = { 0 };
    const OutputCase output = w->chunk->output;
    if (output == CASE_ALL_CAPITALS)
        letter_case_capitals(text->text, text->length, w->chunk->language, &cased);
    else if (output == CASE_FIRST_CAPITAL && written_is_first(w, i))
        letter_case_capitalised(text->text, text->length, w->chunk->language, &cased);
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
static int takes_date(const Written *w, const WordBefore *word)
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
static int says_behind(const Written *w, int i,
                       int (*rule)(const Locale *locale, const char *word, size_t length))
{
    Buf word = { 0 };
    buf_clear(&word);
    written_word_at(w, i + 1, &word);
    const int says = rule(w->chunk->copies.into, word.text, word.length);
    buf_free(&word);
    return says;
}

/* Whether a date that begins a sentence has no prefix. */
static int is_bare_at_start(const Written *w, int i, const LocaleItem *item)
{
    if (written_is_last(w, i)) return !item->has_prefix;
    return locale_may_be_bare(w->chunk->copies.into) && !says_behind(w, i, locale_is_subject);
}

/* Whether a date at piece i has no prefix. A part that is all copied, and what the user has given,
 * stay as they are. */
static int is_bare(const Written *w, int i, const LocaleItem *item, const WordBefore *word,
                   int was_bare)
{
    const Locale *locale = w->chunk->copies.into;
    if (w->chunk->is_all_copied) return !item->has_prefix;
    if (written_is_given(w, i)) return 1;
    if (word->last < 0) return is_bare_at_start(w, i, item);
    if (locale_may_be_bare(locale) && !item->has_prefix) return 1;
    return takes_date(w, word) || says_behind(w, i, locale_follows_date)
           || (was_bare && locale_joins(locale, word->text.text, word->text.length));
}

/* Makes one word of the preposition before a date and its prefix; returns 0 where they stay two. */
static int merge(const Written *w, const WordBefore *word)
{
    const char *merged = locale_merged(w->chunk->copies.into, word->text.text, word->text.length);
    if (!merged || word->last < 0 || written_is_given(w, word->last)) return 0;
    written_replace_word(w, word->first, word->last, merged);
    return 1;
}

/* was_bare: whether the date before had no prefix; returns whether this one has none. */
static int write_date(const Written *w, int i, const LocaleItem *item, int was_bare)
{
    const Locale *locale = w->chunk->copies.into;
    WordBefore word = { .last = written_before(w, i) };
    Buf text = { 0 };
    buf_clear(&text);
    buf_clear(&word.text);
    if (word.last >= 0) word.first = written_word_before(w, word.last, &word.text);
    const int bare = is_bare(w, i, item, &word, was_bare);
    const int is_merged = !w->chunk->is_all_copied && merge(w, &word);
    if (!bare && !is_merged) buf_printf(&text, "%s ", locale_prefix(locale));
    locale_write_item(locale, item, &text);
    write_cased(w, i, &text);
    buf_free(&word.text);
    buf_free(&text);
    return bare;
}

/* ---- Times ---- */

/* Behind the word for an hour that follows piece i; i + 1: none does. */
static int hour_end(const Written *w, int i)
{
    Buf word = { 0 };
    buf_clear(&word);
    const int end = written_word_at(w, i + 1, &word);
    const int is_hour = locale_is_hour(w->chunk->copies.into, word.text, word.length);
    buf_free(&word);
    return is_hour ? end : i + 1;
}

static void write_time(const Written *w, int i, const LocaleItem *item)
{
    const int end = hour_end(w, i);
    Buf text = { 0 };
    locale_write_item(w->chunk->copies.into, item, &text);
    if (!written_is_given(w, end - 1)) written_leave_out(w, i + 1, end);
    write_cased(w, i, &text);
    buf_free(&text);
}

/* ---- Ordinals ---- */

/* Whether piece i is written on to the piece before it, by the network. */
static int is_written_on(const Written *w, int i)
{
    return !written_is_end(w, i) && !written_begins_word(w, i) && !written_is_given(w, i);
}

/* Behind the ending that the network has written from piece i on; i: it has written none. One letter
 * is an ending where no other follows: the e of est is none. */
static int ending_end(const Written *w, int i)
{
    Buf ending = { 0 };
    int end = i;
    for (int k = i; is_written_on(w, k); k++) {
        buf_puts(&ending, written_at(w, k));
        const int goes_on = is_written_on(w, k + 1) && written_has_letters(written_at(w, k + 1));
        if (locale_is_ending(w->chunk->copies.into, ending.text, ending.length)
            && (ending.length > 1 || !goes_on))
            end = k + 1;
    }
    buf_free(&ending);
    return end;
}

/* The network may have written an ending of its own, or gone on with the next word. Behind what the
 * user has given an ending may be given, too. */
static void write_ordinal(const Written *w, int i, const LocaleItem *item)
{
    const int end = ending_end(w, i + 1);
    const int has_given_ending = written_is_given(w, i + 1) && !written_is_end(w, i + 1)
                                 && !written_begins_word(w, i + 1);
    Buf text = { 0 };
    if (has_given_ending) buf_printf(&text, "%d", item->ordinal);
    else locale_write_item(w->chunk->copies.into, item, &text);
    if (is_written_on(w, end) && written_has_letters(written_at(w, end))) buf_putc(&text, ' ');
    written_leave_out(w, i + 1, end);
    write_cased(w, i, &text);
    buf_free(&text);
}

/* ---- Decades ---- */

/* The word before a decade has its article: dans les, for dans le. */
static void write_decade(const Written *w, int i, const LocaleItem *item)
{
    const Locale *locale = w->chunk->copies.into;
    WordBefore word = { .last = written_before(w, i) };
    Buf text = { 0 };
    buf_clear(&word.text);
    if (word.last >= 0) word.first = written_word_before(w, word.last, &word.text);
    const char *form = locale_before_decade(locale, word.text.text, word.text.length);
    const char *article = locale_decade_article(locale, word.text.text, word.text.length);
    if (form && !written_is_given(w, word.last)) written_replace_word(w, word.first, word.last, form);
    else if (article && !form && !w->chunk->is_all_copied && !written_is_given(w, i))
        buf_printf(&text, "%s ", article);
    locale_write_item(locale, item, &text);
    write_cased(w, i, &text);
    buf_free(&word.text);
    buf_free(&text);
}

/* ---- Ranges ---- */

/* Whether the word before piece i is the one that this text begins with: de, of de 9 h à 17 h. */
static int is_doubled(const Written *w, int i, const Buf *text)
{
    Buf word = { 0 };
    const int last = written_before(w, i);
    if (last < 0) return 0;
    written_word_before(w, last, &word);
    const int is_same = word.length && word.length < text->length && text->text[word.length] == ' '
                        && !memcmp(word.text, text->text, word.length);
    buf_free(&word);
    return is_same;
}

static void write_range(const Written *w, int i, const LocaleItem *item)
{
    Buf text = { 0 }, written = { 0 };
    locale_write_item(w->chunk->copies.into, item, &text);
    const size_t doubled = is_doubled(w, i, &text) ? strcspn(text.text, " ") + 1 : 0;
    buf_puts(&written, text.text + doubled);
    write_cased(w, i, &written);
    buf_free(&written);
    buf_free(&text);
}

/* ---- Numbers ---- */

static void write_number(const Written *w, int i, int number)
{
    Buf text = { 0 };
    copies_written(&w->chunk->copies, number, &text);
    replacements_own(w->r, i, text.text);
    buf_free(&text);
}

void locale_replace(Replacements *r, const Chunk *chunk, const Hypothesis *h,
                      const Tokenizer *target)
{
    const Written w = { r, chunk, h, target };
    int was_bare = 0;
    for (int i = 0; i < h->length; i++) {
        const int number = chunk_copy(chunk, h->ids[i]);
        if (number < 0) continue;
        const LocaleItem *item = &chunk->copies.item[number];
        if (item->kind == LOCALE_DATE) was_bare = write_date(&w, i, item, was_bare);
        else if (item->kind == LOCALE_TIME) write_time(&w, i, item);
        else if (item->kind == LOCALE_ORDINAL) write_ordinal(&w, i, item);
        else if (item->kind == LOCALE_DECADE) write_decade(&w, i, item);
        else if (item->kind == LOCALE_NUMBER) write_number(&w, i, number);
        else if (locale_is_adverb(item)) write_range(&w, i, item);
    }
}
