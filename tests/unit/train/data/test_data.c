/* test_data.c - from files to parts, tokenizers and ids: nothing of the held-out parts may reach
 * training. */
#include "base/buf.h"
#include "base/strings.h"
#include "line_examples.h"
#include "scratch.h"
#include "train/data/data.h"

enum { LINES = 400 };

/* ---- a corpus of known parts ---- */

/* Line i: its source, "n <i>", and the target "t <i>"; each source occurs twice. */
static void line_of(int i, Buf *source, Buf *target)
{
    buf_clear(source);
    buf_clear(target);
    buf_printf(source, "n %d", i / 2);
    buf_printf(target, "t %d", i);
}

static const char *write_corpus(Scratch *s, const char *name, int first, int lines)
{
    Buf text = { 0 }, source = { 0 }, target = { 0 };
    for (int i = first; i < first + lines; i++) {
        line_of(i, &source, &target);
        buf_printf(&text, "%s\t%s\n", source.text, target.text);
    }
    const char *path = scratch_puts(s, name, text.text);
    buf_free(&text);
    buf_free(&source);
    buf_free(&target);
    return path;
}

static Part part_of(const char *source)
{
    return corpus_part(corpus_source_hash(source, strlen(source)));
}

/* How many of the first `lines` fall to that part. */
static size_t lines_in(Part part, int lines)
{
    Buf source = { 0 }, target = { 0 };
    size_t count = 0;
    for (int i = 0; i < lines; i++) {
        line_of(i, &source, &target);
        count += part_of(source.text) == part;
    }
    buf_free(&source);
    buf_free(&target);
    return count;
}

/* For one TSV; `path` stays borrowed. */
static DataOptions options_for(const char *const *path)
{
    DataOptions options = { .files = { .name = path, .count = 1 }, .holdout = 1, .text = text_defaults(),
                            .memory = 1 << 20, .folder = "/tmp",
                            .examples = { .max_length = 50 }, .valid_segments = 1000 };
    options.text.tokens = TOKENS_CHAR;
    return options;
}

static void make(Data *data, const DataOptions *options)
{
    Err e;
    if (data_prepare(data, options, &e)) fail_msg("%s", e.text);
}

static void fails(const DataOptions *options, const char *message)
{
    Err e = { "" };
    Data data = { 0 };
    assert_true(data_prepare(&data, options, &e));
    assert_non_null(strstr(e.text, message));
    data_free(&data);
}

/* ---- what ids say ---- */

static void decode(const Tokenizer *t, const int *ids, size_t from, size_t to, Buf *out)
{
    buf_clear(out);
    tokenizer_decode(t, ids + from, to - from, NULL, out);
}

/* All pairs are of this part; with PART_TRAIN and no split, of any. */
static void assert_all_of(const Data *data, const Pairs *pairs, Part part)
{
    Buf source = { 0 };
    for (size_t i = 0; i < pairs->count; i++) {
        decode(data->source, pairs->source, pairs->source_at[i], pairs->source_at[i + 1], &source);
        assert_int_equal(part_of(source.text), part);
    }
    buf_free(&source);
}

static void pairs_should_go_to_the_part_of_their_source(void **state)
{
    const char *path = write_corpus(*state, "corpus", 0, LINES);
    DataOptions options = options_for(&path);
    Data data;
    make(&data, &options);
    for (Part part = PART_TEST; part <= PART_TRAIN; part++) {
        assert_true(lines_in(part, LINES) > 0);
        assert_int_equal(data.part[part], lines_in(part, LINES));
    }
    assert_int_equal(data.train.count, lines_in(PART_TRAIN, LINES));
    assert_int_equal(data.valid.count, lines_in(PART_VALID, LINES));
    Pairs train;
    example_pairs(&data.train, &train);
    assert_all_of(&data, &train, PART_TRAIN);
    pairs_free(&train);
    assert_all_of(&data, &data.valid, PART_VALID);
    data_free(&data);
    options.text.tokens = TOKENS_WORD;          /* the numbers of the test part are in no other */
    options.text.placeholders = options.text.truecase = 0;
    make(&data, &options);
    assert_true(data.unknown == 0.5);
    data_free(&data);
}

