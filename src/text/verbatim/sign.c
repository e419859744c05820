/* sign.c - placeholders, markup, options, handles and whatever else starts with a sign. */
#include "text/ascii.h"
#include "text/verbatim/shapes.h"

#include <stddef.h>
#include <string.h>

/* ---- Characters ---- */

static int is_name(char c)
{
    return ascii_is_alphanumeric(c) || c == '_';
}

/* The end of the name characters and of the signs in `signs` from `at` on. */
static const char *name_end(const char *at, const char *end, const char *signs)
{
    while (at < end && *at && (is_name(*at) || strchr(signs, *at)))
        at++;
    return at;
}

static const char *trimmed(const char *start, const char *end)
{
    while (end > start && strchr(".-:", end[-1]))
        end--;
    return end;
}

/* Whether a shape may end before `after`: no word goes on there. */
static int ends_at(const char *after, const char *end)
{
    return after == end || (!is_name(*after) && (unsigned char)*after < 0x80) ||
           shape_word(after, end) == after;
}

/* Whether the character before a shape opens one: a blank, a bracket, a quote. */
static int opens(char before)
{
    return before && strchr(" ([{<>\"'=,;:*`|", before);
}

/* Behind the text up to the sign `close`, without blanks, at most `most` bytes of it; or NULL. */
static const char *closed_end(const char *at, const char *end, char close)
{
    enum { MOST = 120 };
    const char *stop = at;
    while (stop < end && stop - at < MOST && *stop > ' ' && *stop != close)
        stop++;
    return stop > at && stop < end && *stop == close ? stop + 1 : NULL;
}

/* ---- Placeholders ---- */

/* The conversion of printf at `at`, behind %; or NULL (ISO C, section 7.23.6.1). */
static const char *conversion_end(const char *at, const char *end)
{
    while (at < end && strchr("-+#0123456789.*$", *at) && *at)
        at++;
    while (at < end && *at && strchr("hlqjzt", *at))
        at++;
    return at < end && *at && strchr("sdiuxXfFgGeEcpoa@", *at) && ends_at(at + 1, end) ? at + 1
                                                                                       : NULL;
}

/* %s %1$s %.2f %(name)s %NAME% */
static const char *format_end(const char *at, const char *end)
{
    const char *rest = at + 1, *closed;
    if (rest < end && *rest == '(' && (closed = closed_end(rest + 1, end, ')')))
        return conversion_end(closed, end);
    if (rest < end && ascii_is_upper(*rest)) {
        closed = name_end(rest, end, "");
        if (closed < end && *closed == '%') return closed + 1;
    }
    return conversion_end(rest, end);
}

/* {name} {0} {} {{name}} */
static const char *braces_end(const char *at, const char *end)
{
    const char *rest = at + 1;
    if (rest < end && *rest == '}') return rest + 1;
    if (rest < end && *rest == '{') {
        const char *inner = closed_end(rest + 1, end, '}');
        return inner && inner < end && *inner == '}' ? inner + 1 : NULL;
    }
    return closed_end(rest, end, '}');
}

/* $HOME ${x} $(x) $x, and $x^2$; not $US and other currencies */
static const char *variable_end(const char *at, const char *end)
{
    enum { CURRENCY = 3 };
    const char *rest = at + 1, *stop = rest, *formula;
    if (rest == end) return NULL;
    if (*rest == '{') return braces_end(rest, end);
    if (*rest == '(') return closed_end(rest + 1, end, ')');
    if (ascii_is_digit(*rest)) return NULL;
    if ((formula = closed_end(rest, end, '$'))) return formula;
    if (!is_name(*rest)) return NULL;
    while (stop < end && ascii_is_upper(*stop))
        stop++;
    if (stop - rest <= CURRENCY && ends_at(stop, end)) return NULL;
    stop = name_end(rest, end, "");
    return ends_at(stop, end) ? stop : NULL;
}

/* \alpha \frac{a}{b} */
static const char *command_end(const char *at, const char *end)
{
    const char *stop = at + 1, *group;
    while (stop < end && ascii_is_letter(*stop))
        stop++;
    if (stop == at + 1) return NULL;
    while (stop < end && *stop == '{' && (group = closed_end(stop + 1, end, '}')))
        stop = group;
    return ends_at(stop, end) ? stop : NULL;
}

/* ---- Markup ---- */

/* <b> </b> <br/> */
static const char *tag_end(const char *at, const char *end)
{
    const char *name = at + 1 + (at + 1 < end && at[1] == '/');
    const char *stop = name_end(name, end, "-:");
    if (stop == name || !is_name(*name)) return NULL;
    if (stop < end && *stop == '/') stop++;
    return stop < end && *stop == '>' ? stop + 1 : NULL;
}

/* &nbsp; &#39; &#x27; */
static const char *entity_end(const char *at, const char *end)
{
    const char *name = at + 1 + (at + 1 < end && at[1] == '#'), *stop = name_end(name, end, "");
    return stop > name && stop < end && *stop == ';' ? stop + 1 : NULL;
}

