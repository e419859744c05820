/* editor.h - lines that a person types at a terminal, with editing and a history that is kept
 * between runs.
 *
 * The interface to libedit. Ctrl-C gives up the line, Ctrl-D on an empty line is the end, Tab
 * completes; ~/.editrc is read.
 */
#ifndef ATTN_CMD_TRANSLATE_EDITOR_H
#define ATTN_CMD_TRANSLATE_EDITOR_H

#include "cmd/translate/completion.h"

typedef struct Editor Editor;

/* Offers completions of `text`, all that is before the cursor, and sets `begun` to its last
 * word. 0: nothing is completed here, and Tab inserts a blank. */
typedef int Complete(const char *text, Completion *out);

/* editor_new - an editor with the history of cmd/translate/history.h. */
Editor *editor_new(const char *prompt, Complete *complete);
void    editor_free(Editor *editor);

/* editor_line - the next line without blanks and newline at its end, valid until the next call;
 * NULL: the end. Lines that are not blank are added to the history. */
const char *editor_line(Editor *editor);

#endif
