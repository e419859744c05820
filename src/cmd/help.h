/* help.h - options in words: what the help, the manual pages and the completions say of them, from
 * the tables that parse them. All functions append. */
#ifndef ATTN_CMD_HELP_H
#define ATTN_CMD_HELP_H

#include "cmd/options.h"

typedef struct {
    const char *usage;          /* "attn train CORPUS [CORPUS2] [-o MODEL]"; or several lines */
    const char *about;          /* what the command does; paragraphs wrapped at 80 columns, of which
                                   the short help has the first */
    const char *examples;       /* shell lines, of which the short help has the first four */
    const char *operand;        /* what the operands are: FILE, CORPUS, MODEL */
} HelpText;

/* help_command - usage, text, options with the values that their objects hold, in groups, and
 * examples; without `all` only the common options.
 * help_option - one option of the command: its other names, what it accepts, its default. */
void help_command(const OptionSet *sets, const char *command, const HelpText *text, int all,
                  Buf *out);
void help_option(const char *command, Option option, Buf *out);

/* help_value_name - " N", " [FILE]", " float|bf16", or nothing.
 * help_default    - its value; nothing where there is none, or an option that is off.
 * help_accepts    - what it accepts.
 * help_is_optional - whether it may lack its value.
 * help_is_negated - whether --no-NAME is worth a mention: it is a flag that is on or automatic. */
void help_value_name(const Field *field, Buf *out);
void help_default(Option option, Buf *out);
void help_accepts(const Field *field, Buf *out);
int  help_is_optional(const Field *field);
int  help_is_negated(Option option);

/* wrap_words - the text, whose first line begins at `column`, in lines of at most `columns`;
 * further lines begin at `indent`. A word is never cut. Blanks within a line stay as they are. */
void wrap_words(const char *text, int column, int indent, int columns, Buf *out);

#endif
