/* corpus_files.h - operands as the files of a corpus, and a report of what was no pair in them. */
#ifndef ATTN_CMD_CORPUS_FILES_H
#define ATTN_CMD_CORPUS_FILES_H

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

#endif
