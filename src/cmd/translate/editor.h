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

#include <stddef.h>

/* The words that complete a typed beginning. Set `begun`, zero the rest; completion_free releases. */
typedef struct {
    const char *begun;              /* the typed part of the word */
    char      **word;               /* (count) words that begin with it; owned */
    size_t      count, capacity;
} Completion;

/* completion_offer - adds `word` if it begins as typed, followed by `behind`: " " or "".
 * completion_offer_files - adds files, and folders with a '/', whose path begins as typed. Hidden
 * files need a typed dot; names that no terminal can show are left out.
 * completion_rest - appends the bytes after the typed part that all words share.
 * completion_list - appends the words in lines of so many columns; of a path only the last name. */
void completion_offer(Completion *c, const char *word, const char *behind);
void completion_offer_files(Completion *c);
void completion_rest(const Completion *c, Buf *out);
void completion_list(const Completion *c, int columns, Buf *out);
void completion_free(Completion *c);

typedef struct Editor Editor;

/* Offers completions of `text`, all that is before the cursor, and sets `begun` to its last
 * word. 0: nothing is completed here, and Tab inserts a blank. */
typedef int Complete(const char *text, Completion *out);

/* editor_new - reads the history. Where its file cannot be opened, or has another format, none is
 * kept. */
Editor *editor_new(const char *prompt, Complete *complete);
void    editor_free(Editor *editor);

/* editor_line - the next line without blanks and newline at its end, valid until the next call;
 * NULL: the end. editor_add - adds a line to the history, unless it equals the last one; editor_line
 * does so with lines that are not blank.
 * editor_history - appends the lines of the history, the latest first, each with a newline. */
const char *editor_line(Editor *editor);
void        editor_add(Editor *editor, const char *line);
void        editor_history(Editor *editor, Buf *out);

#endif
