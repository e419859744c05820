/* outputs.h - checks of the files that a command will write, before it does any work: no output
 * is an input, no two outputs are one file, and no existing file is replaced without --force.
 *
 * An empty file, a device and a pipe hold nothing that could be lost, so they may be written.
 */
#ifndef ATTN_CMD_OUTPUTS_H
#define ATTN_CMD_OUTPUTS_H

#include "base/error.h"

#include <stddef.h>

typedef struct {
    const char *path;       /* NULL: not asked for */
    const char *what;       /* its name in messages: "log" */
    const char *option;     /* the option that names another file: "--log" */
} Output;

/* output_exists - whether the path is a regular file that is not empty.
 * output_refuse_existing - -1 where the output exists.
 * outputs_check - -1 where an output is an input (NULL: none; "-": standard input), two outputs are
 * one file, one is "-" (what may go to standard output is no file, and not here), or without
 * `force` one exists. */
int output_exists(const char *path);
int output_refuse_existing(const Output *output, Err *e);
int outputs_check(const Output *output, size_t outputs, const char *const *input, size_t inputs,
                  int force, Err *e);

#endif