/* ---- the first translation ---- */

/* Those that are learned have even numbers: line_of gives a source two. */
static size_t count_even(const Data *data)
{
    Buf target = { 0 };
    Pairs train;
    size_t even = 0;
    int number;
    example_pairs(&data->train, &train);
    for (size_t i = 0; i < train.count; i++) {
        decode(data->target, train.target, train.target_at[i], train.target_at[i + 1], &target);
        assert_int_equal(sscanf(target.text, "t %d", &number), 1);
        even += number % 2 == 0;
    }
    pairs_free(&train);
    buf_free(&target);
    return even;
}

static void check_first(const DataOptions *options, size_t sources, size_t further)
{
    Data data;
    make(&data, options);
    assert_int_equal(data.further, further);
    assert_int_equal(data.part[PART_TRAIN], 2 * sources - further);
    assert_int_equal(data.train.count, 2 * sources - further);
    assert_int_equal(count_even(&data), sources);
    assert_int_equal(data.valid.count, lines_in(PART_VALID, LINES));
    assert_int_equal(data.part[PART_TEST], lines_in(PART_TEST, LINES));
    data_free(&data);
}

/* The validation part keeps all of them: they are its references. */
static void a_training_source_should_keep_its_first_translation_alone_if_asked(void **state)
{
    enum { FEW = 10 };
    const char *path = write_corpus(*state, "corpus", 0, LINES);
    DataOptions options = options_for(&path);
    const size_t sources = lines_in(PART_TRAIN, LINES) / 2;
    check_first(&options, sources, 0);
    options.first_only = 1 << 20;
    check_first(&options, sources, sources);
    options.memory = 2000;                      /* many shards */
    check_first(&options, sources, sources);
    options.first_only = FEW;                   /* no others are remembered */
    check_first(&options, sources, FEW);
}

/* ---- no source on both sides ---- */

enum { SOURCES = 300 };

/* Every source is in the corpus in spellings that are the same to the tokenizer, and its
 * translation once. */
static const char *const spellings[] = { "caf\u00e9 %d", "cafe\u0301 %d", "caf\u00e9\u00a0%d",
                                         "caf\u00e9  %d", "caf\u00e9\u200b %d" };
enum { SPELLINGS = sizeof spellings / sizeof *spellings };

static void write_spellings(Buf *sources, Buf *targets, Buf *both)
{
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < SPELLINGS; k++) {
            Buf source = { 0 };
            buf_printf(&source, spellings[k], i);
            buf_printf(sources, "%s\n", source.text);
            buf_printf(targets, "t %d\n", i);
            buf_printf(both, "%s\tt %d\n", source.text, i);
            buf_free(&source);
        }
}

/* Which sources belong to a part other than training, where all their spellings must then be. */
static int find_held_out(char *held)
{
    int count = 0;
    Buf source = { 0 };
    for (int i = 0; i < SOURCES; i++) {
        for (int k = 0; k < SPELLINGS; k++) {
            buf_clear(&source);
            buf_printf(&source, spellings[k], i);
            if (!k) held[i] = part_of(source.text) != PART_TRAIN;
            else assert_int_equal(part_of(source.text) != PART_TRAIN, held[i]);
        }
        count += held[i];
    }
    buf_free(&source);
    return count;
}

static void check_no_leak(const DataOptions *options, const char *held, size_t trained)
{
    Data data;
    Buf source = { 0 };
    Pairs train;
    make(&data, options);
    example_pairs(&data.train, &train);
    assert_int_equal(train.count, trained);
    for (size_t i = 0; i < train.count; i++) {
        int number;
        decode(data.source, train.source, train.source_at[i], train.source_at[i + 1], &source);
        assert_int_equal(sscanf(source.text, "caf\u00e9 %d", &number), 1);
        assert_false(held[number]);
    }
    assert_int_equal(data.train.held_out, 0);
    assert_int_equal(data.part[PART_TRAIN], trained);
    assert_int_equal(data.part[PART_TEST] + data.part[PART_VALID], SPELLINGS * SOURCES - trained);
    assert_int_equal(data.valid.count, data.part[PART_VALID]);
    for (size_t i = 0; i < data.text.count; i++)
        assert_int_equal(data.text.references[i], SPELLINGS);
    pairs_free(&train);
    buf_free(&source);
    data_free(&data);
}

