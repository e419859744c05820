/* shapes.h - what may be a tag of formatting, by its characters and those around it. */
#ifndef ATTN_TEXT_MARKUP_SHAPES_H
#define ATTN_TEXT_MARKUP_SHAPES_H

#include <stddef.h>

typedef enum { TAG_ELEMENT, TAG_EMPHASIS, TAG_QUOTE } TagKind;

/* A shape and its partner have the same kind and name. Borrowed from the line. */
typedef struct {
    TagKind     kind;
    const char *at, *end;           /* in the line; of a guillemet with its blank */
    const char *name;               /* (name_length) b, **, or the mark that opens a quotation */
    size_t      name_length;
    int         opens, closes;      /* whether it may; neither: <br/> */
} TagShape;

/* tag_shape - sets *shape to the tag at `at` < `end` of a line of valid UTF-8; returns whether there
 * is one. */
int tag_shape(TagShape *shape, const char *line, const char *at, const char *end);

#endif
