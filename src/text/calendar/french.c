/* french.c - le 4 juillet 1976; lundi 1er mars. 15 h 30; 15h30; 15:30; 18 h; 18 heures. */
#include "text/calendar/language.h"

#include "text/word_match.h"

static const char *const months[] = {
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
    "octobre", "novembre", "décembre", NULL
};
static const char *const weekdays[] = {
    "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", NULL
};

/* ---- Dates ---- */

/* Behind the day at word i: 4, 1er, which is two words; i: there is none. */
static size_t day_end(const Words *words, size_t i, Date *date)
{
    date->day = calendar_day(words, i);
    if (!date->day) return i;
    return i + 1 + (size_t)(word_is_glued(words, i + 1) && word_is(words, i + 1, "er"));
}

/* What the network reads for an article together with a preposition, which are one word; NULL: the
 * word is none. */
static const char *preposition_of(const Words *words, size_t i)
{
    return word_is(words, i, "du") ? "de" : word_is(words, i, "au") ? "à" : NULL;
}

static size_t date_end(CalendarPlace place, CalendarItem *item)
{
    const Words *words = place.words;
    Date *date = &item->date;
    const size_t i = place.i;
    item->before = preposition_of(words, i);
    item->is_adverb = item->before || word_is(words, i, "le");
    const size_t from = i + (size_t)item->is_adverb;
    date->weekday = calendar_listed(words, from, weekdays);
    const size_t day = from + (size_t)(date->weekday > 0), month = day_end(words, day, date);
    date->month = calendar_listed(words, month, months);
    if (month == day || !date->month) return i;
    date->year = calendar_year(words, month + 1);
    item->kind = CALENDAR_DATE;
    return month + 1 + (size_t)(date->year > 0);
}

static void write_date(const Date *date, Buf *out)
{
    if (date->weekday) buf_printf(out, "%s ", weekdays[date->weekday - 1]);
    buf_printf(out, "%d%s %s", date->day, date->day == 1 ? "er" : "", months[date->month - 1]);
    if (date->year) buf_printf(out, " %d", date->year);
}

/* ---- Times ---- */

enum { NOON = 12, MIDNIGHT = 24 };

static int hour_at(const Words *words, size_t i)
{
    const int hour = word_number(words, i, 2);
    return hour <= MIDNIGHT ? hour : -1;
}

/* The minutes that word i writes with two digits; -1: it is none. */
static int minute_at(const Words *words, size_t i)
{
    const int minute = word_number(words, i, 2);
    return words_plain(words, i).length == 2 && minute >= 0 && minute < 60 ? minute : -1;
}

/* Whether a number behind "heures" is what people say for minutes: il est 3 heures 30. Elsewhere it
 * counts something: en 3 heures 20 personnes. */
static int ends_time(const Words *words, size_t i)
{
    static const char *const of[] = { "du", "de", NULL };
    return word_is_end(words, i) || word_is_one_of(words, i, of);
}

/* Whether the words before word i say that a number of hours is a time: à 18 heures. */
static int says_time(const Words *words, size_t i)
{
    static const char *const before[] = { "à", "vers", "dès", "est", "avant", "après", NULL };
    return word_is_one_of(words, i - 1, before);
}

/* An hour with its sign or word: 18 h, 18h, 18 heures; with minutes: 18 h 30. Up to noon it is the same
 * number in all languages. */
static size_t hour_end(const Words *words, size_t i, CalendarItem *item)
{
    static const char *const hours[] = { "h", "heures", "heure", NULL };
    const int has_sign = word_is(words, i + 1, "h");
    int minute = minute_at(words, i + 2);
    item->time.hour = hour_at(words, i);
    if (item->time.hour < 0 || !word_is_one_of(words, i + 1, hours)) return i;
    if (!has_sign && !ends_time(words, i + 3)) minute = -1;
    const int is_time = minute >= 0 || (item->time.hour > NOON && says_time(words, i));
    if (!is_time && !has_sign) return i;
    item->kind = is_time ? CALENDAR_TIME : CALENDAR_HOURS;
    item->time.minute = minute;
    return minute < 0 ? i + 2 : i + 3;
}

static size_t time_end(CalendarPlace place, CalendarItem *item)
{
    const size_t i = place.i;
    item->behind = "heures";
    item->time = calendar_clock(place.words, i, ":hH");
    if (item->time.hour < 0) return hour_end(place.words, i, item);
    item->kind = CALENDAR_TIME;
    return i + 1;
}

static void write_time(ClockTime time, Buf *out)
{
    buf_printf(out, "%d h", time.hour);
    if (time.minute > 0) buf_printf(out, " %02d", time.minute);
}

/* ---- Around them ---- */

const Calendar calendar_french = {
    .months = months, .weekdays = weekdays, .adverb = "le",
    .takes_date = (const char *const[]){ "le", "au", "du", "ce", NULL },
    .follows_date = (const char *const[]){ NULL },
    .joins = (const char *const[]){ NULL },
    .contractions = (const Contraction[]){ { "à", "au" }, { "de", "du" }, { "en", "le" },
                                           { "sur", "le" }, { "dans", "le" }, { NULL, NULL } },
    .hours = (const char *const[]){ "heures", "heure", "h", NULL },
    .date_end = date_end, .time_end = time_end, .write_date = write_date, .write_time = write_time
};
