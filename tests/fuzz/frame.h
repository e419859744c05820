/* frame.h - turns bytes into a safetensors file, in one of two ways that the first byte chooses:
 *
 *     odd     the rest is the file
 *     even    the rest is the header, a NUL and the data. The length of the header is put in front,
 *             so that a changed header is not refused for its length alone.
 */
#ifndef ATTN_TESTS_FRAME_H
#define ATTN_TESTS_FRAME_H

#include "base/buf.h"
#include "fuzz.h"

#include <string.h>

/* frame_file - appends the file to `out`; the caller calls buf_clear first. */
static inline void frame_file(const uint8_t *bytes, size_t length, Buf *out)
{
    if (length == 0) return;
    const char *rest = (const char *)bytes + 1;
    const char *nul = bytes[0] & 1 ? NULL : memchr(rest, '\0', length - 1);
    if (bytes[0] & 1) {
        buf_add(out, rest, length - 1);
        return;
    }
    const uint64_t header = nul ? (uint64_t)(nul - rest) : length - 1;
    buf_add(out, (const char *)&header, sizeof header);
    buf_add(out, rest, header);
    if (nul) buf_add(out, nul + 1, length - header - 2);
}

#endif
