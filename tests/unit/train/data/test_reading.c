/* test_reading.c - several workers read a corpus as one would: line by line. And corpora of
 * sequences are told from corpora of sentences by their words.
 */
#include "base/buf.h"
#include "scratch.h"
#include "train/data/data.h"

enum { LINES = 30000 };         /* several rounds of one worker, and a piece that is not full */

/* Line i: a word of its own, one that returns after many lines, a number that both sides have, and
 * in front a word of all lines, behind a dash in every third. */
static void write_line(int i, Buf *text)
{
    buf_printf(text, "%sone w%d v%d %d\tun m%d %d k%d\n", i % 3 ? "" : "- ", i, i % 7000,
               i % 500, i, i % 500, i % 9000);
}

static const char *write_corpus(Scratch *s)
{
    Buf text = { 0 };
    for (int i = 0; i < LINES; i++)
        write_line(i, &text);
    const char *path = scratch_puts(s, "corpus", text.text);
    buf_free(&text);
    return path;
}

/* A corpus that is read, as Data does it. */
typedef struct {
    DataOptions options;
    Data        data;
    Reading     r;
} Read;

static void begin(Read *read, const char *const *path, int files, int workers)
{
    *read = (Read){ .options = { .files = { .name = path, .count = files }, .text = text_defaults(),
                                 .folder = "/tmp", .memory = 1 << 24, .workers = workers } };
    read->options.text.tokens = TOKENS_WORD;
    read->r = (Reading){ .data = &read->data, .options = &read->options,
                         .store = store_new(1 << 24, "/tmp", (Portion){ 0, 1 }) };
}

static void finish(Read *read)
{
    Err e;
    if (reading_read(&read->r, &e)) fail_msg("%s", e.text);
}

static void end(Read *read)
{
    reading_free(&read->r);
    data_free(&read->data);
}

static int keep_all(void *context, const Record *pair)
{
    (void)context, (void)pair;
    return 1;
}

static const Shard *all_pairs(Reading *r)
{
    Err e;
    if (store_finish(r->store, keep_all, NULL, &e)) fail_msg("%s", e.text);
    return store_load(r->store, 0, &e);
}

static void add_side(const Reading *r, const int *words, int count, char last, Buf *text)
{
    for (int i = 0; i < count; i++) {
        buf_puts(text, string_table_text(&r->words, words[i]));
        buf_putc(text, i + 1 < count ? ' ' : last);
    }
}

TEST_IN_SCRATCH(words_should_spell_the_lines_in_their_order)
{
    const char *path = write_corpus(*state);
    Read read;
    begin(&read, &path, 1, 3);
    finish(&read);
    const Shard *pairs = all_pairs(&read.r);
    assert_int_equal(pairs->count, LINES);
    Buf found = { 0 }, line = { 0 };
    for (int i = 0; i < LINES; i++) {
        const Record pair = shard_record(pairs, (size_t)i);
        buf_clear(&found);
        buf_clear(&line);
        add_side(&read.r, pair.source, pair.source_count, '\t', &found);
        add_side(&read.r, pair.target, pair.target_count, '\n', &found);
        write_line(i, &line);
        assert_string_equal(found.text, line.text);
    }
    buf_free(&found);
    buf_free(&line);
    end(&read);
}

/* What was counted of all words, and their numbers. */
static void assert_same(const Reading *one, const Reading *other)
{
    const size_t words = one->words.count;
    assert_int_equal(other->words.count, words);
    assert_memory_equal(one->words.bytes.text, other->words.bytes.text, one->words.bytes.length);
    for (int side = 0; side < LANGUAGES; side++) {
        for (int use = 0; use < WORD_USES; use++)
            assert_memory_equal(one->train.times[side][use], other->train.times[side][use],
                                words * sizeof(long));
        assert_memory_equal(one->test.times[side][USED], other->test.times[side][USED],
                            words * sizeof(long));
    }
    assert_int_equal(one->held_out.count, other->held_out.count);
    assert_memory_equal(one->held_out.slot, other->held_out.slot,
                        one->held_out.slots * sizeof(uint64_t));
    assert_true(one->data->report.hash == other->data->report.hash);
}