static void all_spellings_of_a_source_should_be_in_one_part(void **state)
{
    Buf sources = { 0 }, targets = { 0 }, both = { 0 };
    char held[SOURCES];
    const size_t trained = SPELLINGS * (size_t)(SOURCES - find_held_out(held));
    write_spellings(&sources, &targets, &both);
    const char *const tsv[] = { scratch_puts(*state, "corpus", both.text) };
    const char *const aligned[] = { scratch_puts(*state, "en", sources.text),
                                    scratch_puts(*state, "fr", targets.text) };
    assert_true(trained > 0 && trained < SPELLINGS * SOURCES);

    DataOptions options = options_for(tsv);
    check_no_leak(&options, held, trained);
    Data data;
    options.first_only = 1 << 20;
    make(&data, &options);
    assert_int_equal(data.train.count, trained / SPELLINGS);
    data_free(&data);
    options.first_only = 0;
    options.cleaning.duplicates = 1 << 20;      /* spellings are no duplicates: they differ in
                                                 * bytes */
    check_no_leak(&options, held, trained);
    options.memory = 2000;                      /* many shards */
    check_no_leak(&options, held, trained);
    options.files = (BitextFiles){ .name = aligned, .count = 2, .aligned = 1 };
    check_no_leak(&options, held, trained);
    buf_free(&sources);
    buf_free(&targets);
    buf_free(&both);
}

/* A source and a spelling of it may be in different files. */
static void no_held_out_source_should_be_trained_on_from_another_file(void **state)
{
    enum { FILES = 2 };
    Buf file[FILES] = { { 0 }, { 0 } };
    char held[SOURCES];
    const size_t trained = SPELLINGS * (size_t)(SOURCES - find_held_out(held));
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < SPELLINGS; k++) {
            buf_printf(&file[k % FILES], spellings[k], i);
            buf_printf(&file[k % FILES], "\tt %d %d\n", i, k);
        }
    const char *const paths[] = { scratch_puts(*state, "one", file[0].text),
                                  scratch_puts(*state, "two", file[1].text) };
    DataOptions options = options_for(paths);
    options.files.count = FILES;
    check_no_leak(&options, held, trained);
    options.valid = write_corpus(*state, "valid", 0, 1);        /* then the test part alone is held
                                                                 * out */
    Data data;
    make(&data, &options);
    assert_true(data.train.count > trained);
    data_free(&data);
    for (int k = 0; k < FILES; k++)
        buf_free(&file[k]);
}

/* "N 7" and "n 7" are different sources, unless the network sees them as one. */
static void case_should_distinguish_sources_unless_the_text_is_lowered(void **state)
{
    Buf text = { 0 }, upper = { 0 }, lower = { 0 };
    size_t apart = 0, together = 0;
    for (int i = 0; i < SOURCES; i++) {
        buf_clear(&upper);
        buf_clear(&lower);
        buf_printf(&upper, "N %d", i);
        buf_printf(&lower, "n %d", i);
        buf_printf(&text, "%s\ta\n%s\tb\n", upper.text, lower.text);
        const int trained = (part_of(upper.text) == PART_TRAIN)
                            + (part_of(lower.text) == PART_TRAIN);
        apart += (size_t)trained;
        together += trained == 2 ? 2 : 0;
    }
    const char *path = scratch_puts(*state, "corpus", text.text);
    DataOptions options = options_for(&path);
    Data data;
    make(&data, &options);
    assert_int_equal(data.train.count, apart);
    data_free(&data);
    options.text.lowercase = 1;
    make(&data, &options);
    assert_true(together < apart);
    assert_int_equal(data.train.count, together);
    data_free(&data);
    buf_free(&text);
    buf_free(&upper);
    buf_free(&lower);
}

