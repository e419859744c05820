/* bitext.c - reading pairs from one file after another, and judging each. */
#include "text/corpus/bitext.h"

#include "base/files/files.h"
#include "base/files/lines.h"
#include "base/hash.h"
#include "base/mem.h"
#include "text/unicode.h"

#include <limits.h>
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
    Columns              columns;           /* of a TSV */
};

static const struct { const char *text, *advice; } reasons[SKIP_REASONS] = {
    [SKIP_NO_TAB] = { "no tab between source and target", "" },
    [SKIP_NO_COLUMN] = { "fewer columns than --columns asks for", "" },
    [SKIP_EMPTY] = { "an empty side", "" },
    [SKIP_INVALID_UTF8] = { "invalid UTF-8", UNICODE_ADVICE },
    [SKIP_TOO_LONG] = { "too long", "" },
    [SKIP_RATIO] = { "one side much longer than the other", "; --max-ratio 0 keeps such pairs" },
    [SKIP_EQUAL] = { "both sides equal", "; --skip-equal 0 keeps such pairs" },
    [SKIP_DUPLICATE] = { "the same pair as before", "" },
};

const char *skip_reason_text(SkipReason reason)
{
    return reasons[reason].text;
}

const char *skip_reason_advice(SkipReason reason)
{
    return reasons[reason].advice;
}

static uint64_t hash_pair(uint64_t hash, Slice source, Slice target)
{
    hash = fnv1a64(hash, source.text, source.length);
    hash = fnv1a64(hash, "\t", 1);
    hash = fnv1a64(hash, target.text, target.length);
    return fnv1a64(hash, "\n", 1);
}

/* ---- Judging ---- */

static Slice trimmed(Slice span)
{
    return (Slice){ span.text, unicode_trimmed(span.text, span.length) };
}

static double ratio_of(Slice a, Slice b)
{
    double longer = (double)(a.length > b.length ? a.length : b.length);
    double shorter = (double)(a.length > b.length ? b.length : a.length);
    return (longer + RATIO_BYTES) / (shorter + RATIO_BYTES);
}

/* What is wrong with one side; SKIP_REASONS: nothing. */
static SkipReason fault_of(const BitextOptions *options, Slice side)
{
    if (options->max_bytes > 0 && side.length > (size_t)options->max_bytes) return SKIP_TOO_LONG;
    if (!unicode_valid(side.text, side.length)) return SKIP_INVALID_UTF8;
    return trimmed(side).length == 0 ? SKIP_EMPTY : SKIP_REASONS;
}

/* Whether a pair without faults is wanted: SKIP_REASONS, or why not. */
static SkipReason judge_pair(const BitextOptions *o, Slice source, Slice target)
{
    Slice text = trimmed(source);
    if (o->max_ratio > 0 && ratio_of(text, target) > o->max_ratio) return SKIP_RATIO;
    if (o->equal_words && slices_equal(text, target) && unicode_words(text.text, text.length) >= o->equal_words)
        return SKIP_EQUAL;
    return SKIP_REASONS;
}

void bitext_judge(const BitextOptions *options, BitextLine *line)
{
    line->is_target = 0;
    if (line->reason != SKIP_REASONS) return;
    line->reason = fault_of(options, line->source);
    line->is_target = line->reason == SKIP_REASONS;
    if (line->is_target) line->reason = fault_of(options, line->target);
    if (line->reason != SKIP_REASONS) return;
    line->target = trimmed(line->target);
    line->reason = judge_pair(options, line->source, line->target);
    line->is_target = 0;
    if (options->duplicates)
        line->hash = hash_pair(FNV1A64_START, line->source, line->target);
}

/* ---- Taking ---- */

static const char *name_of(const BitextFiles *files, int file)
{
    return strcmp(files->name[file], "-") ? files->name[file] : "standard input";
}

/* Where all lines are left out for this reason, as with commas for tabs, or one language alone. */
static const char *advice_for_all(SkipReason reason)
{
    return reason != SKIP_NO_TAB ? skip_reason_advice(reason)
         : "; save a spreadsheet as tab-separated text, or name two line-aligned files";
}

/* The place of a line in the file that is at fault. */
static BitextPlace place_of(const Bitext *b, const BitextLine *line)
{
    const int is_second = line->is_target && b->files->aligned;
    return (BitextPlace){ line->place.file + is_second, line->place.line };
}

