/* options.h - one table per command: it parses argv and prints the help.
 *
 * A command binds the tables of the layers it configures, and its own, to its variables:
 *
 *     const OptionSet sets[] = { { command_fields, &mine }, { search_fields, &search }, { NULL, NULL } };
 *
 * Accepts --name value, --name=value, --flag, --no-flag, -x value, -xvalue, -xy (flags, of which the
 * last may be an option with a value), "--" (the rest are operands) and "-" (an operand). A value that
 * begins with "--" must be attached: --name=--value. So must a value that may be left out, unless its
 * ending tells it from an operand (base/field.h). --help prints the help and exits 0.
 * Unknown options (with a hint: our name for what another program calls so, or the nearest name),
 * missing or wrong values end the program with one line on stderr, a pointer to `attn help COMMAND`,
 * and status 2.
 */
#ifndef ATTN_CMD_OPTIONS_H
#define ATTN_CMD_OPTIONS_H

#include "base/field.h"

#include <stdio.h>

typedef struct {
    const Field *fields;
    void        *object;        /* holds the defaults before, the user's values after */
} OptionSet;

typedef struct {
    const char *usage;          /* "attn train CORPUS [CORPUS2] [-o MODEL]", several lines allowed */
    const char *about;          /* what it does, paragraphs wrapped at 80 columns */
    const char *examples;       /* shell lines; usage and examples are indented by options_help */
} HelpText;

/* options_copy - a copy of a command line with the room behind it that options_parse needs; the caller
 * frees it, but not the texts. */
char **options_copy(int argc, char **argv);

/* options_parse - sets the objects; the operands are moved to the front of argv (from argv[1]), a NULL follows them,
 * then what options_given needs: argv must be of options_copy.
 * Returns the number of operands; on a user's mistake prints it and exits with 2, on --help prints help, exits 0. */
int options_parse(const OptionSet *sets, int argc, char **argv, const HelpText *text);

/* options_given - whether the user named this option (by its long name) on the command line; after options_parse. */
int options_given(int argc, char **argv, const char *name);

/* options_first_given - the name of the first row of a table that the user named, or NULL; after options_parse. */
const char *options_first_given(const Field *fields, int argc, char **argv);

/* options_help - usage, text, every option with its default (live: from the objects), grouped, examples. */
void options_help(FILE *out, const OptionSet *sets, const HelpText *text);

/* usage_error - prints "attn: error: ..." and the pointer to the help of `command`; exits with 2. */
_Noreturn void usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
