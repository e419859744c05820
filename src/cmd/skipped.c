/* skipped.c - the table of the lines that were left out. */
#include "cmd/skipped.h"

#include "base/buf.h"
#include "base/printable.h"
#include "base/plural.h"
#include "cmd/progress.h"

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

/* Reasons that take away much of a corpus: it may be in another encoding, or of a task where such pairs belong. */
static void advise(const BitextReport *report)
{
    enum { MUCH = 5 };          /* percent */
    for (int reason = 0; reason < SKIP_REASONS; reason++) {
        const char *advice = skip_reason_advice((SkipReason)reason);
        const long percent = 100 * report->skipped[reason] / report->lines;
        if (*advice && percent >= MUCH)
            warn("%s in %ld %% of the lines%s", skip_reason_text((SkipReason)reason), percent, advice);
    }
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
    advise(report);
}