/* Counts a line that is left out; -1 if it is an error. */
static int skip(Bitext *b, SkipReason reason, BitextPlace place, Err *e)
{
    BitextReport *r = &b->report;
    if (b->options->strict && (int)reason < SKIP_FAULTS)
        return err(e, "%s:%ld: %s%s", name_of(b->files, place.file), place.line,
                   skip_reason_text(reason), skip_reason_advice(reason));
    if (!r->all_skipped++) r->first_skipped = reason;
    if (r->skipped[reason] < SKIP_EXAMPLES) r->skipped_at[reason][r->skipped[reason]] = place;
    r->skipped[reason]++;
    return 0;
}

static int is_between(Slice side, char first, char last)
{
    return side.length > 2 && side.text[0] == first && side.text[side.length - 1] == last;
}

int bitext_take(Bitext *b, const BitextLine *line, Err *e)
{
    const size_t most = b->options->duplicates;
    SkipReason reason = line->reason;
    if (reason == SKIP_REASONS && most && hash_set_add(&b->seen, line->hash, most))
        reason = SKIP_DUPLICATE;
    if (reason != SKIP_REASONS) return skip(b, reason, place_of(b, line), e);
    b->report.hash = hash_pair(b->report.hash, line->source, line->target);
    b->report.quoted += is_between(line->target, '"', '"');
    b->report.markup += is_between(trimmed(line->source), '<', '>');
    b->report.pairs++;
    return 1;
}

long bitext_wanted(const Bitext *b)
{
    return b->options->max_pairs ? b->options->max_pairs - b->report.pairs : LONG_MAX;
}

/* ---- Columns ---- */

static int has_tab(Slice line)
{
    return memchr(line.text, '\t', line.length) != NULL;
}

/* The cell of a line in that column; text NULL: there is none. */
static Slice cell_of(Slice line, int column)
{
    const char *const end = line.text + line.length, *at = line.text;
    const char *tab = memchr(at, '\t', line.length);
    for (; column > 1 && tab; column--) {
        at = tab + 1;
        tab = memchr(at, '\t', (size_t)(end - at));
    }
    return column > 1 ? (Slice){ NULL, 0 } : (Slice){ at, (size_t)((tab ? tab : end) - at) };
}

enum { COLUMNS_SEEN = 32, NEARLY_ALL = 90 /* percent */ };

/* How many cells hold text; numbers, ids or addresses: digits without letters, one word with a digit, or a sign between
 * letters. */
typedef struct { long texts, others; } Column;

static void see_cell(Column *column, Slice cell)
{
    int letters = 0, digits = 0, blanks = 0, joints = 0;
    const int is_valid = unicode_valid(cell.text, cell.length);
    if (is_valid) cell = trimmed(cell);
    for (const char *at = cell.text, *end = at + cell.length; at < end && is_valid;) {
        const int32_t point = unicode_next(&at);
        letters += unicode_is_letter(point);
        digits += unicode_is_number(point);
        blanks += unicode_is_space(point);
        joints += point && point < 0x80 && strchr("_/\\@:.", point) && at < end;
    }
    const int is_other = letters ? !blanks && (digits || joints) : digits > 0;
    column->others += is_other;
    column->texts += !is_valid || (letters && !is_other);
}

/* The next column of text behind this one; 0: none. */
static int next_text(const Column column[COLUMNS_SEEN], long lines, int from)
{
    for (int i = from; i < COLUMNS_SEEN; i++)
        if (2 * column[i].texts >= lines && 100 * column[i].others < NEARLY_ALL * lines) return i + 1;
    return 0;
}

/* -1 with a message if one of the first two columns of a TSV that begins with this text holds no text in nearly all lines,
 * and a further one does: who learns numbers has no text beside them. */
static int check_columns(const char *name, const char *text, size_t length, Err *e)
{
    Column column[COLUMNS_SEEN] = { { 0, 0 } };
    const char *const end = text + length;
    long lines = 0;
    for (const char *next; text < end; text = next + 1) {
        next = memchr(text, '\n', (size_t)(end - text));
        if (!next && length >= PEEK_BYTES) break;               /* the line goes on behind what is seen */
        if (!next) next = end;
        const Slice line = { text, (size_t)(next - text) };
        if (!has_tab(line)) continue;
        Slice cell;
        for (int i = 0; i < COLUMNS_SEEN && (cell = cell_of(line, i + 1)).text; i++)
            see_cell(&column[i], cell);
        lines++;
    }
    const int other = 100 * column[0].others >= NEARLY_ALL * lines ? 0 : 1;
    if (!lines || 100 * column[other].others < NEARLY_ALL * lines || !next_text(column, lines, 2)) return 0;
    const int first = next_text(column, lines, 0), second = next_text(column, lines, first);
    if (!second) return 0;
    return err(e, "%s: column %d holds numbers, ids or addresses in %ld %% of the lines; columns %d and %d hold text: "
                  "--columns %d,%d takes them, --columns 1,2 the first two all the same", name, other + 1,
               100 * column[other].others / lines, first, second, first, second);
}

