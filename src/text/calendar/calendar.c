/* calendar.c - what languages have in common. */
#include "text/calendar/calendar.h"

#include "text/ascii.h"
#include "text/calendar/language.h"
#include "text/word_match.h"

#include <string.h>

static const Calendar *const calendars[] = { &calendar_english, &calendar_french };
enum { CALENDARS = sizeof calendars / sizeof *calendars };

/* ---- Words ---- */

int calendar_listed(const Words *words, size_t i, const char *const *list)
{
    for (int k = 0; list[k]; k++)
        if (word_is_unaccented(words, i, list[k])) return k + 1;
    return 0;
}

int calendar_day(const Words *words, size_t i)
{
    const int day = word_number(words, i, 2);
    return day >= 1 && day <= 31 ? day : 0;
}

int calendar_year(const Words *words, size_t i)
{
    enum { FIRST = 1000, LAST = 2199 };
    const int year = word_number(words, i, 4);
    return year >= FIRST && year <= LAST ? year : 0;
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

ClockTime calendar_clock(const Words *words, size_t i, const char *separators)
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

int calendar_goes_on(const Words *words, size_t i)
{
    static const char *const joins[] = { "-", "–", ",", NULL };
    return word_is_one_of(words, i - 1, joins) && calendar_clock(words, i - 2, ":").hour >= 0;
}

int calendar_has_month(const Words *words, size_t i)
{
    for (int k = 0; k < CALENDARS; k++)
        if (calendar_listed(words, i, calendars[k]->months)) return 1;
    return 0;
}

int calendar_has_weekday(const Words *words, size_t i)
{
    for (int k = 0; k < CALENDARS; k++)
        if (calendar_listed(words, i, calendars[k]->weekdays)) return 1;
    return 0;
}

/* ---- Items ---- */

static int ends_in_stop(PlainWord word)
{
    return word.length && word.text[word.length - 1] == '.';
}

size_t calendar_end(const Calendar *calendar, const Words *words, size_t i, CalendarItem *item)
{
    *item = (CalendarItem){ .kind = CALENDAR_NONE };
    size_t end = calendar->date_end(words, i, item);
    if (end == i) {
        *item = (CalendarItem){ .kind = CALENDAR_NONE };
        end = calendar->time_end(words, i, item);
    }
    item->has_stop = end > i && end == words->count && ends_in_stop(words_plain(words, end - 1));
    return end;
}

void calendar_write(const Calendar *calendar, const CalendarItem *item, Buf *out)
{
    if (item->kind == CALENDAR_DATE) calendar->write_date(&item->date, out);
    else calendar->write_time(item->time, out);
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

const char *calendar_prefix(const Calendar *calendar)
{
    return calendar->prefix;
}

int calendar_may_be_bare(const Calendar *calendar)
{
    return calendar->subjects != NULL;
}

int calendar_is_subject(const Calendar *calendar, const char *word, size_t length)
{
    return is_listed(word, length, calendar->subjects);
}

int calendar_takes_date(const Calendar *calendar, const char *word, size_t length)
{
    return is_listed(word, length, calendar->takes_date);
}

int calendar_follows_date(const Calendar *calendar, const char *word, size_t length)
{
    return is_listed(word, length, calendar->follows_date);
}

int calendar_joins(const Calendar *calendar, const char *word, size_t length)
{
    return is_listed(word, length, calendar->joins);
}

const char *calendar_merged(const Calendar *calendar, const char *word, size_t length)
{
    for (const MergedPrefix *prefix = calendar->merged; prefix->word; prefix++)
        if (is_word(word, length, prefix->word)) return prefix->merged;
    return NULL;
}

int calendar_is_hour(const Calendar *calendar, const char *word, size_t length)
{
    return is_listed(word, length, calendar->hours);
}
