/* outputs.h - the files that a command writes, looked at before it works: none of them is read, no
 * two are one, and none that is there already is replaced unless --force says so.
 *
 * A file without a byte, a device and a pipe have nothing to lose, and are written as they are.
 */
#ifndef ATTN_CMD_OUTPUTS_H
#define ATTN_CMD_OUTPUTS_H

#include "base/error.h"

#include <stddef.h>

typedef struct {
    const char *path;       /* NULL: not asked for */
    const char *what;       /* "log": what it is, in messages */
    const char *option;     /* "--log": how another name is given */
} Output;

/* What a command reads and writes; borrowed. */
typedef struct {
    const Output      *output;      /* (outputs) */
    const char *const *input;       /* (inputs) NULL: none; "-": standard input */
    size_t             outputs, inputs;
} Files;

/* outputs_apart - -1 where one of the outputs is read, or two of them are the same file. */
int outputs_apart(const Files *files, Err *e);

/* output_is_there - whether a file with something in it would be lost. */
int output_is_there(const char *path);

/* output_refuse_old - -1 where it is there. */
int output_refuse_old(const Output *output, Err *e);

/* outputs_check - all of this: outputs_apart, and without `force` output_refuse_old of each. */
int outputs_check(const Files *files, int force, Err *e);

#endif
