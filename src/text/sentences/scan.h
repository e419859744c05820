/* scan.h - the characters of a text (valid UTF-8) one by one, for what cuts it. */
#ifndef ATTN_TEXT_SENTENCES_SCAN_H
#define ATTN_TEXT_SENTENCES_SCAN_H

#include "text/unicode.h"

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

static inline int is_word_character(int32_t point)
{
    return unicode_is_letter(point) || unicode_is_number(point);
}

#endif
