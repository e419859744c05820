/* ranges.h - from one time or weekday to another: from 9 am to 5 pm, 9am-5pm; Monday to Friday.
 *
 * Such a range is one copy: of "de 9 h à 19 h, du lundi au samedi" the network had lost half.
 */
#ifndef ATTN_TEXT_LOCALE_RANGES_H
#define ATTN_TEXT_LOCALE_RANGES_H

#include "text/locale/locale.h"

/* range_end - behind the range that begins at word i of a line; i: none does. */
size_t range_end(const Locale *locale, const Words *words, size_t i, LocaleItem *item);

/* range_write - appends one in a language, with its prepositions where it had words and no dash. */
void range_write(const Locale *locale, const LocaleItem *item, Buf *out);

#endif
