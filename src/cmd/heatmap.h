/* heatmap.h - attention as a picture in the terminal: source across, target down, the darker or brighter the more.
 *
 *           ╭ I
 *           │ ╭ am
 *           │ │ ╭ calm
 *           │ │ │ ╭ ·.
 *      Je  ██
 *    suis    ▓▓░░
 *   calme      ██
 *      ·.        ██
 *           0 ░▒▓█ 1
 *
 * Source pieces stand on a stair, so that they stay horizontal however long they are and whatever the script. A dot
 * marks a piece that continues the word before it. With colours each cell has a background of its own, from the
 * viridis scale, which reads well on dark and on light.
 */
#ifndef ATTN_CMD_HEATMAP_H
#define ATTN_CMD_HEATMAP_H

#include "base/buf.h"
#include "cmd/alignment.h"
#include "cmd/terminal.h"

/* heatmap_draw - appends the picture, at most `columns` wide; source pieces that don't fit are left out and counted
 * in a note at the end. */
void heatmap_draw(const Alignment *a, Colours colours, int columns, Buf *out);

#endif
