/* shapes.c - elements of HTML and XML, emphasis of Markdown, quotation marks. */
#include "text/markup/shapes.h"

#include "text/ascii.h"
#include "text/sentences/scan.h"

#include <string.h>

static const char *name_end(const char *at, const char *end)
{
    while (at < end && *at && (ascii_is_alphanumeric(*at) || strchr("-_:", *at)))
        at++;
    return at;
}

/* ---- Elements ---- */

/* Behind the > that ends an element whose attributes begin at `at`, each with a value; or NULL. */
static const char *attributes_end(const char *at, const char *end)
{
    enum { MOST = 2000 };
    const char *stop = end - at > MOST ? at + MOST : end, *begin = at;
    for (char quote = 0; at < stop; at++) {
        if (quote) quote = *at == quote ? 0 : quote;
        else if (*at == '<') return NULL;
        else if (*at == '>') return memchr(begin, '=', (size_t)(at - begin)) ? at + 1 : NULL;
        else if ((*at == '"' || *at == '\'') && at[-1] == '=') quote = *at;
    }
    return NULL;
}

/* <b> </b> <br/> <br /> <a href="x"> */
static int element(TagShape *shape, const char *at, const char *end)
{
    const int closes = at + 1 < end && at[1] == '/';
    const char *name = at + 1 + closes, *stop = name_end(name, end), *rest = skip_blanks(stop, end);
    if (name == end || !ascii_is_letter(*name)) return 0;
    const int is_empty = rest + 1 < end && rest[0] == '/' && rest[1] == '>';
    const char *after = rest + is_empty < end && rest[is_empty] == '>' ? rest + is_empty + 1 : NULL;
    if (!after && !closes && rest > stop) after = attributes_end(rest, end);
    if (!after) return 0;
    *shape = (TagShape){ .kind = TAG_ELEMENT, .at = at, .end = after, .name = name,
                         .name_length = (size_t)(stop - name),
                         .opens = !closes && after[-2] != '/', .closes = closes };
    return 1;
}

/* ---- Emphasis and quotes ---- */

static int is_word(int32_t point)
{
    return unicode_is_letter(point) || unicode_is_number(point);
}

static int32_t character_at(const char *at, const char *end)
{
    return at < end ? peek(at) : ' ';
}

/* * ** *** _ __ ~~ */
static int emphasis(TagShape *shape, const char *line, const char *at, const char *end)
{
    enum { MOST = 3 };
    const char *stop = at;
    while (stop < end && *stop == *at)
        stop++;
    const int32_t before = unicode_before(line, at), after = character_at(stop, end);
    if (stop - at > MOST || (*at == '~' && stop - at != 2)) return 0;
    *shape = (TagShape){ .kind = TAG_EMPHASIS, .at = at, .end = stop, .name = at,
                         .name_length = (size_t)(stop - at),
                         .opens = !is_word(before) && !unicode_is_space(after),
                         .closes = !is_word(after) && !unicode_is_space(before) };
    return shape->opens || shape->closes;
}

/* " is its own partner. */
static int plain_quote(TagShape *shape, const char *line, const char *at, const char *end)
{
    const int32_t before = unicode_before(line, at), after = character_at(at + 1, end);
    *shape = (TagShape){ .kind = TAG_QUOTE, .at = at, .end = at + 1, .name = "\"", .name_length = 1,
                         .opens = !is_word(before) && !unicode_is_space(after),
                         .closes = !is_word(after) && !unicode_is_space(before) };
    return shape->opens || shape->closes;
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
    case '<':                 return element(shape, at, end);
    case '*': case '_': case '~': return emphasis(shape, line, at, end);
    case '"':                 return plain_quote(shape, line, at, end);
    case 0x201C: case 0x201D: return sided_quote(shape, line, at, end, "\u201C");
    case 0xAB: case 0xBB:     return sided_quote(shape, line, at, end, "\u00AB");
    default:                  return 0;
    }
}