/* ---- Reading ---- */

/* The next line of one file: 1, 0 at the end, -1. */
static int next_line(Lines *lines, Slice *span, Err *e)
{
    char *line;
    int status = lines_next(lines, &line, &span->length, e);
    if (status <= 0) return status;
    span->text = line;
    if (memchr(line, '\0', span->length))
        return err(e, "%s:%ld: a NUL byte: this is not a text file", lines_name(lines),
                   lines_number(lines));
    return 1;
}

/* One line of a TSV: 1; 0: the end; -1. */
static int read_tsv(Bitext *b, BitextLine *line, Err *e)
{
    Slice text;
    int status = next_line(b->first, &text, e);
    if (status <= 0) return status;
    line->source = cell_of(text, b->columns.source);
    line->target = cell_of(text, b->columns.target);
    line->reason = SKIP_REASONS;
    if (!line->source.text || !line->target.text) {
        line->source = line->target = (Slice){ text.text, 0 };
        line->reason = has_tab(text) ? SKIP_NO_COLUMN : SKIP_NO_TAB;
    }
    return 1;
}

static int unequal(const Lines *shorter, const Lines *longer, Err *e)
{
    return err(e, "%s: ends after line %ld, but %s goes on: the lines of both files must belong "
                  "together", lines_name(shorter), lines_number(shorter), lines_name(longer));
}

/* One line of two files, in the same way. */
static int read_aligned(Bitext *b, BitextLine *line, Err *e)
{
    int one = next_line(b->first, &line->source, e);
    int two = one < 0 ? -1 : next_line(b->second, &line->target, e);
    if (one < 0 || two < 0) return -1;
    if (one != two) return unequal(one ? b->second : b->first, one ? b->first : b->second, e);
    if (!one) return 0;
    if (b->files->guessed && !b->report.lines && has_tab(line->source) && has_tab(line->target))
        return err(e, "%s and %s: both have a tab in line 1; --format tsv: each is a corpus by "
                   "itself; --format aligned: their lines belong together", lines_name(b->first),
                   lines_name(b->second));
    line->reason = SKIP_REASONS;
    return 1;
}

static void close_files(Bitext *b)
{
    lines_close(b->first);
    lines_close(b->second);
    b->first = b->second = NULL;
}

static int open_files(Bitext *b, Err *e)
{
    const char *const *name = b->files->name + b->file, *text;
    size_t length;
    if (!(b->first = lines_open(name[0], e))) return -1;
    if (b->files->aligned) return (b->second = lines_open(name[1], e)) ? 0 : -1;
    if (b->files->columns.source) return 0;
    return lines_peek(b->first, &text, &length, e) ? -1 : check_columns(lines_name(b->first), text, length, e);
}

int bitext_end(const Bitext *b, Err *e)
{
    const BitextReport *r = &b->report;
    if (r->pairs) return 0;
    if (!r->lines) return err(e, "%s: is empty: a sentence pair a line is needed", name_of(b->files, 0));
    const SkipReason reason = r->first_skipped;
    const BitextPlace *place = &r->skipped_at[reason][0];
    const char *name = name_of(b->files, place->file), *text = skip_reason_text(reason);
    if (r->lines == 1)
        return err(e, "%s:%ld: %s; and it is the only line%s", name, place->line, text, advice_for_all(reason));
    return err(e, "%s:%ld: %s; and none of %s%ld lines is a sentence pair%s", name, place->line,
               text, b->files->count > 1 ? "all " : "its ", r->lines, advice_for_all(reason));
}

int bitext_read(Bitext *b, BitextLine *line, Err *e)
{
    while (b->first || b->file < b->files->count) {
        if (!b->first && open_files(b, e)) return -1;
        const int status = b->second ? read_aligned(b, line, e) : read_tsv(b, line, e);
        if (status < 0) return -1;
        if (status) {
            b->report.lines++;
            line->place = (BitextPlace){ b->file, lines_number(b->first) };
            return 1;
        }
        close_files(b);
        b->file += b->files->aligned ? 2 : 1;
    }
    return 0;
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
    b->columns = files->columns.source ? files->columns : (Columns){ 1, 2 };
    b->report.hash = FNV1A64_START;
    return b;
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
    xfree(b);
}
