/* entities.c - the names that texts in languages of Europe have (HTML 5, section 13.5). */
#include "text/markup/entities.h"

#include "base/buf.h"
#include "base/mem.h"
#include "text/ascii.h"
#include "text/unicode.h"

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
    { "oelig", 0x153 }, { "OElig", 0x152 }, { "AElig", 0xC6 }, { "scaron", 0x161 }
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
        if (*e->name == ascii_lower(*name) && unicode_is_letter(e->point)) capital = unicode_upper(e->point);
    }
    return capital;
}

/* The character of #39 or #x27; 0: there is none that can be shown, or it is of a tag or an entity. */
static int32_t numbered(const char *text, size_t length)
{
    const int is_hex = length > 2 && (text[1] == 'x' || text[1] == 'X');
    char *end;
    if (!(is_hex ? ascii_is_hex(text[2]) : ascii_is_digit(text[1]))) return 0;
    const long point = strtol(text + 1 + is_hex, &end, is_hex ? 16 : 10);
    if (end != text + length || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return 0;
    if (point < ' ' || unicode_is_control((int32_t)point)) return 0;
    return strchr("<>&", (int)(point < 0x80 ? point : 'a')) ? 0 : (int32_t)point;
}

/* Behind the name or the number of a character at `at`, and its semicolon; NULL: none is there. */
static const char *entity_end(const char *at)
{
    const char *stop = at + (*at == '#');
    while (ascii_is_alphanumeric(*stop) && stop - at <= LONGEST)
        stop++;
    return *stop == ';' && stop - at >= 2 && stop - at <= LONGEST ? stop + 1 : NULL;
}

/* The character that is written at `at`, and behind it; 0: there is none. */
static int32_t entity_at(const char *at, const char **behind)
{
    const char *name = at + 1;
    if (!(*behind = entity_end(name))) return 0;
    const size_t length = (size_t)(*behind - 1 - name);
    if (length == strlen("amp") && !memcmp(name, "amp", length)) return entity_end(*behind) ? 0 : '&';
    return *name == '#' ? numbered(name, length) : named(name, length);
}

char *entities_decode(const char *line)
{
    Buf out = { 0 };
    const char *rest = line, *behind;
    if (!strchr(line, '&')) return xstrdup(line);
    buf_clear(&out);
    for (const char *at = line; (at = strchr(at, '&'));) {
        const int32_t point = entity_at(at, &behind);
        if (!point) {
            at++;
            continue;
        }
        buf_add(&out, rest, (size_t)(at - rest));
        unicode_append(&out, point);
        rest = at = behind;
    }
    buf_puts(&out, rest);
    return out.text;
}
