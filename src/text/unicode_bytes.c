/* unicode_bytes.c - of unicode.h what asks which bytes are UTF-8, and no property of a character. */
#include "text/unicode.h"

#include "base/utf8.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD };

enum { RUN = 8 };

/* Whether so many bytes are ASCII, as most text is, and none is NUL: a byte minus one has the high
 * bit where the byte was 0. */
static int begins_with_ascii(const char *bytes)
{
    const uint64_t high = 0x8080808080808080u, ones = 0x0101010101010101u;
    uint64_t run;
    memcpy(&run, bytes, sizeof run);
    return !((run | (run - ones)) & high);
}

int unicode_valid(const char *bytes, size_t length)
{
    const char *end = bytes + length;
    while (bytes < end) {
        if (end - bytes >= RUN && begins_with_ascii(bytes)) {
            bytes += RUN;
            continue;
        }
        int32_t point;
        const size_t step = utf8_decode(bytes, (size_t)(end - bytes), &point);
        if (!step || point == 0) return 0;
        bytes += step;
    }
    return 1;
}

int unicode_is_ascii(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)bytes[i] >= 0x80) return 0;
    return 1;
}

int unicode_is_windows(const char *bytes, size_t length)
{
    for (const char *end = bytes + length; bytes < end;) {
        int32_t point;
        const size_t step = utf8_decode(bytes, (size_t)(end - bytes), &point);
        if (!step && (*bytes & 0xE0) == 0x80) return 1;
        bytes += step ? step : 1;
    }
    return 0;
}

const char *unicode_advice(int is_windows)
{
    return is_windows ? "; if it is Windows-1252, 'iconv -f WINDOWS-1252 -t UTF-8' converts it"
                      : "; if it is Latin-1, 'iconv -f ISO-8859-1 -t UTF-8' converts it";
}

int32_t unicode_next_long(const char **at)
{
    int32_t point = REPLACEMENT;
    const size_t length = utf8_decode(*at, SIZE_MAX, &point);
    *at += length ? length : 1;
    return point;
}

int unicode_repair(const char *bytes, size_t length, Buf *out)
{
    const char *end = bytes + length;
    int repaired = 0;
    while (bytes < end) {
        int32_t point;
        const size_t step = utf8_decode(bytes, (size_t)(end - bytes), &point);
        if (step && point != 0) {
            buf_add(out, bytes, step);
            bytes += step;
            continue;
        }
        repaired++;
        unicode_append(out, REPLACEMENT);
        do bytes++; while (bytes < end && (*bytes & 0xC0) == 0x80);
    }
    return repaired;
}
