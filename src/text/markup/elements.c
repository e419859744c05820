/* elements.c - a name, attributes with their values, and what an element of that name encloses. */
#include "text/markup/elements.h"

#include "text/ascii.h"
#include "text/unicode.h"

#include <string.h>

enum { MOST = 2000 };               /* bytes of an element or a comment */

static const char *name_end(const char *at, const char *end)
{
    while (at < end && *at && (ascii_is_alphanumeric(*at) || strchr("-_:.", *at)))
        at++;
    return at;
}

/* Whether at..end is one of `words` (NULL-terminated), byte for byte. */
static int is_among(const char *const *words, const char *at, const char *end)
{
    const size_t length = (size_t)(end - at);
    for (; *words; words++)
        if (strlen(*words) == length && !memcmp(*words, at, length)) return 1;
    return 0;
}

/* What an attribute without a value may be called; others are words between < and >. */
static int is_flag(const char *at, const char *end)
{
    static const char *const flags[] = { "selected", "checked", "disabled", "readonly", "required",
                                         "multiple", "hidden", "open", "autofocus", "controls",
                                         "async", "defer", NULL };
    return is_among(flags, at, end);
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
    while ((at = unicode_skip_blanks(at, end)) < end && *at != '>' && *at != '/') {
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
static ElementKind kind_of(const char *at, const char *end)
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
    if (is_among(block, at, end)) return ELEMENT_BLOCK;
    if (is_among(line, at, end)) return ELEMENT_LINE;
    return is_among(code, at, end) ? ELEMENT_CODE : ELEMENT_XML;
}

/* <b> </b> <br/> <br /> <a href="x"> */
static int is_tag(Element *element, const char *at, const char *end)
{
    const int closes = at + 1 < end && at[1] == '/';
    const char *limit = end - at > MOST ? at + MOST : end, *name = at + 1 + closes;
    if (name >= limit || !ascii_is_letter(*name)) return 0;
    const char *stop = name_end(name, limit), *rest = attributes_end(stop, limit);
    if (!rest || rest == limit || (closes && rest > unicode_skip_blanks(stop, limit))) return 0;
    const int is_empty = *rest == '/';
    if (rest + is_empty >= limit || rest[is_empty] != '>') return 0;
    *element = (Element){ .kind = kind_of(name, stop), .at = at, .end = rest + is_empty + 1, .name = name,
                          .name_length = (size_t)(stop - name), .opens = !closes && !is_empty,
                          .closes = closes };
    return 1;
}

/* <!-- --> */
static int is_comment(Element *element, const char *at, const char *end)
{
    if (end - at < 4 || memcmp(at, "<!--", 4) != 0) return 0;
    if (end - at > MOST) end = at + MOST;
    for (const char *close = at + 4; (close = memchr(close, '-', (size_t)(end - close))); close++) {
        if (end - close < 3 || memcmp(close, "-->", 3) != 0) continue;
        *element = (Element){ .at = at, .end = close + 3 };
        return 1;
    }
    return 0;
}

int element_at(Element *element, const char *at, const char *end)
{
    return *at == '<' && (is_tag(element, at, end) || is_comment(element, at, end));
}
