/* corpus_files.c - which format the files of a corpus have, by their names and by a look for tabs. */
#include "cmd/corpus_files.h"

#include "base/files/lines.h"
#include "base/suffix.h"
#include "cmd/model_path.h"
#include "cmd/options.h"

#include <string.h>
#include <sys/stat.h>

const char *const corpus_formats[] = { "auto", "tsv", "aligned", NULL };
const char corpus_format_help[] = "tsv: each file holds both sides; aligned: files come in twos, "
                                  "source and target; auto: one file, or names that end in .tsv: "
                                  "tsv; two other files: aligned";
const char corpus_columns_help[] = "the columns of a TSV with source and target, counted from 1; "
                                   "auto: the first two, but an error where these are numbers, "
                                   "ids or addresses and further ones text";

static int all_are_tsv(int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (!ends_with(names[i], ".tsv") && !ends_with(names[i], ".tsv.gz")) return 0;
    return 1;
}

/* attn eval MODEL CORPUS */
static void check_no_models(const char *command, int count, char **names)
{
    const char *option = strcmp(command, "train") ? "-m" : "--init";
    for (int i = 0; i < count; i++)
        if (is_model_name(names[i]))
            usage_error(command, "'%s' is a model, not a corpus; name it with %s", names[i],
                        option);
}

/* Columns are those of a TSV: to name them says that each file is one. */
static int guess_format(const int columns[2], int count, char **names)
{
    return count == 1 || *columns != FIELD_AUTO || all_are_tsv(count, names) ? FORMAT_TSV
                                                                             : FORMAT_ALIGNED;
}

BitextFiles corpus_files(const char *command, int format, const int columns[2], int count,
                         char **names)
{
    const int guessed = format == FORMAT_AUTO;
    check_no_models(command, count, names);
    if (count < 1)
        usage_error(command, "no corpus was named; name a TSV file, or two line-aligned files");
    if (format == FORMAT_ALIGNED && *columns != FIELD_AUTO)
        usage_error(command, "--columns are those of a TSV, and an aligned file has one side alone: "
                             "leave one of --columns and --format out");
    if (columns[0] == columns[1] && *columns != FIELD_AUTO)
        usage_error(command, "--columns %d,%d: source and target are two columns", *columns, *columns);
    if (guessed) format = guess_format(columns, count, names);
    if (guessed && format == FORMAT_ALIGNED && count > 2)
        usage_error(command, "what are these %d files? --format tsv: each holds both sides; "
                             "--format aligned: they come in twos, source and target", count);
    if (format == FORMAT_ALIGNED && count % 2)
        usage_error(command, "aligned files come in twos, source and target; %d were named", count);
    BitextFiles files = { .name = (const char *const *)names, .count = count,
                          .aligned = format == FORMAT_ALIGNED, .guessed = guessed };
    if (*columns != FIELD_AUTO) files.columns = (Columns){ columns[0], columns[1] };
    return files;
}

/* A pipe must not be read to find out what it is. */
static int is_special(const char *path)
{
    struct stat status;
    return !strcmp(path, "-") || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

/* 1, 0, or -1 with a message. */
static int holds_tab(Lines *lines, Err *e)
{
    char *line;
    size_t length;
    int status;
    while ((status = lines_next(lines, &line, &length, e)) > 0)
        if (memchr(line, '\t', length)) return 1;
    return status;
}

int file_lacks_tabs(const char *path, Err *e)
{
    if (is_special(path)) return 0;
    Lines *lines = lines_open(path, e);
    int tab = lines ? holds_tab(lines, e) : -1;
    int found = tab < 0 ? -1 : !tab && lines_number(lines) > 0;
    lines_close(lines);
    return found;
}

int file_begins_with_pair(const char *path)
{
    Err ignored;
    char *line;
    size_t length;
    Lines *lines = is_special(path) ? NULL : lines_open(path, &ignored);
    const int has_line = lines && lines_next(lines, &line, &length, &ignored) > 0;
    const int found = has_line && memchr(line, '\t', length);
    lines_close(lines);
    return found;
}
