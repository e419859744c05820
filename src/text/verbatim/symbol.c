/* symbol.c - emoticons, emoji and other symbols. */
#include "text/ascii.h"
#include "text/unicode.h"
#include "text/verbatim/shapes.h"

#include <stddef.h>
#include <string.h>

enum { DEGREE = 0xB0, NUMERO = 0x2116, KEYCAP = 0x20E3, FIRST_FULL_WIDTH = 0xFF00,
       LAST_FULL_WIDTH = 0xFFEF, FIRST_SKIN = 0x1F3FB, LAST_SKIN = 0x1F3FF };

/* ---- Emoticons ---- */

static int ends_emoticon(const char *at, const char *end)
{
    return at == end || *at == ' ' || (strchr(".,!?\"')", *at) && *at);
}

/* The eyes of :-) and the like, a nose or none, a mouth. */
static const char *face_end(const char *at, const char *end)
{
    if (!strchr(":;=8", *at)) return NULL;
    const char *mouth = at + 1;
    if (mouth < end && *at == ':' && *mouth == '\'') mouth++;
    if (mouth < end && (*mouth == '-' || *mouth == '^' || *mouth == 'o')) mouth++;
    if (mouth == end || !*mouth) return NULL;
    const char *const mouths = mouth == at + 1 && *at == '=' ? ")(DPp]" : ")(DPpOo3|/\\*$SsXx]>@";
    if (!strchr(mouths, *mouth)) return NULL;
    while (mouth + 1 < end && mouth[1] == *mouth && (*mouth == ')' || *mouth == '('))
        mouth++;
    return mouth + 1;
}

const char *shape_emoticon(const char *at, const char *end)
{
    static const char *const others[] = { "<3", "</3", "^^", "^_^", "-_-", ">_<", ">:(", "\\o/",
                                          "._.", "(^_^)", "*_*", NULL };
    const char *after = *at == '8' ? NULL : face_end(at, end);
    for (const char *const *other = others; !after && *other; other++) {
        const size_t length = strlen(*other);
        if ((size_t)(end - at) >= length && !memcmp(at, *other, length)) after = at + length;
        if (after && !ends_emoticon(after, end)) after = NULL;
    }
    return after && ends_emoticon(after, end) ? after : NULL;
}

/* ---- Symbols ---- */

/* Currencies are Sc, and spacing accents Sk, but for the skin tones of emoji. */
static int is_symbol(int32_t point)
{
    if (point < 0x80 || point == DEGREE || point == NUMERO) return 0;
    if (point >= FIRST_FULL_WIDTH && point <= LAST_FULL_WIDTH) return 0;
    return unicode_is_pictorial(point) || (point >= FIRST_SKIN && point <= LAST_SKIN);
}

/* Whether the cluster at..after is a key's cap: 1️⃣ */
static int is_keycap(const char *at, const char *after)
{
    if (after - at < 4) return 0;
    return unicode_before(at, after) == KEYCAP;
}

static const char *symbol_end(const char *at, const char *end)
{
    const char *next = at;
    const int32_t point = unicode_next(&next);
    if (point < 0x80) {
        if (next == end || (unsigned char)*next < 0x80) return NULL;
        next = unicode_grapheme_end(at, end);
        return is_keycap(at, next) ? next : NULL;
    }
    return is_symbol(point) ? unicode_grapheme_end(at, end) : NULL;
}

const char *shape_symbols(const char *at, const char *end)
{
    const char *after = NULL;
    for (const char *next = at; next < end && (next = symbol_end(next, end));)
        after = next;
    return after;
}
