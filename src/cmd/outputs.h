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
} CommandFiles;

/* outputs_check_distinct - -1 where one of the outputs is read, or two of them are the same file. */
int outputs_check_distinct(const CommandFiles *files, Err *e);

/* output_exists - whether a file with something in it would be lost. */
int output_exists(const char *path);

/* output_refuse_existing - -1 where it is there. */
int output_refuse_existing(const Output *output, Err *e);

/* outputs_check - all of this: outputs_check_distinct, and without `force` output_refuse_existing of each. */
int outputs_check(const CommandFiles *files, int force, Err *e);

#endif
