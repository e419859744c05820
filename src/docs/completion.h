/* completion.h - scripts that complete commands, options and values in a shell. */
#ifndef ATTN_DOCS_COMPLETION_H
#define ATTN_DOCS_COMPLETION_H

#include "base/buf.h"
#include "base/error.h"

/* completion_script - appends the script of the file `path`, with the tables of all commands in
 * the place of its line @TABLE@. -1 if the file cannot be read, or has no such line. */
int completion_script(const char *path, Buf *out, Err *e);

#endif
