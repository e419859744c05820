/* content.h - the bytes of a file in memory. */
#ifndef ATTN_BASE_CONTENT_H
#define ATTN_BASE_CONTENT_H

#include "base/error.h"

#include <stddef.h>

typedef struct {
    char  *data;        /* owned; ends in NUL */
    size_t size;        /* without it */
} Content;

/* content_read - 0, or -1 with a message for a file that cannot be read or is not regular.
 * content_free - releases it; NULL is allowed. */
int  content_read(Content *c, const char *path, Err *e);
void content_free(Content *c);

#endif
