/* nameless.h - a file without a name in any folder; it still has a path that opens it. */
#ifndef ATTN_TESTS_NAMELESS_H
#define ATTN_TESTS_NAMELESS_H

#include "fuzz.h"

typedef struct { FILE *stream; char path[32]; } Nameless;

/* nameless_file - a file of these bytes; fclose of the stream removes it. */
static inline Nameless nameless_file(const void *bytes, size_t length)
{
    Nameless file = { .stream = tmpfile() };
    require(file.stream);
    require(fwrite(bytes, 1, length, file.stream) == length && fflush(file.stream) == 0);
    rewind(file.stream);
    snprintf(file.path, sizeof file.path, "/dev/fd/%d", fileno(file.stream));
    return file;
}

#endif
