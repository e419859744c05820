/* fuzz_corpus.c - any bytes as a corpus: one TSV file, or two files of lines.
 *
 * The first byte chooses the options (bit 0: two files, the bytes being cut at a third of their
 * length; bits 1 and 2: a limit of 4, 16 or 64 bytes a side; bit 3: cleaning; bits 6 and 7: a column
 * for the source, the first being the target). The other bytes are the text.
 */
#include "nameless.h"

#include "base/hash.h"
#include "text/corpus/corpus.h"
#include "text/unicode.h"

#include <string.h>

static void check_side(const char *side, int max_bytes)
{
    size_t length = strlen(side);
    require(length > 0 && unicode_valid(side, length) && !strchr(side, '\n'));
    require(!max_bytes || length <= (size_t)max_bytes);
}

typedef struct { Corpus corpus; BitextReport report; } Read;

/* Checks the laws of a corpus that could be read. Returns whether no line had a fault. */
static int check_corpus(const Read *read, const BitextOptions *options, int columns)
{
    const Corpus *corpus = &read->corpus;
    uint64_t hash = FNV1A64_START;
    long skipped = 0, faults = 0;
    for (size_t i = 0; i < corpus->count; i++) {
        const char *sides[] = { corpus->source[i], corpus->target[i] };
        for (int k = 0; k < 2; k++) {
            check_side(sides[k], options->max_bytes);
            require(!columns || !strchr(sides[k], '\t'));
            hash = fnv1a64(hash, sides[k], strlen(sides[k]));
            hash = fnv1a64(hash, k ? "\n" : "\t", 1);
        }
    }
    for (int reason = 0; reason < SKIP_REASONS; reason++) {
        skipped += read->report.skipped[reason];
        if (reason < SKIP_FAULTS) faults += read->report.skipped[reason];
    }
    require(corpus->count > 0 && (long)corpus->count + skipped == read->report.lines);
    require(read->report.hash == hash && read->report.pairs == (long)corpus->count);
    return faults == 0;
}

static int read_corpus(Read *read, const Nameless *first, const Nameless *second,
                       Columns columns, const BitextOptions *options)
{
    Err e = { "" };
    const char *const names[] = { first->path, second ? second->path : NULL };
    const BitextFiles files = { .name = names, .count = second ? 2 : 1, .aligned = second != NULL,
                                .columns = columns };
    rewind(first->stream);
    if (second) rewind(second->stream);
    int failed = corpus_read(&read->corpus, &files, options, -1, &read->report, &e);
    require(!failed == !e.text[0]);
    return failed;
}

/* With `strict` the same corpus is read, or none if a line had a fault. */
static void check_reading(const Nameless *first, const Nameless *second, Columns columns,
                          BitextOptions options)
{
    Read lenient, strict;
    int failed = read_corpus(&lenient, first, second, columns, &options);
    int whole = !failed && check_corpus(&lenient, &options, !second);
    options.strict = 1;
    int refused = 0 != read_corpus(&strict, first, second, columns, &options);
    require(failed ? refused : refused == !whole);
    if (whole) {
        require(strict.report.hash == lenient.report.hash
                && strict.corpus.count == lenient.corpus.count);
        corpus_free(&strict.corpus);
    }
    if (!failed) corpus_free(&lenient.corpus);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const int limits[] = { 0, 4, 16, 64 };
    if (length == 0) return 0;
    int two = bytes[0] & 1;
    int cleaning = bytes[0] >> 3 & 1;
    const int column = bytes[0] >> 6;
    const Columns columns = column ? (Columns){ 1 + column, 1 } : (Columns){ 0, 0 };
    BitextOptions options = { .max_bytes = limits[bytes[0] >> 1 & 3],
                              .max_ratio = cleaning ? 1.5 : 0, .equal_words = cleaning,
                              .duplicates = cleaning ? 3 : 0 };
    size_t all = length - 1, first_length = two ? all / 3 : all;
    Nameless first = nameless_file(bytes + 1, first_length);
    Nameless second = { 0 };
    if (two) second = nameless_file(bytes + 1 + first_length, all - first_length);
    check_reading(&first, two ? &second : NULL, columns, options);
    fclose(first.stream);
    if (two) fclose(second.stream);
    return 0;
}
