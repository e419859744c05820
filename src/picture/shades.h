/* shades.h - a heat map as text, for a terminal: source across, target down, the darker or brighter
 * the more.
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
 * dark and on light.
 */
#ifndef ATTN_PICTURE_SHADES_H
#define ATTN_PICTURE_SHADES_H

#include "base/buf.h"
#include "base/system/terminal.h"
#include "picture/heatmap.h"

/* shades_add - appends the picture, at most `columns` wide; source pieces that don't fit are left
 * out and counted in a note at the end. */
void shades_add(const Heatmap *h, Colours colours, int columns, Buf *out);

#endif
