/* units.h - signs of units of measure. */
#ifndef ATTN_TEXT_PREPARE_UNITS_H
#define ATTN_TEXT_PREPARE_UNITS_H

#include "text/words.h"

/* unit_is - whether a word is the sign of a unit. unit_is_copied - whether it is the same in all
 * languages behind a number: not h, which a time of day has (2 h), nor t and W. */
int unit_is(PlainWord word);
int unit_is_copied(PlainWord word);

#endif