/* And a validation pair adds the words of its source alone: its target is a secret. */
TEST_IN_SCRATCH(workers_should_not_change_what_is_read)
{
    const char *path = write_corpus(*state);
    Read read[2];
    for (int i = 0; i < 2; i++) {
        begin(&read[i], &path, 1, 1 + 2 * i);
        read[i].options.holdout = 1;
        read[i].options.cleaning.max_pairs = LINES - 500;
        finish(&read[i]);
        assert_int_equal(read[i].data.report.lines, LINES - 500);
    }
    const Reading *r = &read[0].r;
    const Corpus *valid = &read[0].data.valid_corpus;
    assert_true(r->held_out.count > 0 && valid->count > 0);
    const int one = string_table_find(&r->words, slice_of("one"));
    assert_int_equal(r->test.times[LANGUAGE_SOURCE][USED][one], read[0].data.part[PART_TEST]);
    assert_same(r, &read[1].r);
    for (size_t i = 0; i < valid->count; i++) {
        char target[16];
        assert_int_equal(sscanf(valid->target[i], "un %15s", target), 1);
        assert_int_equal(string_table_find(&r->words, slice_of(target)), -1);
        target[0] = 'w';
        assert_true(string_table_find(&r->words, slice_of(target)) >= 0);
    }
    for (int i = 0; i < 2; i++)
        end(&read[i]);
}

/* Counts of the words of line i, and of those of all lines. */
TEST_IN_SCRATCH(counts_should_be_those_of_all_pieces)
{
    static const struct { const char *word; int side, use, times; } rows[] = {
        { "one", LANGUAGE_SOURCE, USED, LINES }, { "one", LANGUAGE_SOURCE, USED_FIRST, LINES },
        { "w9", LANGUAGE_SOURCE, USED, 1 },      { "v100", LANGUAGE_SOURCE, USED, 5 },
        { "v100", LANGUAGE_TARGET, USED, 0 },    { "123", LANGUAGE_SOURCE, USED_SHARED, LINES / 500 },
        { "123", LANGUAGE_SOURCE, USED_FIRST, 0 }, { "-", LANGUAGE_SOURCE, USED_FIRST, 0 },
    };
    const char *path = write_corpus(*state);
    Read read;
    begin(&read, &path, 1, 2);
    finish(&read);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int word = string_table_find(&read.r.words, slice_of(rows[i].word));
        assert_int_equal(read.r.train.times[rows[i].side][rows[i].use][word], rows[i].times);
    }
    end(&read);
}

/* ---- what is counted of a word ---- */

UNIT_TEST(words_should_be_counted_by_what_is_beside_them)
{
    enum { TOM, MARKED_TOM, DOT, SEES, NUMBER };
    static const char *const texts[] = { "Tom", WORD_MARK "Tom", ".", WORD_MARK "sees",
                                         WORD_MARK "7" };
    static const int source[] = { MARKED_TOM, DOT, SEES, NUMBER, DOT }, target[] = { SEES, TOM, DOT };
    StringTable words = { 0 };
    WordKinds kinds = { 0 };
    WordUses uses = { 0 };
    for (int i = 0; i < 5; i++)
        string_table_add(&words, slice_of(texts[i]));
    word_kinds_extend(&kinds, &words);
    word_uses_add(&uses, &kinds, &(Record){ source, target, 5, 3 });
    for (int word = 0; word < 5; word++) {
        assert_int_equal(uses.times[LANGUAGE_SOURCE][USED_STOPPED][word], word == MARKED_TOM);
        assert_int_equal(uses.times[LANGUAGE_SOURCE][USED_ENDED][word], word == NUMBER);
    }
    assert_int_equal(kinds.core[TOM], kinds.core[MARKED_TOM]);
    assert_int_equal(word_shape(&kinds, MARKED_TOM), SHAPE_CAPITALISED);
    assert_int_equal(uses.times[LANGUAGE_SOURCE][USED_FIRST][MARKED_TOM], 1);
    assert_int_equal(uses.times[LANGUAGE_TARGET][USED_FIRST][SEES], 1);
    assert_int_equal(uses.times[LANGUAGE_SOURCE][USED_SHARED][MARKED_TOM], 1);
    assert_int_equal(uses.times[LANGUAGE_TARGET][USED_SHARED][TOM], 1);
    assert_int_equal(uses.times[LANGUAGE_SOURCE][USED_SHARED][SEES], 1);
    assert_int_equal(uses.times[LANGUAGE_SOURCE][USED_SHARED][NUMBER], 0);
    word_uses_free(&uses);
    word_kinds_free(&kinds);
    string_table_free(&words);
}

/* ---- errors ---- */

