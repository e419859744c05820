/* test_reading.c - several workers read a corpus as one would: line by line. */
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

static DataOptions options_for(const char *const *path, int workers)
{
    DataOptions options = { .files = { .name = path, .count = 1 }, .text = text_defaults(), .folder = "/tmp",
                            .memory = 1 << 24, .workers = workers };
    options.text.tokens = TOKENS_WORD;
    return options;
}

static void start(Reading *r, Data *data, const DataOptions *options)
{
    *data = (Data){ 0 };
    *r = (Reading){ .data = data, .options = options,
                    .store = store_new(options->memory, options->folder, (Portion){ 0, 1 }) };
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

static void words_should_spell_the_lines_in_their_order(void **state)
{
    const char *path = write_corpus(*state);
    const DataOptions options = options_for(&path, 3);
    Data data;
    Reading r;
    Err e;
    start(&r, &data, &options);
    assert_int_equal(reading_read(&r, &e), 0);
    const Shard *pairs = all_pairs(&r);
    assert_int_equal(pairs->count, LINES);
    Buf read = { 0 }, line = { 0 };
    for (int i = 0; i < LINES; i++) {
        const Record pair = shard_record(pairs, (size_t)i);
        buf_clear(&read);
        buf_clear(&line);
        add_side(&r, pair.source, pair.source_count, '\t', &read);
        add_side(&r, pair.target, pair.target_count, '\n', &read);
        write_line(i, &line);
        assert_string_equal(read.text, line.text);
    }
    buf_free(&read);
    buf_free(&line);
    reading_free(&r);
    data_free(&data);
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

static void workers_should_not_change_what_is_read(void **state)
{
    const char *path = write_corpus(*state);
    Data data[2];
    Reading r[2];
    DataOptions options[2];
    Err e;
    for (int i = 0; i < 2; i++) {
        options[i] = options_for(&path, 1 + 2 * i);
        options[i].holdout = 1;
        options[i].cleaning.max_pairs = LINES - 500;
        start(&r[i], &data[i], &options[i]);
        assert_int_equal(reading_read(&r[i], &e), 0);
        assert_int_equal(data[i].report.lines, LINES - 500);
    }
    assert_true(r[0].held_out.count > 0);
    const int one = string_table_find(&r[0].words, slice_of("one"));
    assert_int_equal(r[0].test.times[LANGUAGE_SOURCE][USED][one], data[0].part[PART_TEST]);
    assert_same(&r[0], &r[1]);
    for (int i = 0; i < 2; i++) {
        reading_free(&r[i]);
        data_free(&data[i]);
    }
}

/* Counts of the words of line i, and of those of all lines. */
static void counts_should_be_those_of_all_pieces(void **state)
{
    const char *path = write_corpus(*state);
    const DataOptions options = options_for(&path, 2);
    Data data;
    Reading r;
    Err e;
    start(&r, &data, &options);
    assert_int_equal(reading_read(&r, &e), 0);
    const int one = string_table_find(&r.words, slice_of("one"));
    const int own = string_table_find(&r.words, slice_of("w9"));
    const int returning = string_table_find(&r.words, slice_of("v100"));
    assert_int_equal(r.train.times[LANGUAGE_SOURCE][USED][one], LINES);
    assert_int_equal(r.train.times[LANGUAGE_SOURCE][USED_FIRST][one], LINES);
    assert_int_equal(r.train.times[LANGUAGE_SOURCE][USED][own], 1);
    assert_int_equal(r.train.times[LANGUAGE_SOURCE][USED][returning], 5);
    assert_int_equal(r.train.times[LANGUAGE_TARGET][USED][returning], 0);
    const int number = string_table_find(&r.words, slice_of("123"));
    assert_int_equal(r.train.times[LANGUAGE_SOURCE][USED_SHARED][number], LINES / 500);
    assert_int_equal(r.train.times[LANGUAGE_SOURCE][USED_FIRST][number], 0);
    const int dash = string_table_find(&r.words, slice_of("-"));
    assert_int_equal(r.train.times[LANGUAGE_SOURCE][USED_FIRST][dash], 0);
    reading_free(&r);
    data_free(&data);
}

/* Its target is a secret. */
static void a_validation_pair_should_add_the_words_of_its_source_alone(void **state)
{
    const char *path = write_corpus(*state);
    DataOptions options = options_for(&path, 2);
    Data data;
    Reading r;
    Err e;
    char target[16];
    options.holdout = 1;
    start(&r, &data, &options);
    assert_int_equal(reading_read(&r, &e), 0);
    assert_true(data.valid_corpus.count > 0);
    for (size_t i = 0; i < data.valid_corpus.count; i++) {
        assert_int_equal(sscanf(data.valid_corpus.target[i], "un %15s", target), 1);
        assert_int_equal(string_table_find(&r.words, slice_of(target)), -1);
        target[0] = 'w';
        assert_true(string_table_find(&r.words, slice_of(target)) >= 0);
    }
    reading_free(&r);
    data_free(&data);
}

/* ---- errors ---- */

/* Reads two aligned files, the second a line short; returns what reading_read does. */
static int read_unequal(Scratch *s, BitextOptions cleaning, Err *e)
{
    const char *paths[] = { scratch_puts(s, "source", "one\n\nthree\nfour\n"),
                            scratch_puts(s, "target", "un\ndeux\ntrois\n") };
    DataOptions options = options_for(paths, 2);
    options.files = (BitextFiles){ .name = paths, .count = 2, .aligned = 1 };
    options.cleaning = cleaning;
    Data data;
    Reading r;
    start(&r, &data, &options);
    const int status = reading_read(&r, e);
    reading_free(&r);
    data_free(&data);
    return status;
}

static void an_error_should_come_behind_those_of_the_lines_before(void **state)
{
    Err e = { "" };
    assert_int_equal(read_unequal(*state, (BitextOptions){ 0 }, &e), -1);
    assert_non_null(strstr(e.text, "target: ends after line 3"));
    assert_int_equal(read_unequal(*state, (BitextOptions){ .strict = 1 }, &e), -1);
    assert_non_null(strstr(e.text, "source:2: an empty side"));
}

static void no_line_should_be_read_behind_the_last_pair_wanted(void **state)
{
    Err e = { "" };
    assert_int_equal(read_unequal(*state, (BitextOptions){ .max_pairs = 2 }, &e), 0);
    assert_int_equal(read_unequal(*state, (BitextOptions){ .max_pairs = 3 }, &e), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(words_should_spell_the_lines_in_their_order),
        in_scratch(workers_should_not_change_what_is_read),
        in_scratch(counts_should_be_those_of_all_pieces),
        in_scratch(a_validation_pair_should_add_the_words_of_its_source_alone),
        in_scratch(an_error_should_come_behind_those_of_the_lines_before),
        in_scratch(no_line_should_be_read_behind_the_last_pair_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
