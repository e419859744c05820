/* gallery.h - heat maps gathered into one file; the extension of its name is the format.
 *
 *     .svg .png    one below another
 *     .html        a page with each line, its translation and its heat maps; pointing shows values
 *     .txt         the same as text
 */
#ifndef ATTN_PICTURE_GALLERY_H
#define ATTN_PICTURE_GALLERY_H

#include "base/error.h"
#include "picture/heatmap.h"

#include <stddef.h>

enum { GALLERY_MOST = 1000 };       /* heat maps in a file: a page of some 20 MB */

typedef struct Gallery Gallery;

/* gallery_open - NULL with a message for an unknown ending, a file that can't be written, and a
 * .png without the libraries that draw it. The file appears only when the gallery is finished. */
Gallery *gallery_open(const char *path, Err *e);

/* gallery_add - draws the heat maps of one line of text (valid UTF-8). Heat maps beyond
 * GALLERY_MOST, or beyond the height of a PNG (PNG_TALLEST), are left out with all that
 * follow. */
void gallery_add(Gallery *g, const char *source, const char *translation, const Heatmap *list,
                 size_t count);

/* gallery_drawn - how many heat maps the file has; *offered: how many were added. */
long gallery_drawn(const Gallery *g, long *offered);

/* gallery_finish - writes and closes the file; 0, or -1 with a message. gallery_drop - leaves no
 * file. Both release it. */
int  gallery_finish(Gallery *g, Err *e);
void gallery_drop(Gallery *g);      /* NULL is allowed */

#endif
