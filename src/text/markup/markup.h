/* markup.h - the tags of formatting and the asides in a line, and the line without them, for a
 * network that has seldom seen such marks and would translate the words around them wrongly.
 *
 * They are taken out before translation and put back by its alignment
 * (translate/tag_projection.h): "detag and project", Hanneman and Dinu 2020, "How Should Markup
 * Tags Be Translated?", section 3.
 *
 *     elements    <b>really</b>  <a href="x">here</a>  <br/>     of HTML and XML, and <!-- comments -->
 *     emphasis    *x*  **x**  ***x***  _x_  ~~x~~                around words, as in Markdown
 *                                                                (CommonMark 0.31, section 6.2)
 *     links       [here](x.html)  ![a cat](cat.png "Tom")        of Markdown (section 6.3)
 *     borders     | Name | Age |  Home • About us                between cells or items, each of which is a
 *                                                                line by itself; so are tabs, and ends of
 *                                                                lines inside a text of JSON
 *     quotes      her "friend", 'friend', son « ami »            around words of a sentence; not of
 *                                                                speech (sentences/parts.h) and of
 *                                                                names (quotation.h)
 *     asides      my wife (a doctor) is here                     inside a clause, in brackets or
 *                 my wife - a doctor - is here                   between dashes: one tag alone
 *                                                                (sentences/parts.h), with its tags
 *
 * Left in the line: emphasis and quotes without a partner; emphasis that training has seen often
 * (lexicon_is_rare); pairs of which a tag is inside a number, an address or a formula
 * (10:<b>30</b>, H<sub>2</sub>O), while one inside a word moves to its end (<b>l</b>'homme);
 * elements of code (<code>, <kbd>), and those that enclose it (<ref>x=1</ref>); <name>, which is no
 * element of HTML and has no end; code (`*x*`), addresses and the like
 * (text/verbatim/verbatim.h).
 */
#ifndef ATTN_TEXT_MARKUP_H
#define ATTN_TEXT_MARKUP_H

#include "base/buf.h"
#include "text/lexicon.h"

typedef enum { TAG_ELEMENT, TAG_EMPHASIS, TAG_LINK, TAG_QUOTE, TAG_ASIDE } TagKind;

typedef struct {
    TagKind     kind;
    const char *text;           /* (length) in Markup.line; of a guillemet with its blank */
    size_t      length;
    size_t      at;             /* bytes of the plain line before it */
    int         to_partner;     /* how many tags behind it that with which it makes a pair is,
                                   negative: before it; 0: it stands alone */
    int         is_behind;      /* it belongs to what is before it: </b> */
    size_t      begin, end;     /* text[begin .. end) is what an aside encloses; others: 0 */
    int         words;          /* words that the line has by this tag and the plain line lacks */
} Tag;

/* Zero-initialise; markup_free releases. */
typedef struct {
    char  *line;                /* the line, with characters in place of their names (entities.h), and
                                   single quotes as double ones (single_quotes.h) */
    Buf    text;                /* the plain line; U+000A where a block such as a paragraph ends */
    Tag   *tag;                 /* (count) in the order of the line; pairs never cross */
    size_t count;
    int    is_bare;             /* the line has elements, and shows nothing beside them */
} Markup;

/* markup_take_out - sets *m to a line of valid UTF-8 without its tags, which lives as long as *m.
 * lexicon: of its language; NULL: all tags stay. A line that shows nothing without its tags keeps
 * them. */
void markup_take_out(Markup *m, const Lexicon *lexicon, const char *line);
void markup_free(Markup *m);

#endif
