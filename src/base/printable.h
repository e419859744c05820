/* printable.h - text from a file, made safe to show.
 *
 * A file may come from anywhere, and a terminal obeys the control characters in it: they
 * could rename the window, hide a line or forge one. So do characters that turn the direction of a
 * line, and those that show nothing let two names look like one.
 */
#ifndef ATTN_BASE_PRINTABLE_H
#define ATTN_BASE_PRINTABLE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* unprintable - the bytes of the character at `at` if it is such a one: a control character, tabs
 * and line ends among them, or one of format that shows nothing, but no joiner. 0: it is another, or
 * no UTF-8. */
size_t unprintable(const char *at);

/* make_printable - replaces each of them by '?'. Bytes that are no UTF-8 stay. */
void make_printable(char *text);

/* printable_line - prints what is formatted, made printable, and a line end. */
void printable_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void printable_vline(FILE *out, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#endif
