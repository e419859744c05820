/* entities.c - the names that texts in languages of Europe have (HTML 5, section 13.5). */
#include "text/markup/entities.h"

#include "base/buf.h"
#include "base/mem.h"
#include "text/ascii.h"
#include "text/markup/shapes.h"
#include "text/sentences/scan.h"
#include "text/unicode.h"
#include "text/verbatim/verbatim.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const char *name; int32_t point; } Entity;

static const Entity entities[] = {
    { "nbsp", 0xA0 }, { "quot", '"' }, { "apos", '\'' }, { "lsquo", 0x2018 }, { "rsquo", 0x2019 },
    { "ldquo", 0x201C }, { "rdquo", 0x201D }, { "laquo", 0xAB }, { "raquo", 0xBB }, { "hellip", 0x2026 },
    { "ndash", 0x2013 }, { "mdash", 0x2014 }, { "middot", 0xB7 }, { "bull", 0x2022 }, { "shy", 0xAD },
    { "euro", 0x20AC }, { "pound", 0xA3 }, { "yen", 0xA5 }, { "cent", 0xA2 }, { "sect", 0xA7 },
    { "copy", 0xA9 }, { "reg", 0xAE }, { "trade", 0x2122 }, { "deg", 0xB0 }, { "plusmn", 0xB1 },
    { "times", 0xD7 }, { "divide", 0xF7 }, { "frac12", 0xBD }, { "frac14", 0xBC }, { "sup2", 0xB2 },
    { "sup3", 0xB3 }, { "iexcl", 0xA1 }, { "iquest", 0xBF }, { "ordf", 0xAA }, { "ordm", 0xBA },
    { "agrave", 0xE0 }, { "aacute", 0xE1 }, { "acirc", 0xE2 }, { "atilde", 0xE3 }, { "auml", 0xE4 },
    { "aring", 0xE5 }, { "aelig", 0xE6 }, { "ccedil", 0xE7 }, { "egrave", 0xE8 }, { "eacute", 0xE9 },
    { "ecirc", 0xEA }, { "euml", 0xEB }, { "igrave", 0xEC }, { "iacute", 0xED }, { "icirc", 0xEE },
    { "iuml", 0xEF }, { "ntilde", 0xF1 }, { "ograve", 0xF2 }, { "oacute", 0xF3 }, { "ocirc", 0xF4 },
    { "otilde", 0xF5 }, { "ouml", 0xF6 }, { "oslash", 0xF8 }, { "ugrave", 0xF9 }, { "uacute", 0xFA },
    { "ucirc", 0xFB }, { "uuml", 0xFC }, { "yacute", 0xFD }, { "yuml", 0xFF }, { "szlig", 0xDF },
    { "oelig", 0x153 }, { "OElig", 0x152 }, { "AElig", 0xC6 }, { "scaron", 0x161 }, { "frac34", 0xBE },
    { "thinsp", 0x2009 }, { "ensp", 0x2002 }, { "emsp", 0x2003 }, { "micro", 0xB5 }, { "para", 0xB6 },
    { "sbquo", 0x201A }, { "bdquo", 0x201E }, { "lsaquo", 0x2039 }, { "rsaquo", 0x203A }, { "larr", 0x2190 },
    { "rarr", 0x2192 }, { "le", 0x2264 }, { "ge", 0x2265 }, { "permil", 0x2030 }
};

enum { LONGEST = 8 };               /* characters of a name or a number */

/* The character of a name; of a letter's with a first capital (Eacute) the capital; 0: there is none. */
static int32_t named(const char *name, size_t length)
{
    int32_t capital = 0;
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        const Entity *e = &entities[i];
        if (strlen(e->name) != length || memcmp(e->name + 1, name + 1, length - 1) != 0) continue;
        if (*e->name == *name) return e->point;
        const int has_capital = unicode_is_lower(e->point) && e->point != 0xDF;
        if (*e->name == ascii_lower(*name) && has_capital) capital = unicode_upper(e->point);
    }
    return capital;
}

