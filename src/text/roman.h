/* roman.h - numbers in Roman letters. */
#ifndef ATTN_TEXT_ROMAN_H
#define ATTN_TEXT_ROMAN_H

#include <stddef.h>

/* roman_number - the number, 1 to 3,999, that capital letters write as usual (XIV; not XIIII); 0: they
 * write none. */
int roman_number(const char *text, size_t length);

#endif
