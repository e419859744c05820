/* bytes.h - taking numbers off the front of the bytes of a file, which may end anywhere.
 *
 * The rest of the file is a Slice. Each function takes from it, and returns -1 where it is too
 * short. Numbers are little-endian, at any address.
 */
#ifndef ATTN_BASE_BYTES_H
#define ATTN_BASE_BYTES_H

#include "base/buf.h"

#include <stdint.h>

static inline int bytes_take(Slice *rest, size_t length, Slice *taken)
{
    if (length > rest->length) return -1;
    *taken = (Slice){ rest->text, length };
    rest->text += length;
    rest->length -= length;
    return 0;
}

static inline int bytes_number(Slice *rest, size_t bytes, uint64_t *number)
{
    Slice taken;
    *number = 0;
    if (bytes_take(rest, bytes, &taken)) return -1;
    memcpy(number, taken.text, bytes);
    return 0;
}

/* The number at a place that is known to be there. */
static inline uint64_t bytes_at(Slice file, size_t at, size_t bytes)
{
    uint64_t number = 0;
    memcpy(&number, file.text + at, bytes);
    return number;
}

static inline int bytes_begin(Slice file, const char *start)
{
    const size_t length = strlen(start);
    return file.length >= length && !memcmp(file.text, start, length);
}

static inline int bytes_end(Slice file, const char *end)
{
    const size_t length = strlen(end);
    return file.length >= length && !memcmp(file.text + file.length - length, end, length);
}

/* For "%.*s" in a message: no more of a name than a line can show. */
#define SHOWN(name) (int)((name).length < 60 ? (name).length : 60), (name).text

#endif
