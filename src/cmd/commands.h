/* commands.h - the table of commands. */
#ifndef ATTN_CMD_COMMANDS_H
#define ATTN_CMD_COMMANDS_H

#include "cmd/cmd.h"

#include <stdio.h>

/* NULL ends the table. */
extern const Command *const commands[];

/* commands_find - the command of that name; another name ends the program with status 2 and the
 * nearest one as a hint. */
const Command *commands_find(const char *name);

/* commands_with_option - appends "attn translate and attn eval", the commands that have the option
 * of this name; returns how many they are. */
int commands_with_option(const char *name, Buf *out);

/* commands_overview - prints what the program is, its commands and examples. */
void commands_overview(FILE *out);

#endif
