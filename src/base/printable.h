/* printable.h - text from a file, made safe to show.
 *
 * A file may come from anywhere, and a terminal obeys the control characters in it: they
 * could rename the window, hide a line or forge one.
 */
#ifndef ATTN_BASE_PRINTABLE_H
#define ATTN_BASE_PRINTABLE_H

#include <stdarg.h>
#include <stdio.h>

/* make_printable - replaces each control character (U+0001-001F, U+007F-009F, as UTF-8) by '?',
 * line ends and tabs among them. Bytes that are no UTF-8 stay. */
void make_printable(char *text);

/* printable_line - prints what is formatted, made printable, and a line end. */
void printable_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void printable_vline(FILE *out, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#endif
