/* language.h - what a file of a language tells the rest of the calendar. */
#ifndef ATTN_TEXT_CALENDAR_LANGUAGE_H
#define ATTN_TEXT_CALENDAR_LANGUAGE_H

#include "text/calendar/calendar.h"

/* What a preposition is together with the adverb's: de le, du. */
typedef struct { const char *word, *contraction; } Contraction;

/* A place in a line. */
typedef struct {
    const Words *words;
    size_t       i;
    SentenceCase line;
} CalendarPlace;

/* Lists end with NULL. */
struct Calendar {
    const char *const *months;          /* (12) */
    const char *const *weekdays;        /* (7) from Monday */
    const char        *adverb;
    const char *const *takes_date, *const *follows_date, *const *joins;
    const Contraction *contractions;
    const char *const *hours;           /* behind a number: o'clock */
    /* Behind a date or a time that begins at the place; the place: none does. */
    size_t (*date_end)(CalendarPlace place, CalendarItem *item);
    size_t (*time_end)(CalendarPlace place, CalendarItem *item);
    void   (*write_date)(const Date *date, Buf *out);
    void   (*write_time)(ClockTime time, Buf *out);
};

/* calendar_listed - the number of word i in a list, from 1; 0: it is another. */
int calendar_listed(const Words *words, size_t i, const char *const *list);

/* calendar_day, calendar_year - the number that word i writes, if it can be one; else 0. */
int calendar_day(const Words *words, size_t i);
int calendar_year(const Words *words, size_t i);

/* calendar_clock - the time that word i writes as 3:30, or 15h30 where `separators` have h; its hour
 * is -1: it writes none. */
ClockTime calendar_clock(const Words *words, size_t i, const char *separators);

#endif
