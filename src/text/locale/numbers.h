/* numbers.h - numbers as one language writes them and as another does: 1,299.99 and 1 299,99; €5 and 5 €;
 * $2.5 million and 2,5 millions de dollars; US$5 and 5 US$.
 *
 * The digits stay as they are. A number is groups of three digits with the same mark between them, but for
 * fewer in the first; or digits without groups; and a fraction behind a point or comma. What looks
 * otherwise has another meaning and stays: 1.2.3, 10,20, 007,000. A point before three digits is that of a
 * group in French if these are zeros, or others follow: 100.000, 1.234.567, but 3.142.
 */
#ifndef ATTN_TEXT_LOCALE_NUMBERS_H
#define ATTN_TEXT_LOCALE_NUMBERS_H

#include "base/buf.h"
#include "text/locale/locale.h"

/* numbers_rewrite - appends a text of one language with all its numbers as the other writes them. If all of
 * it is an amount with a currency's sign, that stands where the other has it. */
void numbers_rewrite(const Locale *from, const Locale *into, const char *text, Buf *out);

/* numbers_scaled_money_end - behind the amount with a word for a power of ten and the sign of a currency that
 * begins at word i: €2.5bn, $3 million, 50 M€; i: none does. */
size_t numbers_scaled_money_end(const Locale *locale, const Words *words, size_t i);

/* numbers_is_dollar_prefix - whether at..end are letters that stand before a dollar's sign: US$5. */
int numbers_is_dollar_prefix(const char *at, const char *end);

/* numbers_has_groups - whether a word begins with a number that has groups.
 * numbers_may_be_age - whether the word before word i of a line may make a number there an age: he has 5.
 * numbers_is_named - whether words before word i of a line say that the number there is the name of something, or
 * that it is a time with a point: versions 2.0 and 2.1; the code is 123 456; from 9.30 to 17.00. */
int numbers_has_groups(const Locale *locale, PlainWord word);
int numbers_may_be_age(const Locale *locale, const Words *words, size_t i);
int numbers_is_named(const Locale *locale, const Words *words, size_t i);

#endif
