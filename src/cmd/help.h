/* help.h - the help of a command, from the tables that parse its options. */
#ifndef ATTN_CMD_HELP_H
#define ATTN_CMD_HELP_H

#include "cmd/options.h"

#include <stdio.h>

typedef enum {
    HELP_COMMON,        /* the first paragraph, the common options, the first examples */
    HELP_ALL
} HelpAmount;

/* help_print - prints usage, text, options with the values that their objects hold, in groups, and
 * examples. */
void help_print(FILE *out, const OptionSet *sets, const char *command, const HelpText *text,
                HelpAmount amount);

/* help_print_option - prints one option of the command: its reason, what it accepts, its default,
 * and the options of `sets` that it interacts with. */
void help_print_option(FILE *out, const OptionSet *sets, const char *command, Option option);

/* What the help, the manual pages and the completions say of an option:
 *
 * help_value_name - appends " N", " [FILE]", " float|bf16", or nothing.
 * help_summary    - appends its help, and the words and the other name that the help leaves out.
 * help_default    - appends its value; nothing where there is none, or an option that is off.
 * help_accepts    - appends what it accepts, in words.
 * help_related    - appends the related options that the command has: "--beam, --nbest".
 * help_is_negated - whether --no-NAME is worth a mention: it is a flag that is on or automatic. */
void help_value_name(const Field *field, Buf *out);
void help_summary(const Field *field, Buf *out);
void help_default(Option option, Buf *out);
void help_accepts(const Field *field, Buf *out);
void help_related(const OptionSet *sets, const Field *field, Buf *out);
int  help_is_negated(Option option);

#endif
