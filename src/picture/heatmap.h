/* heatmap.h - attention with its labels: the data of all its pictures, its drawing on a canvas, as
 * text for a terminal, and in files.
 *
 * The picture is that of Bahdanau, Cho and Bengio (2015), figure 3: source across, target down, a
 * cell darker the larger the attention of the target piece to the source piece. Pieces come in the
 * order of the text, in right-to-left scripts too. Independent of models and tokenizers.
 */
#ifndef ATTN_PICTURE_HEATMAP_H
#define ATTN_PICTURE_HEATMAP_H

#include "base/buf.h"
#include "base/error.h"
#include "base/system/environment.h"
#include "picture/canvas.h"

#include <stddef.h>

typedef struct {
    char        **source, **target;     /* labels, of heatmap_label: (source_count), (target_count);
                                           owned */
    int           source_count, target_count;
    const float  *weight;               /* (target_count, source_count) row-major, 0 to 1;
                                           borrowed */
} Heatmap;

/* heatmap_init - allocates the labels, all NULL. heatmap_free - releases them. */
void heatmap_init(Heatmap *h, int source_count, int target_count, const float *weight);
void heatmap_free(Heatmap *h);

/* heatmap_label - a piece as it is shown, for free(): with a dot before it where it continues a
 * word, and without what is unprintable (base/strings.h); ␣ for a piece of no text. */
char *heatmap_label(const char *text, int continues);

/* heatmap_cut - appends the label, or as much of it as fits into `room` columns with an
 * ellipsis. */
void heatmap_cut(const char *label, int room, Buf *out);

/* heatmap_draw - with its upper left corner at (0, top); returns what it takes, with margins. */
Size heatmap_draw(const Heatmap *h, Canvas *canvas, double top);

/* heatmap_as_text - appends the picture, at most `columns` wide; source pieces that don't fit are
 * left out and counted in a note at the end.
 *
 *           ╭ I
 *           │ ╭ am
 *           │ │ ╭ calm
 *           │ │ │ ╭ ·.
 *      Je  ██
 *    suis    ▓▓░░
 *   calme      ██
 *      ·.        ██
 *           0 ░▒▓█ 1  · = no blank before it
 *
 * Source pieces form a stair, so that they stay horizontal whatever their length and script. A dot
 * marks a piece that continues the word before it; the line of the scale says so where it has room.
 * With colours each cell has a background of its own, from the viridis scale, which reads well on
 * dark and on light. */
void heatmap_as_text(const Heatmap *h, Colours colours, int columns, Buf *out);

/* ---- A gallery: heat maps in one file; the extension of its name is the format ----
 *
 *     .svg .png    one below another
 *     .html        a page with each line, its translation and its heat maps; pointing shows values
 *     .txt         the same as text */

enum { GALLERY_MOST = 1000 };       /* heat maps in a file: a page of some 20 MB */

typedef struct Gallery Gallery;

/* gallery_open - NULL with a message for an unknown ending, a file that can't be written, and a
 * .png without the libraries that draw it. The file appears only when the gallery is finished. */
Gallery *gallery_open(const char *path, Err *e);

/* gallery_add - draws the heat maps of one line of text (valid UTF-8); screen readers get the line
 * and its translation. Heat maps beyond GALLERY_MOST, or beyond the height of a PNG (PNG_TALLEST),
 * are left out with all that follow. */
void gallery_add(Gallery *g, const char *source, const char *translation, const Heatmap *list,
                 size_t count);

/* gallery_drawn - how many heat maps the file has; *offered: how many were added. */
long gallery_drawn(const Gallery *g, long *offered);

/* gallery_finish - writes and closes the file; 0, or -1 with a message. gallery_drop - leaves no
 * file. Both release it. */
int  gallery_finish(Gallery *g, Err *e);
void gallery_drop(Gallery *g);      /* NULL is allowed */

#endif
