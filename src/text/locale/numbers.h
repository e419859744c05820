/* numbers.h - numbers as one language writes them and as another does: 1,299.99 and 1 299,99; €5 and 5 €.
 *
 * The digits stay as they are. A number is groups of three digits with the same mark between them, but for
 * fewer in the first; or digits without groups; and a fraction behind a point or comma. What looks
 * otherwise has another meaning and stays: 1.2.3, 10,20, 007,000.
 */
#ifndef ATTN_TEXT_LOCALE_NUMBERS_H
#define ATTN_TEXT_LOCALE_NUMBERS_H

#include "base/buf.h"
#include "text/locale/locale.h"

/* numbers_rewrite - appends a text of one language with all its numbers as the other writes them. If all of
 * it is an amount with a currency's sign, that stands where the other has it. */
void numbers_rewrite(const Locale *from, const Locale *into, const char *text, Buf *out);

/* numbers_has_groups - whether the text begins with a number that has groups. */
int numbers_has_groups(const Locale *locale, const char *text);

#endif
