/* history.h - the typed lines of all conversations, in a file that several programs may use at
 * once.
 *
 * A line is appended to the file as soon as it is entered: a killed program loses none, and two
 * programs lose none of each other's. The file is private (mode 0600) and in libedit's format.
 * Above 2,000 lines only the last 1,000 are kept.
 */
#ifndef ATTN_CMD_TRANSLATE_HISTORY_H
#define ATTN_CMD_TRANSLATE_HISTORY_H

#include <histedit.h>

typedef struct {
    History *lines;             /* for libedit */
    char    *path;              /* NULL: no file, the lines are lost at the end of the program */
} LineHistory;

/* line_history_open - reads $XDG_STATE_HOME/attn/history, or ~/.local/state/attn/history where
 * that is not set. Where it cannot be opened there is no file. A file in another format is left
 * alone, with a warning. */
void line_history_open(LineHistory *typed);
void line_history_close(LineHistory *typed);

/* line_history_add - adds a line, unless it equals the last one. Warns once of a file that
 * cannot be written. */
void line_history_add(LineHistory *typed, const char *line);

#endif
