/* entities.c - the names that texts have most often (HTML 5, section 13.5), and every number. */
#include "text/entities.h"

#include "text/unicode.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const char *name; int32_t point; } Entity;

static const Entity entities[] = {
    { "amp", '&' }, { "lt", '<' }, { "gt", '>' }, { "nbsp", 0xA0 }, { "quot", '"' }, { "apos", '\'' }, { "lsquo", 0x2018 }, { "rsquo", 0x2019 },
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
        if (*e->name == (*name | 0x20) && has_capital) capital = unicode_upper(e->point);
    }
    return capital;
}

/* The character of #39 or #x27, of letters and digits alone; 0: there is none, or it is no text. */
static int32_t numbered(const char *text, size_t length)
{
    const int is_hex = text[1] == 'x' || text[1] == 'X';
    char *end;
    const long point = strtol(text + 1 + is_hex, &end, is_hex ? 16 : 10);
    const int is_point = point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
    return end == text + length && is_point && !unicode_is_control((int32_t)point) ? (int32_t)point : 0;
}

/* The character that is written at `at`, a &, and behind it; 0: there is none. */
static int32_t entity_at(const char *at, const char *end, const char **behind)
{
    const char *name = at + 1, *stop = name;
    if (stop < end && *stop == '#') stop++;
    while (stop < end && is_alphanumeric(*stop) && stop - name <= LONGEST)
        stop++;
    if (stop == end || *stop != ';' || stop - name < 2 || stop - name > LONGEST) return 0;
    *behind = stop + 1;
    return (*name == '#' ? numbered : named)(name, (size_t)(stop - name));
}

/* ---- Signs of HTML itself ---- */

static const Entity signs[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' } };
enum { SIGNS = sizeof signs / sizeof *signs };

/* The set of this sign alone; 0: it is none. */
static unsigned sign_set(int32_t point)
{
    for (int i = 0; i < SIGNS; i++)
        if (signs[i].point == point) return 1U << i;
    return 0;
}

unsigned entities_bare(const char *text, size_t length)
{
    const char *end = text + length, *behind;
    unsigned set = 0;
    for (const char *at = text; at < end; at++)
        if (*at != '&' || !entity_at(at, end, &behind)) set |= sign_set(*at);
    return set;
}

unsigned entities_decode(const char *text, size_t length, unsigned kept, Buf *out)
{
    const char *end = text + length, *rest = text, *behind;
    unsigned set = 0;
    for (const char *at = text; (at = memchr(at, '&', (size_t)(end - at)));) {
        const int32_t point = entity_at(at, end, &behind);
        const unsigned sign = sign_set(point);
        if (point && !(sign & kept)) {
            buf_add(out, rest, (size_t)(at - rest));
            unicode_append(out, point);
            set |= sign;
            rest = behind;
        }
        at = point ? behind : at + 1;
    }
    buf_add(out, rest, (size_t)(end - rest));
    return set;
}

void entities_encode(const char *text, size_t length, unsigned set, Buf *out)
{
    for (const char *at = text; at < text + length; at++) {
        int i = 0;
        while (i < SIGNS && !(*at == signs[i].point && set & 1U << i))
            i++;
        if (i < SIGNS) buf_puts(out, signs[i].name);
        else buf_putc(out, *at);
    }
}
