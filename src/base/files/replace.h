/* replace.h - replacing a file so that it is never half written.
 *
 * What is written goes to a temporary file in the same folder. replace_commit checks every write,
 * calls fsync, renames and calls fsync for the folder. Until then the old file is untouched;
 * replace_abort removes the temporary file. A process that ends early removes it too if it calls
 * stray_remove_all (base/files/stray.h). What a killed process has left is removed by the next
 * replace_open of that path. replace_open fails while another process is replacing the path. A link
 * stays: what it leads to is replaced, or made.
 *
 *     Replace r;
 *     if (replace_open(&r, path, e)) return -1;
 *     fwrite(..., r.stream);               errors are found by replace_commit
 *     return replace_commit(&r, e);        0, or -1 with the step that failed; no temporary is left
 */
#ifndef ATTN_BASE_REPLACE_H
#define ATTN_BASE_REPLACE_H

#include "base/error.h"

#include <stdio.h>

typedef struct {
    FILE *stream;
    char *path, *folder;        /* owned */
    char *temporary;            /* owned; in the same folder */
} Replace;

int  replace_open(Replace *r, const char *path, Err *e);
int  replace_commit(Replace *r, Err *e);
void replace_abort(Replace *r);

#endif
