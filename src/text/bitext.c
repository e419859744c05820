/* bitext.c - reading pairs from one file after another, and judging each. */
#include "text/bitext.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/hash_set.h"
#include "base/lines.h"
#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

enum { RATIO_BYTES = 16 };

struct Bitext {
    const BitextFiles   *files;
    const BitextOptions *options;
    BitextReport         report;
    HashSet              seen;              /* pairs */
    int                  file;              /* index of the first file that is open or comes next */
    Lines               *first, *second;    /* NULL between files; second: only of aligned files */
};

const char *skip_reason_text(SkipReason reason)
{
    static const char *const texts[SKIP_REASONS] = {
        [SKIP_NO_TAB] = "no tab between source and target",
        [SKIP_EMPTY] = "an empty side",
        [SKIP_INVALID_UTF8] = "invalid UTF-8",
        [SKIP_TOO_LONG] = "too long",
        [SKIP_RATIO] = "one side much longer than the other",
        [SKIP_EQUAL] = "both sides equal",
        [SKIP_DUPLICATE] = "the same pair as before",
    };
    return texts[reason];
}

static uint64_t hash_pair(uint64_t hash, Span source, Span target)
{
    hash = fnv1a64(hash, source.text, source.length);
    hash = fnv1a64(hash, "\t", 1);
    hash = fnv1a64(hash, target.text, target.length);
    return fnv1a64(hash, "\n", 1);
}

/* ---- Judging ---- */

static Span trimmed(Span span)
{
    return (Span){ span.text, unicode_trimmed(span.text, span.length) };
}

static int words_in(Span span)
{
    int words = 0, inside = 0;
    for (const char *at = span.text, *end = at + span.length; at < end;) {
        int blank = unicode_is_space(unicode_next(&at));
        words += !blank && !inside;
        inside = !blank;
    }
    return words;
}

static double ratio_of(Span a, Span b)
{
    double longer = (double)(a.length > b.length ? a.length : b.length);
    double shorter = (double)(a.length > b.length ? b.length : a.length);
    return (longer + RATIO_BYTES) / (shorter + RATIO_BYTES);
}