/* Reads two aligned files, the second a line short; returns what reading_read does. */
static int read_unequal(Scratch *s, BitextOptions cleaning, Err *e)
{
    const char *paths[] = { scratch_puts(s, "source", "one\n\nthree\nfour\n"),
                            scratch_puts(s, "target", "un\ndeux\ntrois\n") };
    Read read;
    begin(&read, paths, 2, 2);
    read.options.files.aligned = 1;
    read.options.cleaning = cleaning;
    const int status = reading_read(&read.r, e);
    end(&read);
    return status;
}

TEST_IN_SCRATCH(an_error_should_come_behind_those_of_the_lines_before)
{
    Err e = { "" };
    assert_int_equal(read_unequal(*state, (BitextOptions){ 0 }, &e), -1);
    assert_non_null(strstr(e.text, "target: ends after line 3"));
    assert_int_equal(read_unequal(*state, (BitextOptions){ .strict = 1 }, &e), -1);
    assert_non_null(strstr(e.text, "source:2: an empty side"));
}

TEST_IN_SCRATCH(no_line_should_be_read_behind_the_last_pair_wanted)
{
    Err e = { "" };
    assert_int_equal(read_unequal(*state, (BitextOptions){ .max_pairs = 2 }, &e), 0);
    assert_int_equal(read_unequal(*state, (BitextOptions){ .max_pairs = 3 }, &e), -1);
}

/* ---- what the first lines are ---- */

/* Appends line `number` of a side. */
typedef void Writer(int number, Buf *out);

static void spelling(int number, Buf *out)
{
    for (int rest = number + 1; rest; rest /= 7)
        buf_putc(out, (char)('a' + rest % 7));
    buf_putc(out, 'x');
}

static void sounds(int number, Buf *out)
{
    for (int rest = number + 1; rest; rest /= 7)
        buf_printf(out, "%c ", 'a' + rest % 7);
}

static void digits(int number, Buf *out)
{
    buf_printf(out, "%d", number);
}

/* Some of its words are in many lines, some in few, one in this alone. */
static void sentence(int number, Buf *out)
{
    buf_printf(out, "the word%d is %d in w%d", number % 500, number % 40, number);
}

/* The same letters, but their script puts no blanks between words. */
static void unspaced(int number, Buf *out)
{
    for (int rest = number + 1; rest; rest /= 7)
        buf_printf(out, "\u65E5\u672C%c", 'a' + rest % 7);
    buf_puts(out, "\u3042\u3044\u3046\u3048\u304A");
}

static Slice span_of(const Buf *bytes)
{
    return (Slice){ bytes->text, bytes->length };
}

static int are_sequences(Writer *source, Writer *target, int lines)
{
    Buf *side = calloc(2 * (size_t)lines, sizeof *side);
    BitextLine *line = calloc((size_t)lines, sizeof *line);
    for (int i = 0; i < lines; i++) {
        source(i, &side[2 * i]);
        target(i, &side[2 * i + 1]);
        line[i] = (BitextLine){ .source = span_of(&side[2 * i]), .target = span_of(&side[2 * i + 1]),
                                .reason = SKIP_REASONS };
    }
    const int found = sequences_are(line, (size_t)lines);
    for (int i = 0; i < 2 * lines; i++)
        buf_free(&side[i]);
    free(side);
    free(line);
    return found;
}

UNIT_TEST(corpora_should_be_told_apart_by_the_words_of_one_side)
{
    static const struct { Writer *source, *target; int lines, expected; } cases[] = {
        { spelling, sounds, 1000, 1 }, { spelling, sounds, 999, 0 }, { sounds, spelling, 3000, 1 },
        { digits, sentence, 3000, 1 }, { sentence, sentence, 3000, 0 }, { sentence, sounds, 3000, 1 },
        { sentence, unspaced, 3000, 0 }, { unspaced, unspaced, 3000, 0 }, { unspaced, sounds, 3000, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(are_sequences(cases[i].source, cases[i].target, cases[i].lines), cases[i].expected);
}

UNIT_TEST(lines_that_are_no_pairs_or_come_again_should_not_count)
{
    static BitextLine line[2000];
    static char name[2000][5];
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        snprintf(name[i], sizeof name[i], "%04zu", i);
        line[i] = (BitextLine){ .source = { name[i], 4 }, .target = { "b", 1 }, .reason = SKIP_NO_TAB };
    }
    assert_int_equal(sequences_are(line, 2000), 0);
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        line[i].reason = SKIP_REASONS;
    assert_int_equal(sequences_are(line, 2000), 1);
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        line[i].source.text = name[i % 900];
    assert_int_equal(sequences_are(line, 2000), 0);
}

int main(void) { return run_unit_tests(); }
