/* verbatim.c - where a span may start, and which shapes may start with its first character. */
#include "text/verbatim/verbatim.h"

#include "text/ascii.h"
#include "text/unicode.h"
#include "text/verbatim/address.h"
#include "text/verbatim/shapes.h"

#include <stddef.h>
#include <string.h>

enum { FIRST_EAST_ASIAN = 0x3000 };     /* of the characters that no blank separates */

static int is_inside_word(int32_t point)
{
    if (point < 0x80) return point == '_' || ascii_is_alphanumeric((char)point);
    if (point >= FIRST_EAST_ASIAN) return 0;
    return unicode_is_letter(point) || unicode_is_number(point) || unicode_is_mark(point) ||
           unicode_is_joiner(point);
}

/* Whether a word may start behind the character `before`. */
static int starts_word(int32_t before)
{
    return before == ' ' || !is_inside_word(before);
}

/* The same for what is no number: nor behind a sign that binds it to a word that is none. */
static int starts_token(int32_t before)
{
    return starts_word(before) && (before >= 0x80 || !strchr("-./\\@#&~%$", before));
}

/* A mark on the last character makes another character of it. */
static const char *without_mark(const char *after, const char *end)
{
    if (!after || after == end || (unsigned char)*after < 0x80) return after;
    const char *next = after;
    int32_t point = unicode_next(&next);
    return unicode_is_mark(point) || unicode_is_joiner(point) ? NULL : after;
}

static const char *limit(const char *at, const char *end, long most)
{
    if (end - at <= most) return end;
    for (end = at + most; (*end & 0xC0) == 0x80;)
        end--;
    return end;
}

/* near: as far as a span reaches that is no address of the web. */
static const char *letters(const char *line, const char *at, const char *near, const char *end)
{
    const unsigned hints = starts_token(unicode_before(line, at)) ? shape_hints(at, near) : 0;
    if (!hints) return NULL;
    const char *address = address_web_end(at, end);
    return without_mark(address ? address : shape_code(at, near, hints), end);
}

static const char *beyond_ascii(const char *line, const char *at, const char *near, const char *end,
                                VerbatimKind *kind)
{
    const char *next = at;
    const int32_t point = unicode_next(&next);
    if (unicode_is_letter(point))
        return point < FIRST_EAST_ASIAN ? letters(line, at, near, end) : NULL;
    if (!unicode_is_number(point)) return shape_symbols(at, near);
    if (point >= FIRST_EAST_ASIAN || !starts_word(unicode_before(line, at))) return NULL;
    *kind = VERBATIM_NUMBER;
    return without_mark(shape_number(at, near), end);
}

const char *verbatim_end(const char *line, const char *at, const char *end, VerbatimKind *kind)
{
    end = limit(at, end, VERBATIM_BYTES);
    const char *near = limit(at, end, SPAN_BYTES);
    *kind = VERBATIM_OTHER;
    if (ascii_is_letter(*at)) return letters(line, at, near, end);
    if ((unsigned char)*at >= 0x80) return beyond_ascii(line, at, near, end, kind);
    const int32_t before = unicode_before(line, at);
    if (ascii_is_digit(*at)) {
        if (!starts_word(before)) return NULL;
        const char *symbol = shape_symbols(at, near);           /* a keycap */
        return symbol ? symbol : without_mark(shape_digits(at, near, kind), end);
    }
    if (*at == ' ') return NULL;
    const char *symbol = shape_symbols(at, near);
    if (symbol) return symbol;
    const char sign = before < 0x80 ? (char)before : starts_word(before) ? '"' : 'a';
    return without_mark(shape_sign(at, near, sign, kind), end);
}
