/* fuzz_corpus.c - any bytes as a corpus: one TSV file, or two files of lines.
 *
 * The first byte chooses (bit 0: two files, which the bytes are cut into at a third of their length; bits 1 and 2: a
 * limit of 4, 16 or 64 bytes a side), the others are the text.
 */
#include "fuzz.h"

#include "text/corpus.h"
#include "text/unicode.h"

#include <string.h>

/* A file without a name in any folder, which path leads to. */
typedef struct { FILE *stream; char path[32]; } Nameless;

static Nameless nameless_file(const uint8_t *bytes, size_t length)
{
    Nameless file = { .stream = tmpfile() };
    require(file.stream);
    require(fwrite(bytes, 1, length, file.stream) == length && fflush(file.stream) == 0);
    rewind(file.stream);
    snprintf(file.path, sizeof file.path, "/dev/fd/%d", fileno(file.stream));
    return file;
}

static void check_side(const char *side, int max_bytes)
{
    size_t length = strlen(side);
    require(length > 0 && unicode_valid(side, length) && !strchr(side, '\n'));
    require(!max_bytes || length <= (size_t)max_bytes);
}

/* The laws of a corpus that could be read; whether each line gave a pair. */
static int check_corpus(const Corpus *corpus, const CorpusOptions *options, int columns)
{
    uint64_t hash = FNV1A64_START;
    long skipped = 0;
    for (size_t i = 0; i < corpus->count; i++) {
        const char *sides[] = { corpus->source[i], corpus->target[i] };
        for (int k = 0; k < 2; k++) {
            check_side(sides[k], options->max_bytes);
            require(!columns || !strchr(sides[k], '\t'));
            hash = fnv1a64(hash, sides[k], strlen(sides[k]));
            hash = fnv1a64(hash, k ? "\n" : "\t", 1);
        }
    }
    for (int reason = 0; reason < SKIP_REASONS; reason++)
        skipped += corpus->skipped[reason];
    require(corpus->count > 0 && (long)corpus->count + skipped == corpus->lines);
    require(corpus->hash == hash);
    return skipped == 0;
}

static int read_corpus(Corpus *corpus, const Nameless *first, const Nameless *second, const CorpusOptions *options)
{
    Err e = { "" };
    rewind(first->stream);
    if (second) rewind(second->stream);
    int failed = corpus_read(corpus, first->path, second ? second->path : NULL, options, &e);
    require(!failed == !e.text[0]);
    return failed;
}

/* Strictly, the same corpus is read or, where a line was skipped, none. */
static void check_reading(const Nameless *first, const Nameless *second, CorpusOptions options)
{
    Corpus lenient, strict;
    int failed = read_corpus(&lenient, first, second, &options);
    int whole = !failed && check_corpus(&lenient, &options, !second);
    options.strict = 1;
    require((read_corpus(&strict, first, second, &options) == 0) == whole);
    if (whole) {
        require(strict.hash == lenient.hash && strict.count == lenient.count);
        corpus_free(&strict);
    }
    if (!failed) corpus_free(&lenient);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const int limits[] = { 0, 4, 16, 64 };
    if (length == 0) return 0;
    int two = bytes[0] & 1;
    CorpusOptions options = { .max_bytes = limits[bytes[0] >> 1 & 3] };
    size_t all = length - 1, first_length = two ? all / 3 : all;
    Nameless first = nameless_file(bytes + 1, first_length);
    Nameless second = two ? nameless_file(bytes + 1 + first_length, all - first_length) : (Nameless){ 0 };
    check_reading(&first, two ? &second : NULL, options);
    fclose(first.stream);
    if (two) fclose(second.stream);
    return 0;
}
