/* plain_line.h - a line without some of its tags. */
#ifndef ATTN_TEXT_MARKUP_PLAIN_LINE_H
#define ATTN_TEXT_MARKUP_PLAIN_LINE_H

#include "text/markup/shapes.h"

/* A tag in a line. partner: the number of the other one of its pair, or one of these: it stands
 * alone; it is left in the line. */
enum { TAG_ALONE = -1, TAG_STAYS = -2 };
typedef struct { TagShape shape; int partner; } FoundTag;

/* plain_line - sets *m to a line without its tags, of which `found` (count) are in their order. */
void plain_line(Markup *m, const char *line, const FoundTag *found, size_t count);

#endif
