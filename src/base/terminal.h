/* terminal.h - what is known of the terminal behind a stream: is there one, how wide, which colours. */
#ifndef ATTN_BASE_TERMINAL_H
#define ATTN_BASE_TERMINAL_H

#include <stdio.h>

typedef enum { COLOURS_NONE, COLOURS_256, COLOURS_TRUE } Colours;

int     terminal_is(FILE *stream);
int     terminal_columns(FILE *stream);     /* 80 where nobody says otherwise */

/* terminal_colours - none where the stream is no terminal, where NO_COLOR is set (https://no-color.org), or where
 * TERM and COLORTERM promise fewer than 256. */
Colours terminal_colours(FILE *stream);

#endif
