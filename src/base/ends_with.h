/* ends_with.h - the end of a string, such as the ending of a file name. */
#ifndef ATTN_BASE_ENDS_WITH_H
#define ATTN_BASE_ENDS_WITH_H

#include <string.h>

/* ends_with - whether the last bytes of `text` are those of `end`. */
static inline int ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !memcmp(text + length - tail, end, tail);
}

#endif
