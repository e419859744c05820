/* bar.h - a fraction as a bar of blocks in the terminal. */
#ifndef ATTN_BASE_BAR_H
#define ATTN_BASE_BAR_H

#include "base/buf.h"

/* bar_draw - appends the bar of a fraction (0 to 1; the rest is clamped) of `width` columns, drawn
 * to an eighth of a column: 0.7 of 5 is "███▌". Returns its columns. */
int bar_draw(double fraction, int width, Buf *out);

#endif
