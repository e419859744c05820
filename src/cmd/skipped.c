/* skipped.c - one line on stderr for each reason. */
#include "cmd/skipped.h"

static void warn_of(const Corpus *corpus, SkipReason reason, const char *name)
{
    long count = corpus->skipped[reason];
    Buf lines = { 0 };
    for (int i = 0; i < SKIP_EXAMPLES && i < count; i++)
        buf_printf(&lines, "%s%ld", i ? ", " : "", corpus->skipped_at[reason][i]);
    warn("%s: %ld line%s skipped: %s (line%s %s%s)", name, count, count > 1 ? "s" : "", skip_reason_text(reason),
         count > 1 ? "s" : "", lines.text, count > SKIP_EXAMPLES ? ", ..." : "");
    buf_free(&lines);
}

void warn_skipped(const Corpus *corpus, const char *name)
{
    for (int reason = 0; reason < SKIP_REASONS; reason++)
        if (corpus->skipped[reason]) warn_of(corpus, (SkipReason)reason, name);
}
