/* shapes.c - elements of HTML and XML, emphasis and links of Markdown, quotation marks. */
#include "text/markup/shapes.h"

#include "text/ascii.h"
#include "text/sentences/scan.h"
#include "text/word_list.h"

#include <string.h>

/* ---- Elements ---- */

enum { MOST = 2000 };               /* bytes of an element or a comment */

static const char *name_end(const char *at, const char *end)
{
    while (at < end && *at && (ascii_is_alphanumeric(*at) || strchr("-_:.", *at)))
        at++;
    return at;
}

/* What an attribute without a value may be called; others are words between < and >. */
static int is_flag(const char *at, const char *end)
{
    static const char *const flags[] = { "selected", "checked", "disabled", "readonly", "required",
                                         "multiple", "hidden", "open", "autofocus", "controls",
                                         "async", "defer", NULL };
    return word_list_has(flags, at, end);
}

/* Behind the value at `at`: in quotes, or without blanks. NULL: there is none. */
static const char *value_end(const char *at, const char *end)
{
    const char quote = at < end ? *at : ' ', *stop = at;
    if (quote == '"' || quote == '\'') {
        stop = memchr(at + 1, quote, (size_t)(end - at - 1));
        return stop ? stop + 1 : NULL;
    }
    while (stop < end && (unsigned char)*stop > ' ' && !strchr("<>\"'=&", *stop))
        stop++;
    return stop > at ? stop : NULL;
}

/* Behind the attributes at `at`, each with a value or a flag, and the blanks around them. NULL:
 * something else is there. */
static const char *attributes_end(const char *at, const char *end)
{
    while ((at = skip_blanks(at, end)) < end && *at != '>' && *at != '/') {
        const char *stop = name_end(at, end);
        if (stop == at) return NULL;
        if (stop < end && *stop == '=') stop = value_end(stop + 1, end);
        else if (!is_flag(at, stop)) return NULL;
        if (!stop) return NULL;
        at = stop;
    }
    return at;
}

/* What an element is, by its name; other elements are of XML. */
static ElementKind element_kind(const char *at, const char *end)
{
    static const char *const block[] = { "p", "div", "li", "ul", "ol", "dl", "dt", "dd", "table", "tr",
                                         "td", "th", "thead", "tbody", "caption", "h1", "h2", "h3",
                                         "h4", "h5", "h6", "br", "hr", "section", "article",
                                         "header", "footer", "nav", "main", "aside", "blockquote",
                                         "figure", "figcaption", "form", "option", "title", NULL };
    static const char *const line[] = { "a", "b", "i", "u", "s", "em", "strong", "span", "small",
                                        "big", "sub", "sup", "font", "mark", "del", "ins", "q",
                                        "cite", "label", "img", "input", "button", "wbr", NULL };
    static const char *const code[] = { "code", "pre", "kbd", "samp", "var", "tt", "script",
                                        "style", NULL };
    if (word_list_has(block, at, end)) return ELEMENT_BLOCK;
    if (word_list_has(line, at, end)) return ELEMENT_LINE;
    return word_list_has(code, at, end) ? ELEMENT_CODE : ELEMENT_XML;
}

/* <b> </b> <br/> <br /> <a href="x"> */
static int element(TagShape *shape, const char *at, const char *end)
{
    const int closes = at + 1 < end && at[1] == '/';
    const char *limit = end - at > MOST ? at + MOST : end, *name = at + 1 + closes;
    if (name >= limit || !ascii_is_letter(*name)) return 0;
    const char *stop = name_end(name, limit), *rest = attributes_end(stop, limit);
    if (!rest || rest == limit || (closes && rest > skip_blanks(stop, limit))) return 0;
    const int is_empty = *rest == '/';
    if (rest + is_empty >= limit || rest[is_empty] != '>') return 0;
    *shape = (TagShape){ .kind = TAG_ELEMENT, .element = element_kind(name, stop), .at = at,
                         .end = rest + is_empty + 1, .name = name,
                         .name_length = (size_t)(stop - name), .opens = !closes && !is_empty,
                         .closes = closes };
    return 1;
}

const char *tag_comment_end(const char *at, const char *end)
{
    if (end - at < 4 || memcmp(at, "<!--", 4) != 0) return NULL;
    if (end - at > MOST) end = at + MOST;
    for (const char *close = at + 4; (close = memchr(close, '-', (size_t)(end - close))); close++)
        if (end - close >= 3 && !memcmp(close, "-->", 3)) return close + 3;
    return NULL;
}

/* A comment has no name, and no partner. */
static int comment(TagShape *shape, const char *at, const char *end)
{
    const char *stop = tag_comment_end(at, end);
    if (stop) *shape = (TagShape){ .kind = TAG_ELEMENT, .element = ELEMENT_XML, .at = at, .end = stop };
    return stop != NULL;
}

/* ---- Links ---- */

/* Behind the title of a link at `at`, if there is one, and its closing bracket; NULL: something else is
 * there. */
static const char *link_end(const char *at, const char *end)
{
    at = skip_blanks(at, end);
    const char quote = at < end && (*at == '"' || *at == '\'') ? *at : 0;
    if (quote) {
        do at++; while (at < end && *at != quote);
        if (at == end) return NULL;
        at = skip_blanks(at + 1, end);
    }
    return at < end && *at == ')' ? at + 1 : NULL;
}

