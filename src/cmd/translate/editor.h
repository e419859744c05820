/* editor.h - one line after another from a person at a terminal, with editing and a history that outlives the program.
 *
 * The door to libedit. Ctrl-C gives up the line, Ctrl-D on an empty line ends, Tab completes;
 * ~/.editrc is respected.
 */
#ifndef ATTN_CMD_TRANSLATE_EDITOR_H
#define ATTN_CMD_TRANSLATE_EDITOR_H

#include "cmd/translate/completion.h"

typedef struct Editor Editor;

/* Offers what `text`, all that stands before the cursor, may end in; sets `begun` to the word, a
 * part of the text. 0: nothing is completed here, and Tab is a blank. */
typedef int Complete(const char *text, Completion *out);

/* editor_new - with the history of cmd/translate/history.h. */
Editor *editor_new(const char *prompt, Complete *complete);
void    editor_free(Editor *editor);

/* editor_line - the next line without the blanks and the newline at its end, valid until the next call; NULL at the
 * end. Lines that are not blank enter the history. */
const char *editor_line(Editor *editor);

#endif
