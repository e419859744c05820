/* elements.h - the tags of HTML and XML, by their characters. */
#ifndef ATTN_TEXT_MARKUP_ELEMENTS_H
#define ATTN_TEXT_MARKUP_ELEMENTS_H

#include <stddef.h>

/* What an element encloses: a paragraph or the like, where a sentence ends; words; code. Names that
 * HTML lacks, and comments: ELEMENT_XML. */
typedef enum { ELEMENT_XML, ELEMENT_BLOCK, ELEMENT_LINE, ELEMENT_CODE } ElementKind;

/* A tag, borrowed from its line. It and its partner have the same name; a comment has none. */
typedef struct {
    ElementKind kind;
    const char *at, *end;
    const char *name;               /* (name_length) */
    size_t      name_length;
    int         opens, closes;      /* neither: <br/> and comments */
} Element;

/* element_at - sets *element to the tag or comment at `at` < `end`; returns whether there is one: <b>
 * </b> <br/> <a href="x"> <!-- a -->, but not a < b, <3 and <x and y>. */
int element_at(Element *element, const char *at, const char *end);

#endif