static void without_holdout_all_pairs_should_be_trained_on(void **state)
{
    const char *path = write_corpus(*state, "corpus", 0, LINES);
    DataOptions options = options_for(&path);
    options.holdout = 0;
    Data data;
    make(&data, &options);
    assert_int_equal(data.train.count, LINES);
    assert_int_equal(data.valid.count, 0);
    assert_int_equal(data.text.count, 0);
    assert_int_equal(data.part[PART_TEST], 0);
    data_free(&data);
}

/* Its pairs are those of the corpus and some more; what the corpus holds out for tests stays held
 * out. */
static void with_a_validation_file_all_but_the_test_part_should_be_trained_on(void **state)
{
    enum { READ = LINES - 1, VALID = LINES + 30 };
    const char *path = write_corpus(*state, "corpus", 0, LINES);
    DataOptions options = options_for(&path);
    options.valid = write_corpus(*state, "valid", LINES, VALID);
    options.cleaning.max_pairs = READ;        /* of the corpus alone */
    Data data;
    make(&data, &options);
    assert_int_equal(data.part[PART_TEST], lines_in(PART_TEST, READ));
    assert_int_equal(data.train.count, READ - lines_in(PART_TEST, READ));
    assert_int_equal(data.part[PART_TRAIN], data.train.count);
    assert_int_equal(data.part[PART_VALID], VALID);
    assert_int_equal(data.valid.count, VALID);
    assert_int_equal(data.text.count, VALID / 2);
    assert_string_equal(data.text.source[0], "n 200");
    data_free(&data);

    options.holdout = 0;
    make(&data, &options);
    assert_int_equal(data.train.count, READ);
    assert_int_equal(data.valid.count, VALID);
    data_free(&data);
}

/* Two of its sources are in the corpus, twice each, one of them in another spelling. */
static void training_pairs_with_a_source_of_the_validation_file_should_be_counted(void **state)
{
    const char *path = write_corpus(*state, "corpus", 0, LINES);
    DataOptions options = options_for(&path);
    options.holdout = 0;
    options.valid = scratch_puts(*state, "valid", "n 3\tx\nn\u00a0 4\ty\nn 4000\tz\nn 3\tu\n");
    Data data;
    make(&data, &options);
    assert_int_equal(data.train.validated, 4);
    assert_int_equal(data.train.count, LINES);
    data_free(&data);
    options.valid = NULL;
    options.holdout = 1;
    make(&data, &options);
    assert_int_equal(data.train.validated, 0);
    data_free(&data);
}

static void validation_text_should_be_the_sources_with_all_their_references(void **state)
{
    const char *path = write_corpus(*state, "corpus", 0, LINES);
    DataOptions options = options_for(&path);
    Data data;
    make(&data, &options);
    assert_int_equal(data.text.count, lines_in(PART_VALID, LINES) / 2);
    for (size_t i = 0; i < data.text.count; i++) {
        assert_int_equal(part_of(data.text.source[i]), PART_VALID);
        assert_int_equal(data.text.references[i], 2);
    }
    data_free(&data);
    options.valid_segments = 1;
    make(&data, &options);
    assert_int_equal(data.text.count, 1);
    assert_int_equal(data.valid.count, lines_in(PART_VALID, LINES));
    data_free(&data);
}

/* A source of this part that is made of this letter and digits. */
static void source_in(Part part, char letter, Buf *out)
{
    for (int i = 0;; i++) {
        buf_clear(out);
        buf_printf(out, "%c%d", letter, i);
        if (part_of(out->text) == part) return;
    }
}

static int knows(const Tokenizer *t, const char *piece)
{
    for (int id = ID_SPECIALS; id < tokenizer_size(t); id++)
        if (!strcmp(tokenizer_piece(t, id), piece)) return 1;
    return 0;
}

