/* corpus.c - reading pairs, telling what was skipped, and turning pairs into ids.
 *
 * The text lives in a few large blocks and stays where it was put, so that a corpus is two arrays of pointers.
 */
#include "text/corpus.h"

#include "base/file.h"
#include "base/mem.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 20, PARTS = 100 };

const char *skip_reason_text(SkipReason reason)
{
    static const char *const texts[SKIP_REASONS] = {
        [SKIP_NO_TAB] = "no tab between source and target",
        [SKIP_EMPTY] = "an empty side",
        [SKIP_INVALID_UTF8] = "invalid UTF-8",
        [SKIP_TOO_LONG] = "too long",
    };
    return texts[reason];
}

Part corpus_part(const char *source)
{
    uint64_t part = fnv1a64(FNV1A64_START, source, strlen(source)) % PARTS;
    return part == 0 ? PART_TEST : part == 1 ? PART_VALID : PART_TRAIN;
}

/* ---- Reading ---- */

typedef struct { const char *text; size_t length; } Span;

typedef struct {
    Corpus              *corpus;
    const CorpusOptions *options;
    Lines               *first, *second;        /* second: NULL for a TSV */
    size_t               source_capacity, target_capacity, block_capacity;
    char                *room;                  /* what is left of the last block */
    size_t               room_length;
} Reader;

static Span trimmed(Span span)
{
    while (span.length) {
        size_t start = span.length - 1;
        while (start && (span.text[start] & 0xC0) == 0x80)
            start--;
        const char *at = span.text + start;
        if (!unicode_is_space(unicode_next(&at))) break;
        span.length = start;
    }
    return span;
}

/* Copies a text to where it stays. */
static const char *keep(Reader *r, Span span)
{
    Corpus *corpus = r->corpus;
    if (span.length >= r->room_length) {
        r->room_length = span.length + 1 > BLOCK ? span.length + 1 : BLOCK;
        r->room = xmalloc(r->room_length, 1);
        corpus->blocks = grow(corpus->blocks, &r->block_capacity, corpus->block_count + 1, sizeof *corpus->blocks);
        corpus->blocks[corpus->block_count++] = r->room;
    }
    char *copy = r->room;
    memcpy(copy, span.text, span.length);
    copy[span.length] = '\0';
    r->room += span.length + 1;
    r->room_length -= span.length + 1;
    return copy;
}

static void keep_pair(Reader *r, Span source, Span target)
{
    Corpus *corpus = r->corpus;
    size_t count = corpus->count + 1;
    corpus->source = grow(corpus->source, &r->source_capacity, count, sizeof *corpus->source);
    corpus->target = grow(corpus->target, &r->target_capacity, count, sizeof *corpus->target);
    corpus->hash = fnv1a64(corpus->hash, source.text, source.length);
    corpus->hash = fnv1a64(corpus->hash, "\t", 1);
    corpus->hash = fnv1a64(corpus->hash, target.text, target.length);
    corpus->hash = fnv1a64(corpus->hash, "\n", 1);
    corpus->source[corpus->count] = keep(r, source);
    corpus->target[corpus->count] = keep(r, target);
    corpus->count = count;
}

/* The next line of one file: 1, 0 at the end, -1. */
static int next_line(Lines *lines, Span *span, Err *e)
{
    char *line;
    int status = lines_next(lines, &line, &span->length, e);
    if (status <= 0) return status;
    span->text = line;
    if (memchr(line, '\0', span->length))
        return err(e, "%s:%ld: a NUL byte: this is not a text file", lines_name(lines), lines_number(lines));
    return 1;
}

/* What is wrong with one side; SKIP_REASONS: nothing. */
static SkipReason problem_of(const CorpusOptions *options, Span side)
{
    if (options->max_bytes > 0 && side.length > (size_t)options->max_bytes) return SKIP_TOO_LONG;
    if (!unicode_valid(side.text, side.length)) return SKIP_INVALID_UTF8;
    return trimmed(side).length == 0 ? SKIP_EMPTY : SKIP_REASONS;
}

static int skip(Reader *r, SkipReason reason, const Lines *lines, Err *e)
{
    Corpus *corpus = r->corpus;
    if (r->options->strict)
        return err(e, "%s:%ld: %s", lines_name(lines), corpus->lines, skip_reason_text(reason));
    if (corpus->skipped[reason] < SKIP_EXAMPLES) corpus->skipped_at[reason][corpus->skipped[reason]] = corpus->lines;
    corpus->skipped[reason]++;
    return 0;
}

