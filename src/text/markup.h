/* markup.h - the tags of HTML and XML in a line, and the line without them.
 *
 * They are taken out before translation and put back by its alignment
 * (translate/tag_projection.h): "detag and project", Hanneman and Dinu 2020, "How Should Markup
 * Tags Be Translated?", section 3.
 *
 *     <b>really</b>  <a href="x">here</a>  <br/>  <!-- comments -->
 *
 * Characters that are written as entities (&eacute; &amp;) are themselves in the plain line.
 *
 * Left in the line: pairs of which a tag is inside a number, an address or a formula
 * (10:<b>30</b>, H<sub>2</sub>O), while one inside a word moves to its end (<b>l</b>'homme);
 * elements of code (<code>, <kbd>); <name>, which is no element of HTML and has no end. Nothing else
 * is markup: a line is plain text.
 */
#ifndef ATTN_TEXT_MARKUP_H
#define ATTN_TEXT_MARKUP_H

#include "base/buf.h"

/* Characters that HTML writes by their names or numbers: &amp; &eacute; &#39; &#x20AC; A set holds some of the signs & < >,
 * which mean something in HTML.
 *
 * entities_bare - the signs that a text (valid UTF-8) has as they are.
 * entities_decode - appends a text with characters in place of their names and numbers. Names that are not
 * known, numbers of control characters, and the signs of `kept` stay. Returns the signs that it appended.
 * entities_encode - appends a text with names in place of the signs of `set`. */
unsigned entities_bare(const char *text, size_t length);
unsigned entities_decode(const char *text, size_t length, unsigned kept, Buf *out);
void     entities_encode(const char *text, size_t length, unsigned set, Buf *out);

/* Borrowed from its line. */
typedef struct {
    const char *text;           /* (length) */
    size_t      length;
    size_t      at;             /* bytes of the plain line before it */
    int         to_partner;     /* how many tags behind it that with which it makes a pair is,
                                   negative: before it; 0: it stands alone */
    int         is_behind;      /* it belongs to what is before it: </b> */
    int         words;          /* words that the line has by this tag and the plain line lacks */
} Tag;

/* Zero-initialise; markup_free releases. */
typedef struct {
    Buf      text;              /* the plain line; U+000A where a block such as a paragraph ends */
    Tag     *tag;               /* (count) in the order of the line; pairs never cross */
    size_t   count;
    int      is_bare;           /* the line has tags, and shows nothing beside them */
    unsigned signs;             /* the set of those that it has as entities */
} Markup;

/* markup_take_out - sets *m to a line of valid UTF-8, which must outlive *m, without its tags.
 * markup_keep - sets *m to the line as it is. */
void markup_take_out(Markup *m, const char *line);
void markup_keep(Markup *m, const char *line);
void markup_free(Markup *m);

#endif
