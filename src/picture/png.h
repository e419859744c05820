/* png.h - a canvas of pixels: cairo draws, pango finds a face for every script.
 *
 * Both libraries are loaded when the first picture is drawn: linked to the program, the forty
 * libraries that they bring would add 4 ms to each start, which takes 7. So they are needed for
 * compiling (headers) and for pictures, and a machine without them translates as well as any other.
 * Sole user of cairo and pango.
 */
#ifndef ATTN_PICTURE_PNG_H
#define ATTN_PICTURE_PNG_H

#include "base/error.h"
#include "picture/canvas.h"

#include <stdio.h>

enum { PNG_TALLEST = 8000 };        /* pixels of a drawing: some 200 MB while it is written, at the
                                       usual width */

typedef struct Png Png;

/* png_new - NULL with a message where the libraries are missing. */
Png    *png_new(Err *e);
Canvas *png_canvas(Png *png);

/* png_write - writes the drawing, twice as large as it was drawn, for it to be sharp on any screen.
 * Errors of the stream itself are the caller's to find. */
int     png_write(Png *png, Size size, FILE *out, Err *e);
void    png_free(Png *png);         /* NULL is allowed */

#endif
