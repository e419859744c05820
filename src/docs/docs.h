/* docs.h - manual pages, in the language of man(7), and scripts that complete commands, options and
 * values in a shell. */
#ifndef ATTN_DOCS_DOCS_H
#define ATTN_DOCS_DOCS_H

#include "base/error.h"
#include "cmd/cmd.h"

/* manual_command - appends the page of a command, of section 1, from its tables. */
void manual_command(const Command *command, Buf *out);

/* manual_page - appends a page whose sections are in the file `path`: attn-model.5 is the page
 * attn-model of section 5. A line
 *
 *     .\" insert NAME
 *
 * is replaced by a table of the program: commands, network, text. -1 if the file cannot be read or
 * inserts something else. */
int manual_page(const char *path, Buf *out, Err *e);

/* roff_text - appends plain text of ASCII as input lines: options become bold, other characters as
 * they are, whatever they mean to roff; an empty line begins a paragraph.
 * roff_code - appends it for where every character counts, as between .EX and .EE. */
void roff_text(const char *text, Buf *out);
void roff_code(const char *text, Buf *out);

/* completion_script - appends the script of the file `path`, with the tables of all commands in the
 * place of its line @TABLE@. -1 if the file cannot be read, or has no such line. */
int completion_script(const char *path, Buf *out, Err *e);

#endif
