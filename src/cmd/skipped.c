/* skipped.c - the table of the lines that were left out. */
#include "cmd/skipped.h"

#include "base/buf.h"
#include "base/printable.h"
#include "base/plural.h"
#include "cmd/progress.h"
#include "text/unicode.h"

#include <stdio.h>

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

/* Filters that take away much of a corpus: it may be of a task where such pairs belong. */
static void advise_on_filters(const BitextReport *report)
{
    enum { MUCH = 5 };          /* percent */
    for (int reason = SKIP_FAULTS; reason < SKIP_REASONS; reason++) {
        const char *advice = skip_reason_advice((SkipReason)reason);
        const long percent = 100 * report->skipped[reason] / report->lines;
        if (*advice && percent >= MUCH)
            warn("%s in %ld %% of the lines%s", skip_reason_text((SkipReason)reason), percent, advice);
    }
}

/* What the start of a file says. */
static void advise_on_layout(const BitextReport *report, const BitextFiles *files)
{
    const BitextShare *ids = &report->ids, *quoted = &report->quoted, *markup = &report->markup;
    if (ids->percent)
        warn("%s: column 1 holds numbers or ids in %d %% of the lines; ids can't be "
             "translated; if these are none, --columns 1,2 says so",
             files->name[ids->file], ids->percent);
    if (quoted->percent)
        warn("%s: %d %% of the cells are in quotation marks, as in CSV (RFC 4180): read without these, "
             "and \"\" as \"", files->name[quoted->file], quoted->percent);
    if (markup->percent)
        warn("%s: %d %% of the lines are markup, which is taken for text; " MARKUP_ADVICE,
             files->name[markup->file], markup->percent);
}

/* Faults of the whole file that its lines point to. */
static void advise(const BitextReport *report, const BitextFiles *files)
{
    if (bitext_may_be_latin1(report))
        warn("%s: most of its text beyond ASCII is not UTF-8%s",
             files->name[report->skipped_at[SKIP_INVALID_UTF8][0].file],
             unicode_advice(report->is_windows));
    if (report->carriage_returns)
        warn("%s:%ld: a carriage return inside a line, in %ld of %ld line%s: it ends none; where "
             "it should, tr '\\r' '\\n' converts it", files->name[report->carriage_return_at.file],
             report->carriage_return_at.line, report->carriage_returns, report->lines,
             plural((double)report->lines));
}

static void warn_table(const BitextReport *report, const BitextFiles *files)
{
    char left_out[COUNT_TEXT], lines[COUNT_TEXT], count[COUNT_TEXT];
    long skipped = 0;
    Buf places = { 0 };
    for (int reason = 0; reason < SKIP_REASONS; reason++)
        skipped += report->skipped[reason];
    if (!skipped) return;
    warn("%s of %s line%s %s left out:", progress_count(left_out, (double)skipped),
         progress_count(lines, (double)report->lines), plural((double)report->lines),
         skipped == 1 ? "was" : "were");
    for (int reason = 0; reason < SKIP_REASONS; reason++) {
        if (!report->skipped[reason]) continue;
        buf_clear(&places);
        add_places(report, (SkipReason)reason, files, &places);
        printable_line(stderr, "%12s  %s (%s)",
                       progress_count(count, (double)report->skipped[reason]),
                       skip_reason_text((SkipReason)reason), places.text);
    }
    buf_free(&places);
}

void warn_skipped(const BitextReport *report, const BitextFiles *files)
{
    warn_table(report, files);
    advise_on_filters(report);
    advise_on_layout(report, files);
    advise(report, files);
}