static void tokenizers_should_learn_from_the_training_part_alone(void **state)
{
    const char letters[] = { [PART_TEST] = 'x', [PART_VALID] = 'y', [PART_TRAIN] = 'z' };
    Buf text = { 0 }, source = { 0 };
    for (Part part = PART_TEST; part <= PART_TRAIN; part++) {
        source_in(part, letters[part], &source);
        buf_printf(&text, "%s\t%c\n", source.text, letters[part]);
    }
    const char *path = scratch_puts(*state, "corpus", text.text);
    DataOptions options = options_for(&path);
    options.text.tokens = TOKENS_WORD;
    Data data;
    make(&data, &options);
    assert_true(knows(data.target, "z"));
    assert_false(knows(data.target, "y"));
    assert_false(knows(data.target, "x"));
    source_in(PART_VALID, 'y', &source);
    assert_false(knows(data.source, source.text));
    source_in(PART_TRAIN, 'z', &source);
    assert_true(knows(data.source, source.text));
    data_free(&data);
    buf_free(&text);
    buf_free(&source);
}

/* Up to a bound on the memory that they may ask for. */
static void long_validation_pairs_should_stay(void **state)
{
    enum { LONG = 1500, LONGEST = 1000 };
    Buf text = { 0 };
    buf_puts(&text, "c\td\na");
    for (int i = 1; i < LONG; i++)
        buf_puts(&text, " a");
    buf_puts(&text, "\tb\n");
    const char *path = scratch_puts(*state, "corpus", "a\tb\n");
    DataOptions options = options_for(&path);
    options.text.tokens = TOKENS_WORD;
    options.valid = scratch_puts(*state, "valid", text.text);
    options.examples.max_length = 3;
    Data data;
    make(&data, &options);
    assert_int_equal(data.valid.count, 2);
    assert_int_equal(data.valid.source_at[1], 2);
    assert_int_equal(data.valid.source_at[2] - data.valid.source_at[1], LONGEST);
    data_free(&data);
    buf_free(&text);
}

static void a_corpus_without_a_pair_to_train_on_should_be_an_error_that_says_why(void **state)
{
    Buf source = { 0 }, text = { 0 };
    source_in(PART_TEST, 'x', &source);
    buf_printf(&text, "%s\ty\n", source.text);
    const char *path = scratch_puts(*state, "corpus", text.text);
    DataOptions options = options_for(&path);
    fails(&options, "corpus: nothing to train on: 1 pair, all of the held-out parts; add pairs, or "
                    "use --no-holdout");
    options.holdout = 0;
    options.examples.max_length = 1;
    fails(&options, "corpus: nothing to train on: 1 pair, all longer than 1 token; raise "
                    "--max-length");
    buf_free(&source);
    buf_free(&text);
}

static void files_that_cannot_be_read_should_be_named(void **state)
{
    const char *path = scratch_path(*state, "missing");
    DataOptions options = options_for(&path);
    fails(&options, "missing: cannot be opened");
    path = scratch_puts(*state, "corpus", "a\tb\n");
    options.valid = scratch_path(*state, "nothing");
    fails(&options, "nothing: cannot be opened");
    options.valid = scratch_puts(*state, "empty", "");
    fails(&options, "empty: is empty");
}

/* ---- A text that extends another one ---- */

/* The sources of training pairs that are among those of lines `first` to `last`. */
static size_t sources_between(const Data *data, int first, int last)
{
    size_t count = 0;
    Pairs train;
    Buf source = { 0 };
    example_pairs(&data->train, &train);
    for (size_t i = 0; i < train.count; i++) {
        decode(data->source, train.source, train.source_at[i], train.source_at[i + 1], &source);
        const int line = 2 * atoi(source.text + 2);
        count += first <= line && line <= last;
    }
    pairs_free(&train);
    buf_free(&source);
    return count;
}