/* :smile: */
static const char *shortcode_end(const char *at, const char *end)
{
    enum { SHORTEST = 2 };
    const char *stop = name_end(at + 1, end, "+-");
    if (stop - at - 1 < SHORTEST || stop == end || *stop != ':') return NULL;
    return ascii_is_lower(at[1]) && ends_at(stop + 1, end) ? stop + 1 : NULL;
}

/* ---- Handles ---- */

static const char *handle_end(const char *at, const char *end)
{
    if (end - at < 3 || !is_name(at[1]) || ascii_is_digit(at[1])) return NULL;
    const char *stop = trimmed(at, name_end(at + 1, end, ".-"));
    return ends_at(stop, end) && stop - at > 2 ? stop : NULL;
}

/* #topic #ff00aa #123 #{x} */
static const char *hashtag_end(const char *at, const char *end)
{
    if (at + 1 < end && at[1] == '{') return braces_end(at + 1, end);
    const char *stop = shape_word(at + 1, end);
    return stop > at + 1 ? stop : NULL;
}

/* ---- Options, names and paths ---- */

/* Whether one letter behind a hyphen is an option, and no word of one letter that a dash opens. */
static int is_option_letter(char c)
{
    return ascii_is_lower(c) && !strchr("aeouy", c);
}

/* Whether a shape of letters may end before `after`: no hyphen or apostrophe goes on with it. */
static int ends_letters_at(const char *after, const char *end)
{
    return after == end || (!strchr("-'", *after) && ends_at(after, end));
}

/* --option --option=value -v */
static const char *option_end(const char *at, const char *end)
{
    if (end - at < 2) return NULL;
    if (at[1] != '-')
        return is_option_letter(at[1]) && ends_letters_at(at + 2, end) ? at + 2 : NULL;
    const char *name = at + 2, *stop = trimmed(name, name_end(name, end, "-"));
    if (stop - name < 2 || !ascii_is_lower(*name) || !ends_at(stop, end)) return NULL;
    for (const char *c = name; c < stop; c++)
        if (ascii_is_upper(*c)) return NULL;
    if (end - stop < 2 || *stop != '=' || stop[1] == ' ') return stop;
    return trimmed(stop + 1, name_end(stop + 1, end, ".-+/:%@"));
}

/* __init__ and _my_name; not _emphasis_ of several words, nor lines to write on */
static const char *underscored_end(const char *at, const char *end)
{
    const char *word = shape_word(at, end), *name = at, *stop = word;
    while (stop > at && stop[-1] == '_')
        stop--;
    while (name < stop && *name == '_')
        name++;
    if (name == stop || (name - at == 1 && !memchr(name, '_', (size_t)(stop - name)))) return NULL;
    return shape_code(at, end, HINT_UNDERSCORE);
}

/* .5 ./x ../x */
static const char *dot_end(const char *at, const char *end, VerbatimKind *kind)
{
    if (at + 1 == end || !ascii_is_digit(at[1])) return shape_path(at, end);
    *kind = VERBATIM_NUMBER;
    return shape_number(at + 1, end);
}

/* -4 +33 */
static const char *signed_end(const char *at, const char *end, VerbatimKind *kind)
{
    const char *after = at + 1 < end && ascii_is_digit(at[1]) ? shape_digits(at + 1, end, kind)
                                                              : NULL;
    return after && *kind == VERBATIM_NUMBER ? after : NULL;
}

/* What may follow a word as well as a blank: "<b>bold</b>", "a&nbsp;b", "file{0}". */
static const char *markup_end(const char *at, const char *end, char before)
{
    switch (*at) {
    case '<': return tag_end(at, end);
    case '&': return entity_end(at, end);
    case '{': return braces_end(at, end);
    case '%': return ascii_is_digit(before) || before == '%' ? NULL : format_end(at, end);
    default:  return NULL;
    }
}

/* What needs a blank, a bracket or a quote before it. */
static const char *opened_end(const char *at, const char *end, VerbatimKind *kind)
{
    const char next = at + 1 < end ? at[1] : ' ';
    switch (*at) {
    case '$':  return variable_end(at, end);
    case ':':  return shortcode_end(at, end);
    case '@':  return handle_end(at, end);
    case '#':  return hashtag_end(at, end);
    case '_':  return underscored_end(at, end);
    case '`':  return closed_end(at + 1, end, '`');
    case '\\': return next == '\\' ? shape_path(at, end) : command_end(at, end);
    case '/': case '~': return shape_path(at, end);
    case '.':  return dot_end(at, end, kind);
    case '+':  return signed_end(at, end, kind);
    case '-':  return ascii_is_digit(next) ? signed_end(at, end, kind) : option_end(at, end);
    default:   return NULL;
    }
}

const char *shape_sign(const char *at, const char *end, char before, VerbatimKind *kind)
{
    const char *after = opens(before) ? shape_emoticon(at, end) : NULL;
    if (!after) after = markup_end(at, end, before);
    return after || !opens(before) ? after : opened_end(at, end, kind);
}
