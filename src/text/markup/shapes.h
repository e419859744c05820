/* shapes.h - what may be a tag of formatting, by its characters and those around it. */
#ifndef ATTN_TEXT_MARKUP_SHAPES_H
#define ATTN_TEXT_MARKUP_SHAPES_H

#include "text/markup/markup.h"

#include <stddef.h>

/* What an element encloses: a paragraph or the like, where a sentence ends; words; code. Names that
 * HTML lacks: ELEMENT_XML. */
typedef enum { ELEMENT_XML, ELEMENT_BLOCK, ELEMENT_LINE, ELEMENT_CODE } ElementKind;

/* A shape and its partner have the same kind and name. Borrowed from the line. */
typedef struct {
    TagKind     kind;
    ElementKind element;            /* of TAG_ELEMENT */
    const char *at, *end;           /* in the line; of a guillemet with its blank */
    const char *name;               /* (name_length) b, **, or the mark that opens a quotation */
    size_t      name_length;
    size_t      begin, stop;        /* of an aside: at[begin .. stop) is what it encloses */
    int         opens, closes;      /* whether it may; neither: <br/> */
} TagShape;

/* tag_shape - sets *shape to the tag at `at` < `end` of a line of valid UTF-8; returns whether there
 * is one. tag_comment_end - behind the comment <!-- --> at `at`; NULL: there is none. */
int         tag_shape(TagShape *shape, const char *line, const char *at, const char *end);
const char *tag_comment_end(const char *at, const char *end);

#endif
