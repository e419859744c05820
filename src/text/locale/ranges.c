/* ranges.c - see ranges.h. */
#include "text/locale/ranges.h"

#include "text/ascii.h"
#include "text/locale/language.h"
#include "text/word_match.h"

#include <string.h>

static const char *const dashes[] = { "-", "–", NULL };

/* Whether word i stands between the ends of a range. */
static int joins(const RangeWords *range, const Words *words, size_t i)
{
    return word_is_one_of(words, i, range->to) || word_is_one_of(words, i, dashes);
}

/* Whether hours may be how long something takes: 2 h à 3 h; 2h-3h par jour. */
static int may_be_durations(const LocaleItem *last, const Words *words, size_t end)
{
    enum { LONGEST = 6 };
    static const char *const per[] = { "par", "a", "per", "/", NULL };
    return word_is_one_of(words, end, per)
           || (last->kind == LOCALE_HOURS && last->time.minute < 0 && last->time.hour <= LONGEST);
}

static size_t times_end(const Locale *locale, const Words *words, size_t i, LocaleItem *item)
{
    LocaleItem first = { .kind = LOCALE_NONE }, last = { .kind = LOCALE_NONE };
    const RangeWords *range = &locale->times;
    const size_t from = i + (size_t)word_is(words, i, range->from);
    const size_t middle = locale->time_end(words, from, &first);
    if (middle == from || !joins(range, words, middle)) return i;
    const size_t end = locale->time_end(words, middle + 1, &last);
    if (end == middle + 1 || may_be_durations(&last, words, end)) return i;
    *item = (LocaleItem){ .kind = LOCALE_TIMES, .time = first.time, .until = last.time,
                          .has_prefix = from > i,
                          .has_dash = from == i && word_is_one_of(words, middle, dashes) };
    return end;
}

/* The time that a text is, all of it; returns whether it is one. */
static int is_time(const Locale *locale, const char *text, size_t length, LocaleItem *item)
{
    Words words = { 0 };
    *item = (LocaleItem){ .kind = LOCALE_NONE };
    words_split(text, length, 1, &words);
    const int is_whole = words.count && locale->time_end(&words, 0, item) == words.count;
    words_free(&words);
    return is_whole;
}

/* Behind the words from i on that no blank and no final mark parts; i: they are too many for a range. */
static size_t tight_end(const Words *words, size_t i)
{
    enum { MOST_WORDS = 16 };
    static const char *const marks[] = { ".", ",", ";", ":", "!", "?", ")", "]", "\"", "”", "»", "…", NULL };
    size_t end = i + 1;
    while (word_is_glued(words, end) && !word_is_one_of(words, end, marks))
        if (++end > i + MOST_WORDS) return i;
    return end;
}

/* Whether two times of digits and colons are no score or verse (John 3:16-4:10): of whole five minutes,
 * from the morning on or not behind a word with a capital. */
static int are_hours(const Words *words, size_t i, const LocaleItem *first, const LocaleItem *last)
{
    enum { FIVE = 5, MORNING = 6 };
    const int is_named = i && word_shape_at(words, i - 1) > SHAPE_SMALL;
    if (first->time.minute % FIVE || last->time.minute % FIVE) return 0;
    return first->time.hour >= MORNING || !is_named;
}

/* A range without blanks, which may be one word: 9am-5pm. */
static size_t tight_times_end(const Locale *locale, const Words *words, size_t i, LocaleItem *item)
{
    const PlainWord word = words_plain(words, i);
    if (!word.length || !ascii_is_digit(*word.text)) return i;
    const size_t end = tight_end(words, i);
    if (end == i) return i;
    Buf text = { 0 };
    LocaleItem first, last;
    for (size_t k = i; k < end; k++) {
        const PlainWord part = words_plain(words, k);
        buf_add(&text, part.text, part.length);
    }
    const char *dash = strchr(text.text, '-');
    const int has_letters = strpbrk(text.text, "aphAPH") != NULL;
    const int is_range = dash && is_time(locale, text.text, (size_t)(dash - text.text), &first)
                         && is_time(locale, dash + 1, strlen(dash + 1), &last)
                         && (has_letters || are_hours(words, i, &first, &last))
                         && !may_be_durations(&last, words, end);
    buf_free(&text);
    if (!is_range) return i;
    *item = (LocaleItem){ .kind = LOCALE_TIMES, .time = first.time, .until = last.time, .has_dash = 1 };
    return end;
}

static size_t weekdays_end(const Locale *locale, const Words *words, size_t i, LocaleItem *item)
{
    const RangeWords *range = &locale->days;
    const size_t from = i + (size_t)word_is(words, i, range->from), end = from + 3;
    const int first = locale_listed(words, from, locale->weekdays);
    const int last = locale_listed(words, from + 2, locale->weekdays);
    if (!first || !last || !joins(range, words, from + 1) || locale_day(words, end)) return i;
    *item = (LocaleItem){ .kind = LOCALE_WEEKDAYS, .date.weekday = first, .last_weekday = last,
                          .has_prefix = from > i,
                          .has_dash = from == i && word_is_one_of(words, from + 1, dashes) };
    return end;
}

size_t range_end(const Locale *locale, const Words *words, size_t i, LocaleItem *item)
{
    size_t end = times_end(locale, words, i, item);
    if (end == i) end = tight_times_end(locale, words, i, item);
    if (end == i) end = weekdays_end(locale, words, i, item);
    if (end > i && !i && item->has_prefix && !word_is_end(words, end)) item->behind = ",";
    return end;
}

/* Appends what is between the ends of a range, or before them. */
static void write_between(const RangeWords *range, const LocaleItem *item, Buf *out)
{
    if (item->has_dash) buf_puts(out, "-");
    else buf_printf(out, " %s ", range->to[0]);
}

static void write_before(const RangeWords *range, const LocaleItem *item, Buf *out)
{
    if (!item->has_dash && (item->has_prefix || range->needs_from)) buf_printf(out, "%s ", range->from);
}

void range_write(const Locale *locale, const LocaleItem *item, Buf *out)
{
    const int has_times = item->kind == LOCALE_TIMES;
    const RangeWords *range = has_times ? &locale->times : &locale->days;
    write_before(range, item, out);
    if (has_times) locale->write_time(item->time, out);
    else buf_puts(out, locale->weekdays[item->date.weekday - 1]);
    write_between(range, item, out);
    if (has_times) locale->write_time(item->until, out);
    else buf_puts(out, locale->weekdays[item->last_weekday - 1]);
}
