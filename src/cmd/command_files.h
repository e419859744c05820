/* command_files.h - operands as the files of a corpus, and a report of what was no pair in them; and
 * checks of the files that a command will write. */
#ifndef ATTN_CMD_COMMAND_FILES_H
#define ATTN_CMD_COMMAND_FILES_H

#include "text/corpus/bitext.h"

enum { FORMAT_AUTO, FORMAT_TSV, FORMAT_ALIGNED };
extern const char *const corpus_formats[];      /* for the option --format */
extern const char corpus_format_help[];
extern const char corpus_columns_help[];        /* for --columns, a FIELD_PAIR */
enum { CORPUS_COLUMNS = 1000 };                 /* the last one that can be named */

/* corpus_files - the corpus of these names, (count) and borrowed. A count that fits no format, or
 * columns of aligned files, end the program with status 2. */
BitextFiles corpus_files(const char *command, int format, const int columns[2], int count,
                         char **names);

/* file_tabs - whether a file has a tab, in its first line or in any: one with lines and without a
 * tab can be a reference, or a side of a corpus, and no TSV. Of an empty file, a pipe or a device
 * this is not known. A file that can't be read is a failure, with a message. */
typedef enum { TABS_FAILED, TABS_UNKNOWN, TABS_NONE, TABS_SOME } Tabs;
Tabs file_tabs(const char *path, int first_alone, Err *e);

/* warn_skipped - prints a table of the lines that were left out: for each reason their number and
 * the places of the first ones. Then advice on what the file as a whole seems to be. */
void warn_skipped(const BitextReport *report, const BitextFiles *files);

/* ---- Files that a command will write ---- */

/* An empty file, a device and a pipe hold nothing that could be lost, so they may be written. */
typedef struct {
    const char *path;       /* NULL: not asked for */
    const char *what;       /* its name in messages: "log" */
    const char *option;     /* the option that names another file: "--log" */
} Output;

/* output_exists - whether the path is a regular file that is not empty.
 * output_refuse_existing - -1 where the output exists.
 * outputs_check - -1 where an output is an input (NULL: none; "-": standard input), two outputs are
 * one file, one is "-" (what may go to standard output is no file, and not here), or without
 * `force` one exists. */
int output_exists(const char *path);
int output_refuse_existing(const Output *output, Err *e);
int outputs_check(const Output *output, size_t outputs, const char *const *input, size_t inputs,
                  int force, Err *e);

#endif