static void three_pairs_should_be_replayed_for_each_new_one_evenly_and_none_held_out(void **state)
{
    const char *path = write_corpus(*state, "new", 0, 100);
    DataOptions options = options_for(&path);
    options.first_only = 10000;
    options.replay = write_corpus(*state, "old", 100, 1000);
    Data data;
    make(&data, &options);
    const size_t new = lines_in(PART_TRAIN, 100) / 2;
    assert_int_equal(data.replayed, 3 * new);
    assert_int_equal(data.train.count, 4 * new);
    assert_int_equal(data.report.pairs, 100);
    assert_int_equal(data.replay_report.pairs, 1000);
    assert_int_equal(sources_between(&data, 0, 99), new);
    for (int part = 0; part < 5; part++)
        assert_in_range(sources_between(&data, 100 + 200 * part, 299 + 200 * part), 3 * new / 5 - 1,
                        3 * new / 5 + 1);
    Pairs train;
    example_pairs(&data.train, &train);
    assert_all_of(&data, &train, PART_TRAIN);
    pairs_free(&train);
    data_free(&data);
}

static void a_short_file_should_be_replayed_as_a_whole(void **state)
{
    const char *path = write_corpus(*state, "new", 0, 100);
    DataOptions options = options_for(&path);
    options.holdout = 0;
    options.replay = write_corpus(*state, "old", 100, 40);
    Data data;
    make(&data, &options);
    assert_int_equal(data.replayed, lines_in(PART_TRAIN, 140) - lines_in(PART_TRAIN, 100));
    assert_int_equal(data.train.count, 100 + data.replayed);
    data_free(&data);
    options.replay = scratch_path(*state, "missing");
    fails(&options, "missing: cannot be opened");
}

static void vocabularies_and_lexicons_of_a_base_should_be_extended(void **state)
{
    const char *path = scratch_puts(*state, "old", "a b\tc d\n");
    DataOptions options = options_for(&path);
    options.holdout = 0;
    options.text.truecase = 1;
    Data old, new;
    make(&old, &options);
    path = scratch_puts(*state, "new", "b x\td y\n");
    options.base[LANGUAGE_SOURCE] = (Language){ .tokenizer = old.source, .lexicon = old.lexicon[LANGUAGE_SOURCE] };
    options.base[LANGUAGE_TARGET] = (Language){ .tokenizer = old.target, .lexicon = old.lexicon[LANGUAGE_TARGET] };
    make(&new, &options);
    const int sizes[] = { tokenizer_size(old.source), tokenizer_size(old.target) };
    assert_int_equal(tokenizer_size(new.source), sizes[0] + 1);
    assert_int_equal(tokenizer_size(new.target), sizes[1] + 1);
    assert_string_equal(tokenizer_piece(new.source, sizes[0]), "x");
    assert_string_equal(tokenizer_piece(new.target, sizes[1]), "y");
    assert_int_equal(lexicon_count(new.lexicon[LANGUAGE_SOURCE], slice_of("a")), 1);
    assert_int_equal(lexicon_count(new.lexicon[LANGUAGE_SOURCE], slice_of("b")), 2);
    assert_int_equal(lexicon_count(new.lexicon[LANGUAGE_TARGET], slice_of("y")), 1);
    data_free(&old);
    data_free(&new);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(pairs_should_go_to_the_part_of_their_source),
        in_scratch(a_training_source_should_keep_its_first_translation_alone_if_asked),
        in_scratch(all_spellings_of_a_source_should_be_in_one_part),
        in_scratch(no_held_out_source_should_be_trained_on_from_another_file),
        in_scratch(case_should_distinguish_sources_unless_the_text_is_lowered),
        in_scratch(without_holdout_all_pairs_should_be_trained_on),
        in_scratch(with_a_validation_file_all_but_the_test_part_should_be_trained_on),
        in_scratch(training_pairs_with_a_source_of_the_validation_file_should_be_counted),
        in_scratch(validation_text_should_be_the_sources_with_all_their_references),
        in_scratch(tokenizers_should_learn_from_the_training_part_alone),
        in_scratch(long_validation_pairs_should_stay),
        in_scratch(a_corpus_without_a_pair_to_train_on_should_be_an_error_that_says_why),
        in_scratch(three_pairs_should_be_replayed_for_each_new_one_evenly_and_none_held_out),
        in_scratch(a_short_file_should_be_replayed_as_a_whole),
        in_scratch(vocabularies_and_lexicons_of_a_base_should_be_extended),
        in_scratch(files_that_cannot_be_read_should_be_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
