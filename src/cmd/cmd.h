/* cmd.h - the commands: argv in, text out, exit status back.
 *
 * To add a command:
 *   1. write src/cmd/NAME.c, or src/cmd/NAME/NAME.c, with a `const Command command_NAME`,
 *   2. declare it here,
 *   3. add it to the table of cmd.c, from which dispatch, `attn help`, manual pages and
 *      completions follow,
 *   4. add tests/cli/NAME.bats.
 */
#ifndef ATTN_CMD_CMD_H
#define ATTN_CMD_CMD_H

#include "base/system/pool.h"
#include "cmd/help.h"

/* The tables of a command, with the defaults, and its texts. */
typedef struct {
    const OptionSet *sets;
    const HelpText  *text;
} Description;

typedef struct {
    const char *name;
    const char *summary;                    /* one line for `attn help` */
    int       (*run)(int argc, char **argv);    /* argv[0]: the name; returns an exit status */
    Description (*describe)(void);          /* valid until the next call */
} Command;

extern const Command command_train, command_translate, command_eval, command_info,
                     command_convert;

extern const Command *const commands[];     /* NULL ends the table */

/* commands_run - runs the command that argv[0] names, or prints its help where an argument asks for
 * it. Another name ends the program with status 2 and the nearest one as a hint.
 * commands_overview - what the program is, its commands and examples. */
int  commands_run(int argc, char **argv);
void commands_overview(Buf *out);

/* ---- What all of them share ---- */

/* fail - prints "attn: error: ..." on stderr and returns EXIT_FAILED, so that commands write
 * `return fail("...")`. */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* print_text - prints the text on stdout, and releases it.
 * print_json - prints the value, on one line or indented. */
void print_text(Buf *text);
void print_json(const cJSON *value, int indented);

/* start_workers - a pool of so many threads (0: one a core), each with the memory of OpenBLAS
 * that it needs. Ends the program with a message where the system refuses them. */
Pool *start_workers(int threads);

/* check_precision - ends the program with a usage error where this CPU or build has no products
 * of this precision (linalg/precision.h). */
void check_precision(const char *command, int precision);

/* stdout_flush - flushes stdout; a failed write ends the program with a message and status 1,
 * without a message where the reader of a pipe has gone. main calls it at the end, so that every
 * failure is seen. */
void stdout_flush(void);

#endif