/* Behind the destination at `at`, which has no blanks, and brackets in pairs. */
static const char *destination_end(const char *at, const char *end)
{
    int depth = 0;
    for (; at < end && (unsigned char)*at > ' '; at++) {
        if (*at == ')' && depth-- == 0) break;
        depth += *at == '(';
    }
    return at;
}

/* Behind the name of a link's definition at `at`, which is that of no footnote, and its bracket; NULL: something
 * else is there. */
static const char *reference_end(const char *at, const char *end)
{
    const char *close = memchr(at, ']', (size_t)(end - at));
    return close && close > at && *at != '^' && !memchr(at, '[', (size_t)(close - at)) ? close + 1 : NULL;
}

/* ](x.html) or ](x.html "Title") or ][x] */
static int link_closing(TagShape *shape, const char *at, const char *end)
{
    const char *limit = end - at > MOST ? at + MOST : end;
    if (limit - at < 2 || (at[1] != '(' && at[1] != '[')) return 0;
    const char *destination = at[1] == '(' ? destination_end(at + 2, limit) : at + 2;
    const char *stop = at[1] == '[' ? reference_end(destination, limit)
                     : destination > at + 2 ? link_end(destination, limit) : NULL;
    if (!stop) return 0;
    *shape = (TagShape){ .kind = TAG_LINK, .at = at, .end = stop, .name = "[", .name_length = 1,
                         .closes = 1 };
    return 1;
}

/* Whether the bracket that was opened before `at` ends in the line as that of a link. */
static int is_link(const char *at, const char *end)
{
    const char *limit = end - at > MOST ? at + MOST : end;
    TagShape closing;
    int depth = 1;
    for (; at < limit; at++) {
        depth += (*at == '[') - (*at == ']');
        if (!depth) return link_closing(&closing, at, end);
    }
    return 0;
}

/* [ and ![ before a link's words */
static int link_opening(TagShape *shape, const char *line, const char *at, const char *end)
{
    const char *words = at + 1 + (*at == '!');
    if (words >= end || words[-1] != '[') return 0;
    if (is_word_character(unicode_before(line, at)) || !is_link(words, end)) return 0;
    *shape = (TagShape){ .kind = TAG_LINK, .at = at, .end = words, .name = "[", .name_length = 1,
                         .opens = 1 };
    return 1;
}

/* ---- Emphasis and quotes ---- */

static int32_t character_at(const char *at, const char *end)
{
    return at < end ? peek(at) : ' ';
}

/* Sets which sides of the mark at..stop may be those of words that it encloses. */
static int flank(TagShape *shape, const char *line, const char *end)
{
    const int32_t before = unicode_before(line, shape->at), after = character_at(shape->end, end);
    shape->opens = !is_word_character(before) && !unicode_is_space(after);
    shape->closes = !is_word_character(after) && !unicode_is_space(before);
    return shape->opens || shape->closes;
}

/* * ** *** _ __ ~~, no part of a longer run */
static int emphasis(TagShape *shape, const char *line, const char *at, const char *end)
{
    enum { LONGEST = 3 };
    const char *stop = at;
    while (stop < end && stop - at <= LONGEST && *stop == *at)
        stop++;
    if (stop - at > LONGEST || (*at == '~' && stop - at != 2)) return 0;
    if (at > line && at[-1] == *at) return 0;
    *shape = (TagShape){ .kind = TAG_EMPHASIS, .at = at, .end = stop, .name = at,
                         .name_length = (size_t)(stop - at) };
    return flank(shape, line, end);
}

/* " is its own partner. */
static int plain_quote(TagShape *shape, const char *line, const char *at, const char *end)
{
    *shape = (TagShape){ .kind = TAG_QUOTE, .at = at, .end = at + 1, .name = "\"",
                         .name_length = 1 };
    return flank(shape, line, end);
}

/* A quotation mark with a side of its own, with the blanks inside it. */
static int sided_quote(TagShape *shape, const char *line, const char *at, const char *end,
                       const char *name)
{
    const int32_t point = peek(at);
    const char *after = at;
    unicode_next(&after);
    const int opens = point == 0xAB || point == 0x201C;
    const char *stop = opens ? skip_blanks(after, end) : after, *begin = at;
    while (!opens && begin > line && unicode_is_space(unicode_before(line, begin)))
        do begin--; while ((*begin & 0xC0) == 0x80);
    *shape = (TagShape){ .kind = TAG_QUOTE, .at = begin, .end = stop, .name = name,
                         .name_length = strlen(name), .opens = opens, .closes = !opens };
    return 1;
}

int tag_shape(TagShape *shape, const char *line, const char *at, const char *end)
{
    switch (peek(at)) {
    case '<':                         return element(shape, at, end) || comment(shape, at, end);
    case '*': case '_': case '~':     return emphasis(shape, line, at, end);
    case '!': case '[':               return link_opening(shape, line, at, end);
    case ']':                         return link_closing(shape, at, end);
    case '"':                         return plain_quote(shape, line, at, end);
    case 0x201C: case 0x201D:         return sided_quote(shape, line, at, end, "\u201C");
    case 0xAB: case 0xBB:             return sided_quote(shape, line, at, end, "\u00AB");
    default:                          return 0;
    }
}
