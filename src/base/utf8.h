/* utf8.h - one code point of bytes that may be no UTF-8. */
#ifndef ATTN_BASE_UTF8_H
#define ATTN_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* utf8_decode - the bytes of the code point that begins at `at`, 1 to 4, and *point; 0 where its
 * bytes, at most `most` of them, are no UTF-8: surrogates, overlong forms, what is beyond U+10FFFF.
 * A text that ends in NUL needs no limit (SIZE_MAX). */
static inline size_t utf8_decode(const char *at, size_t most, int32_t *point)
{
    static const int32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *byte = (const unsigned char *)at;
    if (!most) return 0;
    const size_t length = byte[0] < 0x80 ? 1 : byte[0] < 0xC2 ? 0 : byte[0] < 0xE0 ? 2
                          : byte[0] < 0xF0 ? 3 : byte[0] < 0xF5 ? 4 : 0;
    if (!length || length > most) return 0;
    int32_t found = byte[0] & (length > 1 ? 0x7F >> length : 0x7F);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xC0) != 0x80) return 0;
        found = found << 6 | (byte[i] & 0x3F);
    }
    if (found < least[length] || (found >= 0xD800 && found < 0xE000) || found > 0x10FFFF) return 0;
    *point = found;
    return length;
}

#endif
