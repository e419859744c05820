/* wholes.h - words of a chunk that are copied together (text/copies.h), whether the network knows them or
 * not:
 *
 *   addresses of houses and couples    12 Baker Street (streets.h)  Mr. and Mrs. White (titles.h)
 *   names of several words             Stephen King (full_names.h)  Louis XIV (numbered_names.h)
 *   code between backquotes            `make install`
 *   what is quoted, paths of menus     "Save as"  Settings > Privacy (quotations.h)
 *   sizes, rates, durations, numbers   4 m x 5 m  120 km/h  2 h 15 min  n° 4521  p. 12
 */
#ifndef ATTN_TEXT_PREPARE_WHOLES_H
#define ATTN_TEXT_PREPARE_WHOLES_H

#include "text/prepare/line_words.h"

/* whole_end - behind what begins at word i of a line; i: nothing does. */
size_t whole_end(const LineWords *line, size_t i);

#endif
