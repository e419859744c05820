/* language.h - what a file of a language tells locale.c. */
#ifndef ATTN_TEXT_LOCALE_LANGUAGE_H
#define ATTN_TEXT_LOCALE_LANGUAGE_H

#include "text/locale/locale.h"

enum { NOON = 12, MIDNIGHT = 24 };

/* What a word is together with the prefix of a date: de le, du; in place of one that no date has: en,
 * le. */
typedef struct { const char *word, *merged; } MergedPrefix;

/* What a word is before a name that begins with a vowel (d', for de), or before a decade (des). */
typedef struct { const char *word, *form; } WordForm;

/* What is before and between the ends of a range: from and to. to[0] is written. needs_from: where it is
 * said in words, it has both. */
typedef struct {
    const char        *from;
    const char *const *to;
    int                needs_from;
} RangeWords;

/* The marks that may part groups of three digits, of which the first is written; that of a fraction; and
 * whether the sign of a currency stands before an amount, not behind it and a blank. */
typedef struct { const char *groups; char point; int sign_first; } NumberMarks;

/* The words for a million, 10^9 and 10^12 behind an amount, of which the first two are written, where it is
 * less than two and where not, and the letter for a thousand; and the sign of a currency in words behind such a
 * word: de dollars. */
enum { FACTORS = 4 };
typedef struct { const char *one, *many, *const *others; } Factor;
typedef struct { const char *sign, *words; } Currency;

/* Words that say of a number behind them that it is the name of something (version 2.0); words that may stand
 * between, or between two such numbers (is; and); those before a time with a point (at 10.30); and those that
 * may make a number an age (he has 5). */
typedef struct { const char *const *labels, *const *between, *const *joins, *const *clock, *const *ages; } NumberWords;

/* Words for numbers (text/prepare/spelled_numbers.h), the list of which ends with { NULL, 0 }; whether sixty and
 * eighty have up to nineteen more, and eighty is four times twenty; the word between tens and one, or NULL;
 * that between a larger number and the rest (two hundred and six), or NULL; and those behind and before a number
 * that make it part of a larger one, or of a time. */
typedef struct { const char *word; int value; } SpelledNumber;
typedef struct {
    const SpelledNumber *words;
    int                  by_twenties;
    const char          *and, *joint, *const *larger, *const *before;
} SpelledNumbers;

/* Lists end with NULL. */
struct Locale {
    const char *const *months;          /* (12) */
    const char *const *weekdays;        /* (7) from Monday */
    RangeWords         times, days;
    NumberMarks        numbers;
    NumberWords        number_words;
    SpelledNumbers     spelled;
    Factor             factors[FACTORS];
    const Currency    *currencies;      /* ends with { NULL, NULL } */
    const char        *prefix;
    const char *const *subjects;        /* NULL: a date is never bare */
    const char *const *takes_date, *const *follows_date, *const *joins;
    const MergedPrefix *merged;         /* ends with { NULL, NULL } */
    const char        *vowels;          /* that names begin with; NULL: no word has such a form */
    const char *const *glides;          /* beginnings that are no vowels to the ear: eu, of Europe */
    const WordForm    *vowel_forms;     /* ends with { NULL, NULL } */
    const char        *decade_article;  /* les, the; behind these words there is none: */
    const char *const *decade_articles;
    const WordForm    *decade_forms;    /* ends with { NULL, NULL }; they have the article */
    const char *const *hours;           /* behind a number: o'clock */
    const char *const *endings;         /* of ordinals: th */
    /* Behind a date, a time or an ordinal that begins at word i; i: none does. */
    size_t (*date_end)(const Words *words, size_t i, LocaleItem *item);
    size_t (*time_end)(const Words *words, size_t i, LocaleItem *item);
    size_t (*ordinal_end)(const Words *words, size_t i, LocaleItem *item);
    size_t (*decade_end)(const Words *words, size_t i, LocaleItem *item);
    void   (*write_date)(const Date *date, Buf *out);
    void   (*write_time)(ClockTime time, Buf *out);
    void   (*write_ordinal)(int number, Buf *out);
    void   (*write_decade)(int decade, Buf *out);
};

/* locale_listed - the number of word i in a list, from 1, whatever its case and accents; 0: it is
 * another. */
int locale_listed(const Words *words, size_t i, const char *const *list);

/* locale_day, locale_year - the number that word i writes, if it can be one; else 0. */
int locale_day(const Words *words, size_t i);
int locale_year(const Words *words, size_t i);

/* locale_decade - the decade that word i writes without an ending: 1990, 90; else 0. */
int locale_decade(const Words *words, size_t i);

/* locale_clock - the time that word i writes as 3:30, or 15h30 where `separators` have h; its hour
 * is -1: it writes none. */
ClockTime locale_clock(const Words *words, size_t i, const char *separators);

/* locale_goes_on - whether word i stands behind 3:30 and a dash or comma: 3:30 - 5:00. */
int locale_goes_on(const Words *words, size_t i);

#endif
