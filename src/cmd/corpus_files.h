/* corpus_files.h - operands as the files of a corpus. */
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

#endif
