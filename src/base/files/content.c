/* content.c - reads a file as a whole. It is not mapped: who cuts a mapped file short ends the
 * program that reads it. */
#include "base/files/content.h"

#include "base/files/files.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int content_read(Content *c, const char *path, Err *e)
{
    size_t size;
    *c = (Content){ NULL, 0 };
    int fd = file_open_regular(path, &size, e);
    if (fd < 0) return -1;
    char *data = xmalloc(size + 1, 1);
    const ssize_t read = file_read_at(fd, 0, data, size);
    int rc = read < 0 ? err(e, "%s: cannot be read: %s", path, strerror(errno)) : 0;
    file_close(fd);
    if (rc) {
        xfree(data);
        return rc;
    }
    data[read] = '\0';
    *c = (Content){ data, (size_t)read };
    return 0;
}

void content_free(Content *c)
{
    xfree(c->data);
    *c = (Content){ NULL, 0 };
}