/* Whether a character that is written by its number may stand for itself. */
static int is_shown(long point)
{
    if (point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return 0;
    if (point < 0x80) return point == '"' || point == '\'' || ascii_is_alphanumeric((char)point);
    return !unicode_is_control((int32_t)point);
}

/* The character of #39 or #x27; 0: there is none. */
static int32_t numbered(const char *text, size_t length)
{
    const int is_hex = length > 2 && (text[1] == 'x' || text[1] == 'X');
    char *end;
    if (!(is_hex ? ascii_is_hex(text[2]) : ascii_is_digit(text[1]))) return 0;
    const long point = strtol(text + 1 + is_hex, &end, is_hex ? 16 : 10);
    return end == text + length && is_shown(point) ? (int32_t)point : 0;
}

/* Behind the name or the number of a character at `at`, and its semicolon; NULL: none is there. */
static const char *entity_end(const char *at)
{
    const char *stop = at + (*at == '#');
    while (ascii_is_alphanumeric(*stop) && stop - at <= LONGEST)
        stop++;
    return *stop == ';' && stop - at >= 2 && stop - at <= LONGEST ? stop + 1 : NULL;
}

static int is_one_of(const char *name, size_t length, const char *one, const char *other)
{
    return (strlen(one) == length && !memcmp(name, one, length))
           || (strlen(other) == length && !memcmp(name, other, length));
}

/* The sign of HTML itself at `at`, behind which is `behind`, where it means nothing; 0: it is none, or may. */
static int32_t sign_at(const char *line, const char *at, const char *behind)
{
    const size_t length = (size_t)(behind - at - 2);
    const int is_free = at > line && at[-1] == ' ' && *behind == ' ';
    if (is_one_of(at + 1, length, "amp", "#38")) return entity_end(behind) ? 0 : '&';
    if (is_one_of(at + 1, length, "lt", "#60")) return is_free ? '<' : 0;
    return is_one_of(at + 1, length, "gt", "#62") && is_free ? '>' : 0;
}

/* Whether the blank that is written at `at` is all that is between two tags. */
static int is_alone(const char *line, const char *at, const char *behind)
{
    return (at == line || at[-1] == '>') && (!*behind || *behind == '<');
}

/* The character that is written at `at`, and behind it; 0: there is none. */
static int32_t entity_at(const char *line, const char *at, const char **behind)
{
    const char *name = at + 1;
    if (!(*behind = entity_end(name))) return 0;
    const size_t length = (size_t)(*behind - 1 - name);
    const int32_t sign = sign_at(line, at, *behind);
    if (sign) return sign;
    const int32_t point = *name == '#' ? numbered(name, length) : named(name, length);
    return point && unicode_is_space(point) && is_alone(line, at, *behind) ? 0 : point;
}

/* Behind the element with what it encloses, if that is code. */
static const char *element_end(const TagShape *element, const char *end)
{
    const char *at = element->end;
    if (element->element != ELEMENT_CODE || !element->opens) return at;
    while (at < end && !(at[0] == '<' && at[1] == '/')) at++;
    return at;
}

/* Behind the element, comment, code or address at `at`; `at`: none begins there. */
static const char *stretch_end(const char *line, const char *at, const char *end)
{
    TagShape shape;
    VerbatimKind kind;
    if (*at == '<' && tag_shape(&shape, line, at, end)) return element_end(&shape, end);
    const char *stop = *at == '&' ? NULL : tag_comment_end(at, end);
    if (!stop && *at != '&') stop = code_end(at, end);
    if (!stop && *at != '&' && !is_word_character(unicode_before(line, at))) stop = verbatim_end(line, at, end, &kind);
    return stop ? stop : at;
}

char *entities_decode(const char *line)
{
    Buf out = { 0 };
    const char *end = line + strlen(line), *rest = line, *behind;
    if (!strchr(line, '&')) return xstrdup(line);
    buf_clear(&out);
    for (const char *at = line; at < end;) {
        const char *stop = stretch_end(line, at, end);
        const int32_t point = stop == at && *at == '&' ? entity_at(line, at, &behind) : 0;
        if (point) {
            buf_add(&out, rest, (size_t)(at - rest));
            unicode_append(&out, point);
            rest = at = behind;
        } else if (stop > at) {
            at = stop;
        } else {
            unicode_next(&at);
        }
    }
    buf_puts(&out, rest);
    return out.text;
}
