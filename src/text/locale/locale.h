/* locale.h - dates, times of day, ranges of them, and numbers, as one language writes them and as another
 * does.
 *
 *     on July 4th, 1976     le 4 juillet 1976        3:30 p.m.   15 h 30        44th   44e
 *     Monday to Friday      du lundi au vendredi     9am-5pm     9 h-17 h       the 1990s  les années 1990
 *
 * A corpus of sentences has each of them once, if at all, and the network makes another month or
 * hour of them. So a date of the source is one copy (text/copies.h), which the translation has in
 * the way of its own language. So is a time, before the language's word for an hour, which says to
 * the network what it is: "It's 3:30." is "It's <number> o'clock.", then "Il est <number> heures.",
 * and the hour's word is left out again. Of an ordinal the network reads the number, in English
 * with its ending, or the word, where it knows that: third.
 *
 * One file has a language: english.c, french.c.
 */
#ifndef ATTN_TEXT_LOCALE_LOCALE_H
#define ATTN_TEXT_LOCALE_LOCALE_H

#include "base/buf.h"
#include "text/words.h"

typedef struct Locale Locale;

extern const Locale locale_english, locale_french;

typedef struct {
    int day;                    /* from 1 */
    int month;                  /* from 1; 0: none is said: on the 22nd */
    int year;                   /* 0: none is said */
    int weekday;                /* from 1, Monday; 0: none is said */
} Date;

typedef struct {
    int hour;                   /* 0..24 */
    int minute;                 /* -1: none is said */
} ClockTime;

enum { ORDINAL_DIGITS = 4 };    /* at most */

typedef enum {
    LOCALE_NONE,
    LOCALE_DATE,
    LOCALE_TIME,
    LOCALE_HOURS,                /* a number of hours, which the network reads and writes with its word: 8
                                   heures, for 8 h */
    LOCALE_ORDINAL,
    LOCALE_TIMES,                /* from 9 am to 5 pm (ranges.h) */
    LOCALE_WEEKDAYS,             /* from Monday to Friday */
    LOCALE_DECADE,               /* 1990s, années 80 */
    LOCALE_NUMBER                /* an amount (numbers.h), of which a copy has the text: 1,299.99; 2.5 kg */
} LocaleKind;

/* One of them in a line. The strings are static. */
typedef struct {
    LocaleKind   kind;
    Date         date;
    ClockTime    time;
    ClockTime    until;         /* of a range */
    int          last_weekday;
    int          has_dash;      /* a range without words: 9am-5pm */
    int          ordinal;       /* from 1 */
    int          decade;        /* 1990, 80 */
    const char  *word;          /* an ordinal's, which the network may read instead of it; or NULL */
    int          has_prefix;    /* a date that has its preposition or article: on July 4, le 4 juillet; a
                                   range that has from */
    const char  *before;        /* what the network reads before the copy: de, for du 4 juillet; or NULL */
    const char  *behind;        /* what it reads behind it: o'clock, an ordinal's ending, or a comma where a
                                   sentence goes on behind the date that begins it: On July 4 we left;
                                   or NULL */
    int          has_stop;      /* the full stop that ends the sentence is in it: at 6 p.m. */
} LocaleItem;

/* locale_item_end - behind the date, time, ordinal or range that begins at word i of a line; i: none
 * does. */
size_t locale_item_end(const Locale *locale, const Words *words, size_t i, LocaleItem *item);

/* locale_is_adverb - whether the network reads it as a word of its own, and not as a number: a date, a
 * range. */
static inline int locale_is_adverb(const LocaleItem *item)
{
    return item->kind == LOCALE_DATE || item->kind == LOCALE_TIMES || item->kind == LOCALE_WEEKDAYS;
}

/* locale_write_item - appends one in a language, without preposition and article: July 4, 1976; 15 h 30;
 * 44th. */
void locale_write_item(const Locale *locale, const LocaleItem *item, Buf *out);

/* What a translation has around one. All words are in small letters.
 *
 * locale_prefix - the preposition or article of a date: on, le.
 * locale_may_be_bare - whether a date may do without, as in English: Monday, July 4, is a holiday.
 * locale_is_subject - whether a word behind the date that begins a sentence is its subject, or a
 * comma: On July 4 we left. Only asked where dates may be bare.
 * locale_takes_date - whether a date behind this word has none: since, ce.
 * locale_follows_date - whether a date before this word has none: July 4's party.
 * locale_joins - whether a date behind this word is as the one before it: July 4 and July 8.
 * locale_merged - what this word is together with the prefix: du, for de le; NULL: it stays.
 * locale_is_hour - whether a word behind a number says that it is a time: o'clock.
 * locale_is_ending - whether letters written on to a number make it an ordinal: th. */
const char *locale_prefix(const Locale *locale);
int         locale_may_be_bare(const Locale *locale);
int         locale_is_subject(const Locale *locale, const char *word, size_t length);
int         locale_takes_date(const Locale *locale, const char *word, size_t length);
int         locale_follows_date(const Locale *locale, const char *word, size_t length);
int         locale_joins(const Locale *locale, const char *word, size_t length);
const char *locale_merged(const Locale *locale, const char *word, size_t length);
int         locale_is_hour(const Locale *locale, const char *word, size_t length);
int         locale_is_ending(const Locale *locale, const char *word, size_t length);

/* locale_before_vowel - what a word in small letters is before this name: d' for de before Ophélie, an for
 * a before Opel; NULL: it stays. Names with other characters than letters in their first word are none
 * (U2, a.txt), nor is a single letter. */
const char *locale_before_vowel(const Locale *locale, const char *word, size_t length,
                                const char *name);

/* locale_before_decade - what a word is before a decade: des for de; NULL: it stays.
 * locale_decade_article - the article of a decade behind this word, if it stays; NULL: none. */
const char *locale_before_decade(const Locale *locale, const char *word, size_t length);
const char *locale_decade_article(const Locale *locale, const char *word, size_t length);

/* locale_has_month, locale_has_weekday - whether word i is one in any of the languages. */
int locale_has_month(const Words *words, size_t i);
int locale_has_weekday(const Words *words, size_t i);

#endif
