/* scan.h - the characters of a text (valid UTF-8) one by one, for what cuts it. */
#ifndef ATTN_TEXT_SENTENCES_SCAN_H
#define ATTN_TEXT_SENTENCES_SCAN_H

#include "text/unicode.h"

#include <string.h>

/* The character at `at`. */
static inline int32_t peek(const char *at)
{
    return unicode_next(&at);
}

static inline const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && unicode_is_space(peek(at)))
        unicode_next(&at);
    return at;
}

/* The character before the blanks before `at`; U+0020 if there is none. */
static inline int32_t last_before(const char *text, const char *at)
{
    int32_t point = ' ';
    while (at > text && unicode_is_space(point = unicode_before(text, at)))
        do at--; while ((*at & 0xC0) == 0x80);
    return at > text ? point : ' ';
}

/* The first letter or digit behind the marks at `at`; U+0020 if there is none. */
static inline int32_t first_of_word(const char *at, const char *end)
{
    while (at < end && unicode_is_punctuation(peek(at)))
        unicode_next(&at);
    return at < end ? peek(at) : ' ';
}

/* Behind the code between the backquote at `at` and the next one, which follows no blank (`rm -r x`), if
 * it is not far; NULL: there is none. Nothing in it parts a line. */
static inline const char *code_end(const char *at, const char *end)
{
    enum { LONGEST = 1000 };
    if (*at != '`' || end - at < 2) return NULL;
    const size_t most = end - at > LONGEST ? LONGEST : (size_t)(end - at);
    const char *close = memchr(at + 1, '`', most - 1);
    return close && close > at + 1 && close[-1] != ' ' ? close + 1 : NULL;
}

static inline int is_word_character(int32_t point)
{
    return unicode_is_letter(point) || unicode_is_number(point);
}

static inline int is_dash(int32_t point)
{
    return point == '-' || (point >= 0x2013 && point <= 0x2015);
}

static inline const char *dashes_end(const char *at, const char *end)
{
    while (at < end && is_dash(peek(at)))
        unicode_next(&at);
    return at;
}

/* Behind the dash between two words at `at`, U+2014 or two hyphens without blanks (late--very late);
 * `at`: there is none. */
static inline const char *tight_dash_end(const char *text, const char *at, const char *end)
{
    const char *stop = at;
    if (at == text || !is_word_character(unicode_before(text, at))) return at;
    if (at < end && peek(at) == 0x2014) unicode_next(&stop);
    else if (end - at > 2 && at[0] == '-' && at[1] == '-') stop += 2;
    return stop < end && unicode_is_letter(peek(stop)) ? stop : at;
}

/* Of an ellipsis: a full stop, or U+2026. */
static inline int is_dot(int32_t point)
{
    return point == '.' || point == 0x2026;
}

/* Behind the ellipsis at `at`, three full stops or more, or U+2026; `at`: there is none. */
static inline const char *ellipsis_end(const char *at, const char *end)
{
    const char *stop = at;
    while (stop < end && is_dot(peek(stop)))
        unicode_next(&stop);
    return stop - at >= 3 ? stop : at;
}

#endif
