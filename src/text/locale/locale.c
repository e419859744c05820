/* locale.c - what languages have in common. */
#include "text/locale/locale.h"

#include "text/ascii.h"
#include "text/locale/language.h"
#include "text/locale/ranges.h"
#include "text/unicode.h"
#include "text/word_match.h"

#include <string.h>

static const Locale *const locales[] = { &locale_english, &locale_french };
enum { LOCALES = sizeof locales / sizeof *locales };

/* ---- Words ---- */

int locale_listed(const Words *words, size_t i, const char *const *list)
{
    for (int k = 0; list[k]; k++)
        if (word_is_unaccented(words, i, list[k])) return k + 1;
    return 0;
}

int locale_day(const Words *words, size_t i)
{
    const int day = word_number(words, i, 2);
    return day >= 1 && day <= 31 ? day : 0;
}

int locale_year(const Words *words, size_t i)
{
    enum { FIRST = 1000, LAST = 2199 };
    const int year = word_number(words, i, 4);
    return year >= FIRST && year <= LAST ? year : 0;
}

int locale_decade(const Words *words, size_t i)
{
    enum { DECADE = 10, CENTURY = 100 };
    const int number = word_number(words, i, 4);
    const int is_decade = number > 0 && number % DECADE == 0;
    return is_decade && (number < CENTURY || locale_year(words, i)) ? number : 0;
}

/* The number of the digits at..end; -1: there are none, or more than two, or other characters. */
static int digits(const char *at, const char *end)
{
    int number = 0;
    if (at == end || end - at > 2) return -1;
    for (; at < end; at++) {
        if (!ascii_is_digit(*at)) return -1;
        number = 10 * number + (*at - '0');
    }
    return number;
}

ClockTime locale_clock(const Words *words, size_t i, const char *separators)
{
    const ClockTime none = { -1, -1 };
    const PlainWord word = words_plain(words, i);
    const char *end = word.text + word.length, *at = word.text;
    while (at < end && !strchr(separators, *at))
        at++;
    if (end - at != 3) return none;
    const ClockTime time = { digits(word.text, at), digits(at + 1, end) };
    return time.hour >= 0 && time.hour <= 24 && time.minute >= 0 && time.minute < 60 ? time : none;
}

int locale_goes_on(const Words *words, size_t i)
{
    static const char *const joins[] = { "-", "–", ",", NULL };
    return word_is_one_of(words, i - 1, joins) && locale_clock(words, i - 2, ":").hour >= 0;
}

int locale_has_month(const Words *words, size_t i)
{
    for (int k = 0; k < LOCALES; k++)
        if (locale_listed(words, i, locales[k]->months)) return 1;
    return 0;
}

int locale_has_weekday(const Words *words, size_t i)
{
    for (int k = 0; k < LOCALES; k++)
        if (locale_listed(words, i, locales[k]->weekdays)) return 1;
    return 0;
}

/* ---- Items ---- */

static int ends_in_stop(PlainWord word)
{
    return word.length && word.text[word.length - 1] == '.';
}

size_t locale_item_end(const Locale *locale, const Words *words, size_t i, LocaleItem *item)
{
    *item = (LocaleItem){ .kind = LOCALE_NONE };
    size_t end = range_end(locale, words, i, item);
    if (end == i) end = locale->date_end(words, i, item);
    if (end == i) {
        *item = (LocaleItem){ .kind = LOCALE_NONE };
        end = locale->time_end(words, i, item);
    }
    if (end == i) {
        *item = (LocaleItem){ .kind = LOCALE_NONE };
        end = locale->ordinal_end(words, i, item);
    }
    if (end == i) {
        *item = (LocaleItem){ .kind = LOCALE_NONE };
        end = locale->decade_end(words, i, item);
    }
    item->has_stop = end > i && end == words->count && ends_in_stop(words_plain(words, end - 1));
    return end;
}

void locale_write_item(const Locale *locale, const LocaleItem *item, Buf *out)
{
    if (item->kind == LOCALE_DATE) locale->write_date(&item->date, out);
    else if (item->kind == LOCALE_ORDINAL) locale->write_ordinal(item->ordinal, out);
    else if (item->kind == LOCALE_DECADE) locale->write_decade(item->decade, out);
    else if (item->kind == LOCALE_TIMES || item->kind == LOCALE_WEEKDAYS) range_write(locale, item, out);
    else locale->write_time(item->time, out);
}

/* ---- Around them ---- */

static int is_word(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && !memcmp(text, word, length);
}

static int is_listed(const char *word, size_t length, const char *const *list)
{
    for (; *list; list++)
        if (is_word(word, length, *list)) return 1;
    return 0;
}

const char *locale_prefix(const Locale *locale)
{
    return locale->prefix;
}

int locale_may_be_bare(const Locale *locale)
{
    return locale->subjects != NULL;
}

int locale_is_subject(const Locale *locale, const char *word, size_t length)
{
    return is_listed(word, length, locale->subjects);
}

int locale_takes_date(const Locale *locale, const char *word, size_t length)
{
    return is_listed(word, length, locale->takes_date);
}

int locale_follows_date(const Locale *locale, const char *word, size_t length)
{
    return is_listed(word, length, locale->follows_date);
}

int locale_joins(const Locale *locale, const char *word, size_t length)
{
    return is_listed(word, length, locale->joins);
}

const char *locale_merged(const Locale *locale, const char *word, size_t length)
{
    for (const MergedPrefix *prefix = locale->merged; prefix->word; prefix++)
        if (is_word(word, length, prefix->word)) return prefix->merged;
    return NULL;
}

static const char *form_of(const WordForm *forms, const char *word, size_t length)
{
    for (; forms->word; forms++)
        if (is_word(word, length, forms->word)) return forms->form;
    return NULL;
}

/* Whether a name begins so, whatever case and accents. */
static int begins_with(const char *name, const char *beginning)
{
    for (const char *at = name; *beginning; beginning++)
        if (unicode_lower(unicode_base(unicode_next(&at))) != *beginning) return 0;
    return 1;
}

/* Whether the first word of a name has two letters or more, and nothing else but hyphens and
 * apostrophes. */
static int is_of_letters(const char *name)
{
    int letters = 0;
    for (const char *at = name; *at && *at != ' ';) {
        const int32_t point = unicode_next(&at);
        if (!unicode_is_letter(point) && point != '-' && point != '\'' && point != 0x2019) return 0;
        letters += unicode_is_letter(point);
    }
    return letters > 1;
}

static int begins_with_vowel(const Locale *locale, const char *name)
{
    const int32_t first = unicode_lower(unicode_base(unicode_next(&(const char *){ name })));
    if (!locale->vowels || first > 127 || !first || !strchr(locale->vowels, (int)first)) return 0;
    for (const char *const *glide = locale->glides; *glide; glide++)
        if (begins_with(name, *glide)) return 0;
    return is_of_letters(name);
}

const char *locale_before_vowel(const Locale *locale, const char *word, size_t length,
                                const char *name)
{
    if (!begins_with_vowel(locale, name)) return NULL;
    return form_of(locale->vowel_forms, word, length);
}

const char *locale_before_decade(const Locale *locale, const char *word, size_t length)
{
    return form_of(locale->decade_forms, word, length);
}

const char *locale_decade_article(const Locale *locale, const char *word, size_t length)
{
    return is_listed(word, length, locale->decade_articles) ? NULL : locale->decade_article;
}

int locale_is_hour(const Locale *locale, const char *word, size_t length)
{
    return is_listed(word, length, locale->hours);
}

int locale_is_ending(const Locale *locale, const char *word, size_t length)
{
    return is_listed(word, length, locale->endings);
}
