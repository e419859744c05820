/* terminal.h - what is known of the terminal behind a stream: is there one, how wide, which
 * colours. */
#ifndef ATTN_BASE_TERMINAL_H
#define ATTN_BASE_TERMINAL_H

#include <stdio.h>

typedef enum { COLOURS_NONE, COLOURS_256, COLOURS_TRUE } Colours;

int     terminal_is(FILE *stream);
int     terminal_columns(FILE *stream);     /* 80 if unknown */

/* What a user asks for, and its words: auto, always, never. */
typedef enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourWish;
extern const char *const colour_words[];

/* terminal_colours - as COLORTERM promises them, or 256. With COLOUR_AUTO none where the stream is
 * no terminal, where NO_COLOR is set (https://no-color.org), or where fewer are promised. */
Colours terminal_colours(FILE *stream, ColourWish wish);

#endif
