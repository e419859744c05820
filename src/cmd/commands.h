/* commands.h - the table of commands. */
#ifndef ATTN_CMD_COMMANDS_H
#define ATTN_CMD_COMMANDS_H

#include "cmd/cmd.h"

/* NULL ends the table. */
extern const Command *const commands[];

/* commands_run - runs the command that argv[0] names, or prints its help where an argument asks for
 * it. Another name ends the program with status 2 and the nearest one as a hint. */
int commands_run(int argc, char **argv);

/* commands_overview - what the program is, its commands and examples. */
void commands_overview(Buf *out);

#endif
