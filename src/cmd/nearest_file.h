/* nearest_file.h - "did you mean ...?" for the name of a file. */
#ifndef ATTN_CMD_NEAREST_FILE_H
#define ATTN_CMD_NEAREST_FILE_H

#include "base/buf.h"

/* nearest_file - appends the path of the file with that ending, in the folder of `path`, whose name
 * is nearest to a mistyped one (base/suggest.h); nothing where none is near. */
void nearest_file(const char *path, const char *ending, Buf *out);

#endif
