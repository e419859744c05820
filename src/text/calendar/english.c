/* english.c - July 4, 1976; the 4th of July; 4 July. 3:30; 3:30 p.m.; 6 pm. */
#include "text/calendar/language.h"

#include "text/word_match.h"

static const char *const months[] = {
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December", NULL
};
static const char *const weekdays[] = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", NULL
};

/* ---- Dates ---- */

/* Behind the ending of a day, which is a word that is glued to it: 4 th. */
static size_t ending_end(const Words *words, size_t i)
{
    static const char *const endings[] = { "st", "nd", "rd", "th", NULL };
    return i + (size_t)(word_is_glued(words, i) && word_is_one_of(words, i, endings));
}

/* The month that word i is: December, Dec. Small letters are a verb's: may, march. */
static int month_at(const Words *words, size_t i)
{
    static const char *const cut[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
                                       "Oct", "Nov", "Dec", "Sept", NULL };
    enum { MARCH = 3, MAY = 5, SEPTEMBER = 9, SEPT = 13 };
    const int month = calendar_listed(words, i, months), short_one = calendar_listed(words, i, cut);
    const int found = month ? month : short_one == SEPT ? SEPTEMBER : short_one;
    const int is_small = word_shape_at(words, i) == SHAPE_SMALL;
    return is_small && (!month || found == MARCH || found == MAY) ? 0 : found;
}

/* Behind the month at word i, perhaps with a full stop, and the day behind it. */
static size_t month_day_end(const Words *words, size_t i, Date *date)
{
    const size_t day = i + 1 + (size_t)(word_is_glued(words, i + 1) && word_is(words, i + 1, "."));
    date->month = month_at(words, i);
    date->day = calendar_day(words, day);
    return date->month && date->day ? ending_end(words, day + 1) : i;
}

/* Behind the day at word i and the month behind it: 4 July, 4th July, the 4th of July. */
static size_t day_month_end(const Words *words, size_t i, Date *date)
{
    const int has_article = word_is(words, i, "the");
    const size_t day = i + (size_t)has_article, behind = ending_end(words, day + 1);
    const int has_ending = behind > day + 1;
    const size_t month = behind + (size_t)(has_ending && word_is(words, behind, "of"));
    date->day = calendar_day(words, day);
    date->month = month_at(words, month);
    return date->day && date->month && (has_ending || !has_article) ? month + 1 : i;
}

/* Behind the year at word i, perhaps with a comma before it. */
static size_t year_end(const Words *words, size_t i, Date *date)
{
    const size_t year = i + (size_t)word_is(words, i, ",");
    date->year = calendar_year(words, year);
    return date->year ? year + 1 : i;
}

/* Behind the weekday at word i and its comma, if there is one. */
static size_t weekday_end(const Words *words, size_t i, Date *date)
{
    date->weekday = calendar_listed(words, i, weekdays);
    if (!date->weekday) return i;
    return i + 1 + (size_t)word_is(words, i + 1, ",");
}

/* A month behind "in" has its number elsewhere: in May 5 of us left. */
static size_t date_end(CalendarPlace place, CalendarItem *item)
{
    const Words *words = place.words;
    Date *date = &item->date;
    const size_t i = place.i, from = i + (size_t)word_is(words, i, "on");
    const size_t core = weekday_end(words, from, date);
    if (word_is(words, i - 1, "in")) return i;
    size_t end = month_day_end(words, core, date);
    const int has_month_first = end > core;
    if (!has_month_first) end = day_month_end(words, core, date);
    if (end == core) return i;
    const size_t year = year_end(words, end, date);
    item->kind = CALENDAR_DATE;
    item->is_adverb = from > i;
    return year;
}

static void write_date(const Date *date, Buf *out)
{
    if (date->weekday) buf_printf(out, "%s, ", weekdays[date->weekday - 1]);
    buf_printf(out, "%s %d", months[date->month - 1], date->day);
    if (date->year) buf_printf(out, ", %d", date->year);
}

/* ---- Times ---- */

enum { NOON = 12, MIDNIGHT = 24 };

/* Which half of the day word i says; 0: it says none. */
static int half_at(const Words *words, size_t i)
{
    static const char *const morning[] = { "am", "a.m.", "a.m", NULL };
    static const char *const afternoon[] = { "pm", "p.m.", "p.m", NULL };
    return word_is_one_of(words, i, morning) ? 1 : word_is_one_of(words, i, afternoon) ? 2 : 0;
}

static int hour_of_day(int hour, int half)
{
    return half ? hour % NOON + (half - 1) * NOON : hour;
}

/* Whether the word before a time is a name, which a time is no part of: John 3:16. */
static int follows_name(const Words *words, size_t i)
{
    return i > 1 && word_shape_at(words, i - 1) > SHAPE_CAPITAL
           && !calendar_listed(words, i - 1, weekdays);
}

static size_t time_end(CalendarPlace place, CalendarItem *item)
{
    const Words *words = place.words;
    const size_t i = place.i;
    const int half = half_at(words, i + 1), hour = word_number(words, i, 2);
    ClockTime time = calendar_clock(words, i, ":");
    if (time.hour < 0 && half && hour >= 1 && hour <= NOON) time.hour = hour;
    if (time.hour < 0 || (!half && follows_name(words, i))) return i;
    time.hour = hour_of_day(time.hour, half);
    const size_t behind = i + 1 + (size_t)(half != 0);
    const size_t end = behind + (size_t)word_is(words, behind, "o'clock");
    *item = (CalendarItem){ .kind = CALENDAR_TIME, .time = time, .behind = "o'clock" };
    return end;
}

static void write_time(ClockTime time, Buf *out)
{
    const int hour = time.hour % MIDNIGHT, is_short = time.minute < 0;
    buf_printf(out, "%d", hour % NOON ? hour % NOON : NOON);
    if (!is_short) buf_printf(out, ":%02d", time.minute);
    if (hour > NOON || (hour == NOON && is_short)) buf_puts(out, " p.m.");
    else if (!hour || is_short) buf_puts(out, " a.m.");
}

/* ---- Around them ---- */

const Calendar calendar_english = {
    .months = months, .weekdays = weekdays, .adverb = "on",
    .takes_date = (const char *const[]){
        "on", "since", "until", "till", "before", "after", "from", "to", "by", "for", "of", "the",
        "this", "between", "through", "is", "was", "'s", "are", NULL
    },
    .follows_date = (const char *const[]){ "'s", "is", "was", "will", NULL },
    .joins = (const char *const[]){ "and", "or", NULL },
    .contractions = (const Contraction[]){ { "in", "on" }, { "at", "on" }, { NULL, NULL } },
    .hours = (const char *const[]){ "o'clock", NULL },
    .date_end = date_end, .time_end = time_end, .write_date = write_date, .write_time = write_time
};