static int take_pair(Reader *r, Span source, Span target, Err *e)
{
    SkipReason reason = problem_of(r->options, source);
    if (reason != SKIP_REASONS) return skip(r, reason, r->first, e);
    reason = problem_of(r->options, target);
    if (reason != SKIP_REASONS) return skip(r, reason, r->second ? r->second : r->first, e);
    keep_pair(r, source, trimmed(target));
    return 0;
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

static int read_tsv(Reader *r, Err *e)
{
    Span line, source, target;
    int status;
    while ((!r->options->max_pairs || (long)r->corpus->count < r->options->max_pairs) &&
           (status = next_line(r->first, &line, e)) != 0) {
        if (status < 0) return -1;
        r->corpus->lines++;
        int failed = cut_columns(line, &source, &target) ? take_pair(r, source, target, e)
                                                         : skip(r, SKIP_NO_TAB, r->first, e);
        if (failed) return -1;
    }
    return 0;
}

static int unequal(const Reader *r, const Lines *shorter, const Lines *longer, Err *e)
{
    return err(e, "%s: ends after line %ld, but %s goes on: the lines of both files must belong together",
               lines_name(shorter), r->corpus->lines, lines_name(longer));
}

static int read_two_files(Reader *r, Err *e)
{
    Span source, target = { "", 0 };
    while (!r->options->max_pairs || (long)r->corpus->count < r->options->max_pairs) {
        int one = next_line(r->first, &source, e), two = one < 0 ? -1 : next_line(r->second, &target, e);
        if (one < 0 || two < 0) return -1;
        if (one != two) return unequal(r, one ? r->second : r->first, one ? r->first : r->second, e);
        if (!one) break;
        r->corpus->lines++;
        if (take_pair(r, source, target, e)) return -1;
    }
    return 0;
}

/* No pair at all: says so, with the first line that was skipped and why. */
static int nothing_usable(const Corpus *corpus, const char *name, Err *e)
{
    if (corpus->lines == 0) return err(e, "%s: is empty: a sentence pair a line is needed", name);
    SkipReason reason = SKIP_NO_TAB;
    while (corpus->skipped_at[reason][0] != 1)
        reason++;
    return err(e, "%s:1: %s; and none of its %ld lines is a sentence pair",
               name, skip_reason_text(reason), corpus->lines);
}

int corpus_read(Corpus *corpus, const char *first, const char *second, const CorpusOptions *options, Err *e)
{
    *corpus = (Corpus){ .hash = FNV1A64_START };
    Reader r = { .corpus = corpus, .options = options };
    int failed = -1;
    if (second && strcmp(first, "-") == 0 && strcmp(second, "-") == 0)
        err(e, "standard input cannot be both sides of a corpus: name a file for one of them");
    else if ((r.first = lines_open(first, e)) && (!second || (r.second = lines_open(second, e))))
        failed = second ? read_two_files(&r, e) : read_tsv(&r, e);
    if (!failed && corpus->count == 0) failed = nothing_usable(corpus, lines_name(r.first), e);
    lines_close(r.first);
    lines_close(r.second);
    if (failed) corpus_free(corpus);
    return failed;
}

void corpus_free(Corpus *corpus)
{
    for (size_t i = 0; i < corpus->block_count; i++)
        free(corpus->blocks[i]);
    free(corpus->blocks);
    free(corpus->source);
    free(corpus->target);
    *corpus = (Corpus){ 0 };
}

/* ---- Pairs as ids ---- */

/* Appends one side with its <eos>, cut to `limit` ids; whether it had to be cut. */
static int encode_side(const Tokenizer *t, const char *text, int limit, Ids *ids)
{
    size_t end = ids->count + (size_t)limit;
    tokenizer_encode(t, text, strlen(text), ids, NULL);
    ids_add(ids, ID_END);
    if (ids->count <= end) return 0;
    ids->count = end;
    return 1;
}

void pairs_encode(Pairs *pairs, const Corpus *corpus, const size_t *chosen, size_t count,
                  const Tokenizer *source, const Tokenizer *target, int limit, int truncate, long *dropped)
{
    *pairs = (Pairs){ .source_at = xcalloc(count + 1, sizeof *pairs->source_at),
                      .target_at = xcalloc(count + 1, sizeof *pairs->target_at) };
    Ids sources = { 0 }, targets = { 0 };
    *dropped = 0;
    for (size_t i = 0; i < count; i++) {
        int cut = encode_side(source, corpus->source[chosen[i]], limit, &sources);
        cut |= encode_side(target, corpus->target[chosen[i]], limit, &targets);
        if (cut && !truncate) {
            sources.count = pairs->source_at[pairs->count];
            targets.count = pairs->target_at[pairs->count];
            ++*dropped;
            continue;
        }
        pairs->count++;
        pairs->source_at[pairs->count] = sources.count;
        pairs->target_at[pairs->count] = targets.count;
    }
    pairs->source = sources.id;
    pairs->target = targets.id;
}

void pairs_free(Pairs *pairs)
{
    free(pairs->source);
    free(pairs->target);
    free(pairs->source_at);
    free(pairs->target_at);
    *pairs = (Pairs){ 0 };
}
