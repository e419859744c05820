/* options.h - the command line, by the tables of its options.
 *
 * A command binds the tables of the layers it configures, and its own, to its variables:
 *
 *     const OptionSet sets[] = {
 *         { command_fields, &mine }, { search_fields, &search }, { NULL, NULL }
 *     };
 *
 * Accepts --name value, --name=value, --flag, --no-flag, -x value, -xvalue, -xy (flags, of which
 * the last may be an option with a value), "--" (the rest are operands) and "-" (an operand). A
 * value that begins with "--" must be attached: --name=--value. So must an optional value,
 * unless its ending shows that it is no operand (base/field.h). Unknown options and missing or
 * wrong values end the program with one line on stderr, a pointer to `attn help COMMAND`, and
 * status 2.
 */
#ifndef ATTN_CMD_OPTIONS_H
#define ATTN_CMD_OPTIONS_H

#include "base/field.h"

#include <stdio.h>

/* Exit statuses of the program. */
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef struct {
    const Field *fields;
    void        *object;        /* holds the defaults before, the user's values after */
} OptionSet;

/* One row of a command's tables, with the struct its value lives in; field NULL: none. */
typedef struct {
    const Field *field;
    void        *object;
} Option;

/* What a command line holds beside the values of its options. The strings are those of argv and
 * of the tables; options_free releases the arrays. */
typedef struct {
    char       **operand;       /* (count) as on the command line; a NULL follows */
    int          count;
    const char **given;         /* (given_count) long names of options, one each time */
    int          given_count;
} Options;

/* options_parse - sets the objects and returns the rest; argv stays as it is, argv[0] is the
 * command's name. */
Options options_parse(const OptionSet *sets, int argc, char **argv);
void    options_free(Options *options);

/* options_given - how many times the command line names this option, by any of its names. `name`:
 * the long one.
 * options_first_given - the name of the first row of a table that the command line names, or
 * NULL. */
int         options_given(const Options *options, const char *name);
const char *options_first_given(const Options *options, const Field *fields);

/* options_find - the row of that name (length bytes of it).
 * options_find_letter - the row of that short option. */
Option options_find(const OptionSet *sets, const char *name, size_t length);
Option options_find_letter(const OptionSet *sets, char letter);

/* unknown_option - usage_error for an option (--name=value, -name or name) that the command does
 * not have, with what may be meant: our name for another program's option, or the nearest name. */
_Noreturn void unknown_option(const OptionSet *sets, const char *command, const char *argument);

/* usage_error - prints "attn: error: ..." and the pointer to the help of `command`; exits with
 * 2. */
_Noreturn void usage_error(const char *command, const char *format,
                           ...) __attribute__((format(printf, 2, 3)));

#endif
