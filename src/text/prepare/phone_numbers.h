/* phone_numbers.h - numbers that nothing is counted by: +33 6 12 34 56 78, 555-1234.
 *
 * They are copied as names are (text/copies.h): behind "Call me at" a number is an hour to the network.
 */
#ifndef ATTN_TEXT_PREPARE_PHONE_NUMBERS_H
#define ATTN_TEXT_PREPARE_PHONE_NUMBERS_H

#include "text/words.h"

/* phone_number_is - whether words [i, end), which are copied together, are one: at least seven digits in
 * groups, with blanks and hyphens between them. A date (2026-11-22) is none, nor, unless a + or a 0
 * begins it, what has groups of thousands (67 000 000) or is two numbers (1990-1995; 2019 25000). */
int phone_number_is(const Words *words, size_t i, size_t end);

#endif
