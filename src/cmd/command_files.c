/* command_files.c - the format of the files of a corpus, by their names and by a look for tabs; the
 * table of the lines that were left out; and comparing files by what they are, not by their names. */
#include "cmd/command_files.h"

#include "base/files/files.h"
#include "base/files/lines.h"
#include "base/mem.h"
#include "base/strings.h"
#include "cmd/models.h"
#include "cmd/options.h"
#include "cmd/progress.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

BitextFiles corpus_files(const char *command, int format, const int columns[2], int count,
                         char **names)
{
    const int guessed = format == FORMAT_AUTO, has_columns = *columns != FIELD_AUTO;
    for (int i = 0; i < count; i++)                     /* attn eval MODEL CORPUS */
        if (is_model_name(names[i]))
            usage_error(command, "'%s' is a model, not a corpus; name it with %s", names[i],
                        strcmp(command, "train") ? "-m" : "--init");
    if (count < 1)
        usage_error(command, "no corpus was named; name a TSV file, or two line-aligned files");
    if (format == FORMAT_ALIGNED && has_columns)
        usage_error(command, "--columns are those of a TSV, and an aligned file has one side "
                             "alone: leave one of --columns and --format out");
    if (columns[0] == columns[1] && has_columns)
        usage_error(command, "--columns %d,%d: source and target are two columns", columns[0],
                    columns[1]);
    if (guessed)
        format = count == 1 || has_columns || all_are_tsv(count, names) ? FORMAT_TSV
                                                                        : FORMAT_ALIGNED;
    if (guessed && format == FORMAT_ALIGNED && count > 2)
        usage_error(command, "what are these %d files? --format tsv: each holds both sides; "
                             "--format aligned: they come in twos, source and target", count);
    if (format == FORMAT_ALIGNED && count % 2)
        usage_error(command, "aligned files come in twos, source and target; %d were named", count);
    BitextFiles files = { .name = (const char *const *)names, .count = count,
                          .aligned = format == FORMAT_ALIGNED, .guessed = guessed };
    if (has_columns) files.columns = (Columns){ columns[0], columns[1] };
    return files;
}

/* ---- A look into a file ---- */

/* A pipe must not be read to find out what it is. */
static int is_special(const char *path)
{
    struct stat status;
    return !strcmp(path, "-") || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

Tabs file_tabs(const char *path, int first_alone, Err *e)
{
    char *line;
    size_t length;
    if (is_special(path)) return TABS_UNKNOWN;
    Lines *lines = lines_open(path, e);
    if (!lines) return TABS_FAILED;
    Tabs found = TABS_UNKNOWN;
    int rc;
    while ((rc = lines_next(lines, &line, &length, e)) > 0) {
        found = memchr(line, '\t', length) ? TABS_SOME : TABS_NONE;
        if (found == TABS_SOME || first_alone) break;
    }
    lines_close(lines);
    return rc < 0 ? TABS_FAILED : found;
}

/* ---- What was left out ---- */

/* "fra.txt:3, 8, de.txt:1, ..." */
static void add_places(const BitextReport *report, SkipReason reason, const BitextFiles *files,
                       Buf *out)
{
    const BitextPlace *place = report->skipped_at[reason];
    long count = report->skipped[reason];
    for (int i = 0; i < SKIP_EXAMPLES && i < count; i++) {
        if (i) buf_puts(out, ", ");
        if (!i || place[i].file != place[i - 1].file)
            buf_printf(out, "%s:", files->name[place[i].file]);
        buf_printf(out, "%ld", place[i].line);
    }
    if (count > SKIP_EXAMPLES) buf_puts(out, ", ...");
}

static void warn_table(const BitextReport *report, const BitextFiles *files)
{
    long skipped = 0;
    SCOPED(buf_free) Buf places = { 0 };
    for (int reason = 0; reason < SKIP_REASONS; reason++)
        skipped += report->skipped[reason];
    if (!skipped) return;
    warn("%s of %s line%s %s left out:", progress_count((double)skipped).text,
         progress_count((double)report->lines).text, plural((double)report->lines),
         skipped == 1 ? "was" : "were");
    for (int reason = 0; reason < SKIP_REASONS; reason++) {
        if (!report->skipped[reason]) continue;
        buf_clear(&places);
        add_places(report, (SkipReason)reason, files, &places);
        printable_line(stderr, "%12s  %s (%s)",
                       progress_count((double)report->skipped[reason]).text,
                       skip_reason_text((SkipReason)reason), places.text);
    }
}

/* What a program that wrote the corpus put around its text. */
static void warn_wrapped(const BitextReport *report)
{
    if (2 * report->quoted > report->pairs)
        warn("%ld %% of the targets are in quotation marks, which are taken for text; python3 -c "
             "\"import csv, sys; [print(*row, sep='\\t') for row in csv.reader(sys.stdin, "
             "'excel-tab')]\" takes off those of CSV", 100 * report->quoted / report->pairs);
    if (2 * report->markup > report->pairs)
        warn("%ld %% of the sources are markup, which is taken for text; sed -n "
             "'s/.*<seg[^>]*>\\(.*\\)<\\/seg>.*/\\1/p' takes the text out of <seg>",
             100 * report->markup / report->pairs);
}

void warn_skipped(const BitextReport *report, const BitextFiles *files)
{
    enum { MUCH = 5 };          /* percent */
    warn_table(report, files);
    warn_wrapped(report);
    for (int reason = 0; reason < SKIP_REASONS; reason++) {
        /* the corpus may be in another encoding, or of a task where such pairs belong */
        const char *advice = skip_reason_advice((SkipReason)reason);
        const long percent = 100 * report->skipped[reason] / report->lines;
        if (*advice && percent >= MUCH)
            warn("%s in %ld %% of the lines%s", skip_reason_text((SkipReason)reason), percent,
                 advice);
    }
}

/* ---- Files that a command will write ---- */

/* Whether the file is one that is read; "-" is standard input: `attn translate -o FILE < FILE`. */
static int is_input(const char *path, const char *input)
{
    struct stat status;
    if (!input) return 0;
    if (strcmp(input, "-")) return file_same(path, input);
    return !stat(path, &status) && S_ISREG(status.st_mode) && file_is_at(STDIN_FILENO, path);
}

int output_exists(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) && status.st_size > 0;
}

int output_refuse_existing(const Output *output, Err *e)
{
    if (!output->path || !output_exists(output->path)) return 0;
    return err(e, "%s: is there already; --force replaces it, %s names another file", output->path,
               output->option);
}

int outputs_check(const Output *output, size_t outputs, const char *const *input, size_t inputs,
                  int force, Err *e)
{
    for (const Output *one = output; one < output + outputs; one++) {
        if (!one->path) continue;
        if (!strcmp(one->path, "-"))
            return err(e, "%s -: standard output is no place for the %s; name a file",
                       one->option, one->what);
        for (size_t k = 0; k < inputs; k++)
            if (is_input(one->path, input[k]))
                return err(e, "'%s' is read: it cannot be written too", one->path);
        for (const Output *before = output; before < one; before++)
            if (before->path && file_same(one->path, before->path))
                return err(e, "'%s' cannot be the %s and the %s too", one->path, one->what,
                           before->what);
    }
    for (size_t i = 0; i < outputs && !force; i++)
        if (output_refuse_existing(&output[i], e)) return -1;
    return 0;
}
