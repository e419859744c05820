/* history.h - the lines of conversations, remembered by libedit and in a file that several programs may share.
 *
 * A line stands in the file as soon as it is entered, behind those of all others: a program that is killed loses none,
 * and two at a time lose none of each other's. The file is private (mode 0600) and in libedit's own form. Of more than
 * 2,000 lines the last 1,000 stay.
 */
#ifndef ATTN_CMD_TRANSLATE_HISTORY_H
#define ATTN_CMD_TRANSLATE_HISTORY_H

#include <histedit.h>

typedef struct {
    History *lines;             /* for libedit */
    char    *path;              /* NULL: the lines last as long as the program */
} Past;

/* past_begin - reads $XDG_STATE_HOME/attn/history (~/.local/state where that is not set). Where that can't be had there
 * is no file; a file that is no history is left alone, and warned of. */
void past_begin(Past *past);
void past_end(Past *past);

/* past_add - remembers a line, unless it is the same as the last. A file that can't be written is warned of once. */
void past_add(Past *past, const char *line);

#endif
