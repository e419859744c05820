/* spelled_numbers.h - numbers of two words or more that a hyphen joins, as digits: thirty-six, 36;
 * quatre-vingt-dix-huit, 98.
 *
 * A corpus of short sentences has next to none of them (25 among 167,130 pairs of the eng-fra corpus), and a network
 * that has not seen one loses its second half: "I'm seventy-seven years old." was "J'ai dix-sept ans." Digits
 * are copied. What is part of a larger number or of a time stays: twenty-five hundred, cent vingt-deux, seven
 * forty-five.
 */
#ifndef ATTN_TEXT_PREPARE_SPELLED_NUMBERS_H
#define ATTN_TEXT_PREPARE_SPELLED_NUMBERS_H

#include "text/locale/locale.h"
#include "text/words.h"

/* spelled_numbers_write - replaces those of a line, if the locale (or NULL) has words for numbers. */
void spelled_numbers_write(const Locale *locale, Words *words);

#endif