static int are_equal(Span a, Span b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* What is wrong with one side; SKIP_REASONS: nothing. */
static SkipReason fault_of(const BitextOptions *options, Span side)
{
    if (options->max_bytes > 0 && side.length > (size_t)options->max_bytes) return SKIP_TOO_LONG;
    if (!unicode_valid(side.text, side.length)) return SKIP_INVALID_UTF8;
    return trimmed(side).length == 0 ? SKIP_EMPTY : SKIP_REASONS;
}

/* Whether a pair without faults is wanted: SKIP_REASONS, or why not. */
static SkipReason judge(Bitext *b, Span source, Span target)
{
    const BitextOptions *o = b->options;
    Span text = trimmed(source);
    if (o->max_ratio > 0 && ratio_of(text, target) > o->max_ratio) return SKIP_RATIO;
    if (o->equal_words && are_equal(text, target) && words_in(text) >= o->equal_words)
        return SKIP_EQUAL;
    if (o->duplicates && hash_set_add(&b->seen, hash_pair(FNV1A64_START, source, target),
                                      o->duplicates))
        return SKIP_DUPLICATE;
    return SKIP_REASONS;
}

static const char *advice_for(SkipReason reason)
{
    return reason == SKIP_INVALID_UTF8 ? "; " LATIN1_ADVICE : "";
}

static BitextPlace place_of(const Bitext *b, const Lines *lines)
{
    return (BitextPlace){ b->file + (lines == b->second), lines_number(lines) };
}

/* Counts a pair that is left out; -1 if it is an error. `lines` is the file at fault. */
static int skip(Bitext *b, SkipReason reason, const Lines *lines, Err *e)
{
    BitextReport *r = &b->report;
    if (b->options->strict && (int)reason < SKIP_FAULTS)
        return err(e, "%s:%ld: %s%s", lines_name(lines), lines_number(lines),
                   skip_reason_text(reason), advice_for(reason));
    if (r->skipped[reason] < SKIP_EXAMPLES)
        r->skipped_at[reason][r->skipped[reason]] = place_of(b, lines);
    r->skipped[reason]++;
    return 0;
}

static int is_ascii(Span side)
{
    return unicode_is_ascii(side.text, side.length);
}

/* 1: the pair is kept, its target trimmed; 0: it is not; -1. */
static int take(Bitext *b, Span *source, Span *target, Err *e)
{
    const Lines *lines = b->first;
    SkipReason reason = fault_of(b->options, *source);
    if (reason == SKIP_REASONS) {
        reason = fault_of(b->options, *target);
        if (reason != SKIP_REASONS && b->second) lines = b->second;
    }
    if (reason == SKIP_REASONS) {
        *target = trimmed(*target);
        b->report.beyond_ascii += !is_ascii(*source) || !is_ascii(*target);
        reason = judge(b, *source, *target);
    }
    if (reason != SKIP_REASONS) return skip(b, reason, lines, e);
    b->report.hash = hash_pair(b->report.hash, *source, *target);
    b->report.pairs++;
    return 1;
}

/* ---- Reading ---- */

/* Counts a line with a '\r' before other text. */
static void count_return(Bitext *b, const Lines *lines, Span line)
{
    const char *end = line.text + line.length, *at = memchr(line.text, '\r', line.length);
    while (at && at < end && *at == '\r')
        at++;
    if (at && at < end && !b->report.carriage_returns++)
        b->report.carriage_return_at = place_of(b, lines);
}

/* The next line of one file: 1, 0 at the end, -1. */
static int next_line(Bitext *b, Lines *lines, Span *span, Err *e)
{
    char *line;
    int status = lines_next(lines, &line, &span->length, e);
    if (status <= 0) return status;
    span->text = line;
    if (memchr(line, '\0', span->length))
        return err(e, "%s:%ld: a NUL byte: this is not a text file", lines_name(lines),
                   lines_number(lines));
    count_return(b, lines, *span);
    return 1;
}

/* Cuts a line of a TSV into its first two columns; 0 when it has no tab. */
static int cut_columns(Span line, Span *source, Span *target)
{
    const char *end = line.text + line.length, *tab = memchr(line.text, '\t', line.length);
    if (!tab) return 0;
    const char *second = memchr(tab + 1, '\t', (size_t)(end - tab - 1));
    *source = (Span){ line.text, (size_t)(tab - line.text) };
    *target = (Span){ tab + 1, (size_t)((second ? second : end) - tab - 1) };
    return 1;
}

/* One line of a TSV. 1: there was one, and *kept says whether it is a pair; 0: the end; -1. */
static int read_tsv(Bitext *b, Span *source, Span *target, int *kept, Err *e)
{
    Span line;
    int status = next_line(b, b->first, &line, e);
    if (status <= 0) return status;
    b->report.lines++;
    *kept = cut_columns(line, source, target) ? take(b, source, target, e)
                                              : skip(b, SKIP_NO_TAB, b->first, e);
    return *kept < 0 ? -1 : 1;
}

static int unequal(const Lines *shorter, const Lines *longer, Err *e)
{
    return err(e, "%s: ends after line %ld, but %s goes on: the lines of both files must belong "
                  "together", lines_name(shorter), lines_number(shorter), lines_name(longer));
}

static int has_tab(Span line)
{
    return memchr(line.text, '\t', line.length) != NULL;
}

/* One line of two files, in the same way. */
static int read_aligned(Bitext *b, Span *source, Span *target, int *kept, Err *e)
{
    int one = next_line(b, b->first, source, e);
    int two = one < 0 ? -1 : next_line(b, b->second, target, e);
    if (one < 0 || two < 0) return -1;
    if (one != two) return unequal(one ? b->second : b->first, one ? b->first : b->second, e);
    if (!one) return 0;
    if (b->files->guessed && !b->report.lines && has_tab(*source) && has_tab(*target))
        return err(e, "%s and %s: both have a tab in line 1; --format tsv: each is a corpus by "
                   "itself; --format aligned: their lines belong together", lines_name(b->first),
                   lines_name(b->second));
    b->report.lines++;
    *kept = take(b, source, target, e);
    return *kept < 0 ? -1 : 1;
}

static void close_files(Bitext *b)
{
    lines_close(b->first);
    lines_close(b->second);
    b->first = b->second = NULL;
}

static int open_files(Bitext *b, Err *e)
{
    const char *const *name = b->files->name + b->file;
    if (!(b->first = lines_open(name[0], e))) return -1;
    return b->files->aligned && !(b->second = lines_open(name[1], e)) ? -1 : 0;
}

static const char *name_of(const BitextFiles *files, int file)
{
    return strcmp(files->name[file], "-") ? files->name[file] : "standard input";
}

/* No pair at all: says so, with the first line that was skipped and why. */
static int nothing_usable(const Bitext *b, Err *e)
{
    const BitextReport *r = &b->report;
    if (!r->lines)
        return err(e, "%s: is empty: a sentence pair a line is needed", name_of(b->files, 0));
    SkipReason reason = SKIP_NO_TAB;
    while (!r->skipped[reason])
        reason++;
    for (int other = reason + 1; other < SKIP_REASONS; other++) {
        const BitextPlace *a = &r->skipped_at[reason][0], *z = &r->skipped_at[other][0];
        if (r->skipped[other] && (z->file < a->file || (z->file == a->file && z->line < a->line)))
            reason = (SkipReason)other;
    }
    const BitextPlace *place = &r->skipped_at[reason][0];
    const char *name = name_of(b->files, place->file), *text = skip_reason_text(reason);
    if (r->lines == 1)
        return err(e, "%s:%ld: %s; and it is the only line%s", name, place->line, text,
                   advice_for(reason));
    return err(e, "%s:%ld: %s; and none of %s%ld lines is a sentence pair%s", name, place->line,
               text, b->files->count > 1 ? "all " : "its ", r->lines, advice_for(reason));
}

int bitext_next(Bitext *b, Span *source, Span *target, Err *e)
{
    for (;;) {
        if (b->options->max_pairs && b->report.pairs >= b->options->max_pairs) return 0;
        if (!b->first && b->file >= b->files->count)
            return b->report.pairs ? 0 : nothing_usable(b, e);
        if (!b->first && open_files(b, e)) return -1;
        int kept = 0, status = b->second ? read_aligned(b, source, target, &kept, e)
                                         : read_tsv(b, source, target, &kept, e);
        if (status < 0) return -1;
        if (kept) return 1;
        if (status) continue;
        close_files(b);
        b->file += b->files->aligned ? 2 : 1;
    }
}

/* Standard input can be read once only, and hours later is too late to learn that a file is
 * missing. */
static int check_files(const BitextFiles *files, Err *e)
{
    int standard = 0;
    for (int i = 0; i < files->count; i++) {
        const char *name = files->name[i];
        if (strcmp(name, "-")) {
            if (file_check(name, e)) return -1;
        } else if (standard++) {
            return files->aligned && files->count == 2
                ? err(e, "standard input cannot be both sides of a corpus: name a file for one of "
                      "them")
                : err(e, "standard input can be read only once: name '-' only once");
        }
    }
    return 0;
}

Bitext *bitext_open(const BitextFiles *files, const BitextOptions *options, Err *e)
{
    if (check_files(files, e)) return NULL;
    Bitext *b = xcalloc(1, sizeof *b);
    b->files = files;
    b->options = options;
    b->report.hash = FNV1A64_START;
    return b;
}

int bitext_may_be_latin1(const BitextReport *report)
{
    return report->skipped[SKIP_INVALID_UTF8] > report->beyond_ascii;
}

const BitextReport *bitext_report(const Bitext *b)
{
    return &b->report;
}

void bitext_close(Bitext *b)
{
    if (!b) return;
    close_files(b);
    hash_set_free(&b->seen);
    free(b);
}
