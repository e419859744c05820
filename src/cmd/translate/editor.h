/* editor.h - lines that a person types at a terminal, with editing and a history that is kept
 * between runs. Only editor.c knows libedit.
 *
 * Ctrl-C gives up the line, Ctrl-D on an empty line is the end, Tab completes; ~/.editrc is read.
 *
 * A line is appended to $XDG_STATE_HOME/attn/history, or ~/.local/state/attn/history, as soon as it
 * is entered: a killed program loses none, and two programs keep each other's. The file is private
 * (mode 0600) and in libedit's format. Above 2,000 lines only the last 1,000 are kept.
 */
#ifndef ATTN_CMD_TRANSLATE_EDITOR_H
#define ATTN_CMD_TRANSLATE_EDITOR_H

#include "base/buf.h"

typedef struct Editor Editor;

/* Appends what Tab inserts behind this text, which is all before the cursor. */
typedef void Complete(const char *text, Buf *rest);

/* editor_new - reads the history. Where its file cannot be opened, or has another format, none is
 * kept. */
Editor *editor_new(const char *prompt, Complete *complete);
void    editor_free(Editor *editor);

/* editor_line - the next line without blanks and newline at its end, valid until the next call;
 * NULL: the end. Lines that are not blank are added to the history.
 * editor_add - adds a line to the history, unless it equals the last one. */
const char *editor_line(Editor *editor);
void        editor_add(Editor *editor, const char *line);

#endif
