/* map.h - a file mapped into memory, read-only. */
#ifndef ATTN_BASE_MAP_H
#define ATTN_BASE_MAP_H

#include "base/error.h"

#include <stddef.h>

typedef struct {
    const char *data;           /* an empty file has data = "" and size = 0 */
    size_t      size;
} Mapped;

/* file_map - 0, or -1 with a message for a file that cannot be opened or is not regular.
 * file_unmap - releases it; data is "" afterwards. */
int  file_map(Mapped *m, const char *path, Err *e);
void file_unmap(Mapped *m);

/* file_forget - lets the system drop these bytes of a mapped file from memory. Reading them again
 * waits for the file. */
void file_forget(const void *data, size_t size);

#endif
