/* files.h - turns bytes into the files of a package: each is its name and a NUL, four bytes of its length, and its bytes. The
 * last one has what is there. */
#ifndef ATTN_TESTS_FILES_H
#define ATTN_TESTS_FILES_H

#include "import/import.h"

#include <string.h>

/* files_add - adds them to the package; -1 with the message of the first that is refused. */
static inline int files_add(Package *package, const char *bytes, size_t length, Err *e)
{
    while (length) {
        const char *nul = memchr(bytes, '\0', length);
        uint32_t size;
        if (!nul) return 0;
        const size_t head = (size_t)(nul + 1 - bytes);
        if (length - head < sizeof size) return 0;
        memcpy(&size, nul + 1, sizeof size);
        const size_t rest = length - head - sizeof size;
        if (size > rest) size = (uint32_t)rest;
        const Slice content = { nul + 1 + sizeof size, size };
        if (package_add(package, bytes, content, 0, e)) return -1;
        bytes = content.text + size;
        length = rest - size;
    }
    return 0;
}

#endif
