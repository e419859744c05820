/* wrapping.h - lines that were broken where they reached the width of a text, and go on in the next line. */
#ifndef ATTN_TEXT_SENTENCES_WRAPPING_H
#define ATTN_TEXT_SENTENCES_WRAPPING_H

#include <stddef.h>

/* wrapping_width - the characters of a line of valid UTF-8.
 *
 * wrapping_goes_on - whether a line goes on in the next one, in a text whose widest line has `width`
 * characters: the first word of that one had no room in it. So a heading, a line of a poem or a signature
 * doesn't go on, nor does any line of a text of narrow ones, nor one before an item of a list or a row of a
 * table. Both lines have a NUL at their ends. */
size_t wrapping_width(const char *line);
int    wrapping_goes_on(const char *line, const char *next, size_t width);

#endif
