/* test_data.c - from files to parts, tokenizers and ids: nothing of the held-out parts may reach
 * training. */
#include "base/buf.h"
#include "base/strings.h"
#include "line_examples.h"
#include "scratch.h"
#include "train/data/data.h"

enum { LINES = 400 };

/* ---- a corpus of known parts ---- */

/* Line i: the source "n <i/2>", and the target "t <i>". */
static const char *write_corpus(Scratch *s, const char *name, int first, int lines)
{
    Buf text = { 0 };
    for (int i = first; i < first + lines; i++)
        buf_printf(&text, "n %d\tt %d\n", i / 2, i);
    const char *path = scratch_puts(s, name, text.text);
    buf_free(&text);
    return path;
}

static Part part_of(const char *source)
{
    return corpus_part(corpus_source_hash(source, strlen(source)));
}

/* How many of the first `lines` fall to that part. */
static size_t lines_in(Part part, int lines)
{
    char source[20];
    size_t count = 0;
    for (int i = 0; i < lines; i++) {
        snprintf(source, sizeof source, "n %d", i / 2);
        count += part_of(source) == part;
    }
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

/* ---- parts ---- */

/* The text of pair i on one side; valid until the next call. */
static const char *text_at(const Tokenizer *t, const int *ids, const size_t *at, size_t i)
{
    static char text[100];
    Buf out = { 0 };
    tokenizer_decode(t, ids + at[i], at[i + 1] - at[i], NULL, NULL, &out);
    snprintf(text, sizeof text, "%s", out.text);
    buf_free(&out);
    return text;
}

static const char *source_at(const Data *data, const Pairs *pairs, size_t i)
{
    return text_at(data->source, pairs->source, pairs->source_at, i);
}

/* Pairs of each part. */
static void check_parts(const DataOptions *options, size_t train, size_t valid, size_t test)
{
    Data data;
    Pairs pairs;
    make(&data, options);
    assert_true(data.part[PART_TRAIN] == train && data.train.count == train);
    assert_true(data.part[PART_VALID] == valid && data.valid.count == valid);
    assert_int_equal(data.part[PART_TEST], test);
    assert_int_equal(data.text.count, valid / 2);
    for (size_t i = 0; i < data.text.count; i++)
        assert_int_equal(data.text.references[i], 2);
    example_pairs(&data.train, &pairs);
    for (size_t i = 0; i < train && options->holdout; i++)
        assert_int_not_equal(part_of(source_at(&data, &pairs, i)), PART_TEST);
    for (size_t i = 0; i < train && options->holdout && !options->valid; i++)
        assert_int_equal(part_of(source_at(&data, &pairs, i)), PART_TRAIN);
    for (size_t i = 0; i < valid && !options->valid; i++)
        assert_int_equal(part_of(source_at(&data, &data.valid, i)), PART_VALID);
    pairs_free(&pairs);
    data_free(&data);
}

/* The pairs of a validation file are those of the corpus and some more; what the corpus holds out for
 * tests stays held out. */
TEST_IN_SCRATCH(pairs_should_go_to_the_part_of_their_source)
{
    enum { READ = LINES - 1, VALID = LINES + 30 };
    const char *path = write_corpus(*state, "corpus", 0, LINES);
    const size_t test = lines_in(PART_TEST, READ);
    DataOptions options = options_for(&path);
    assert_true(lines_in(PART_TEST, LINES) > 0 && lines_in(PART_VALID, LINES) > 0);
    check_parts(&options, lines_in(PART_TRAIN, LINES), lines_in(PART_VALID, LINES),
                lines_in(PART_TEST, LINES));
    options.holdout = 0;
    check_parts(&options, LINES, 0, 0);
    options.valid = write_corpus(*state, "valid", LINES, VALID);
    options.cleaning.max_pairs = READ;          /* of the corpus alone */
    check_parts(&options, READ, VALID, 0);
    options.holdout = 1;
    check_parts(&options, READ - test, VALID, test);

    Data data;
    options.valid_segments = 1;
    make(&data, &options);
    assert_int_equal(data.text.count, 1);
    assert_int_equal(data.valid.count, VALID);
    data_free(&data);
    options = options_for(&path);
    options.text.tokens = TOKENS_WORD;          /* the numbers of a part are in no other */
    options.text.placeholders = options.text.truecase = 0;
    make(&data, &options);
    assert_true(data.unknown == 0.5);
    for (size_t i = 0; i < data.valid.count; i++) {
        assert_int_equal(data.valid.source[data.valid.source_at[i] + 1], ID_UNK);
        assert_int_equal(data.valid.target[data.valid.target_at[i] + 1], ID_UNK);
    }
    data_free(&data);
}

/* ---- the first translation ---- */

static void check_first(const DataOptions *options, size_t sources, size_t further)
{
    Data data;
    Pairs train;
    size_t first = 0;
    make(&data, options);
    assert_int_equal(data.further, further);
    assert_int_equal(data.part[PART_TRAIN], 2 * sources - further);
    assert_int_equal(data.valid.count, lines_in(PART_VALID, LINES));
    example_pairs(&data.train, &train);
    assert_int_equal(train.count, 2 * sources - further);
    for (size_t i = 0; i < train.count; i++)
        first += atoi(text_at(data.target, train.target, train.target_at, i) + 2) % 2 == 0;
    assert_int_equal(first, sources);
    pairs_free(&train);
    data_free(&data);
}

/* The validation part keeps all of them: they are its references. */
TEST_IN_SCRATCH(a_training_source_should_keep_its_first_translation_alone_if_asked)
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

enum { SOURCES = 300, FILES = 2 };

/* Every source is in the corpus in spellings that are the same to the tokenizer, in different
 * files. */
static const char *const spellings[] = { "caf\u00e9 %d", "cafe\u0301 %d", "caf\u00e9\u00a0%d",
                                         "caf\u00e9  %d", "caf\u00e9\u200b %d" };
enum { SPELLINGS = sizeof spellings / sizeof *spellings };

/* Writes the files; returns how many sources are trained on. All spellings of the others, which are
 * held, must be in one part. */
static size_t write_spellings(Scratch *s, const char *path[FILES], char *held)
{
    Buf file[FILES] = { { 0 }, { 0 } }, source = { 0 };
    size_t trained = 0;
    for (int i = 0; i < SOURCES; i++) {
        for (int k = 0; k < SPELLINGS; k++) {
            buf_clear(&source);
            buf_printf(&source, spellings[k], i);
            buf_printf(&file[k % FILES], "%s\tt %d\n", source.text, i);
            if (!k) held[i] = part_of(source.text) != PART_TRAIN;
            assert_int_equal(part_of(source.text) != PART_TRAIN, held[i]);
        }
        trained += !held[i];
    }
    path[0] = scratch_puts(s, "one", file[0].text);
    path[1] = scratch_puts(s, "two", file[1].text);
    buf_free(&source);
    for (int k = 0; k < FILES; k++)
        buf_free(&file[k]);
    return trained;
}

static void check_no_leak(const DataOptions *options, const char *held, size_t trained)
{
    Data data;
    Pairs train;
    make(&data, options);
    example_pairs(&data.train, &train);
    assert_int_equal(train.count, trained);
    for (size_t i = 0; i < train.count; i++) {
        int number;
        assert_int_equal(sscanf(source_at(&data, &train, i), "caf\u00e9 %d", &number), 1);
        assert_false(held[number]);
    }
    assert_int_equal(data.train.held_out, 0);
    assert_int_equal(data.valid.count, data.part[PART_VALID]);
    for (size_t i = 0; i < data.text.count; i++)
        assert_int_equal(data.text.references[i], SPELLINGS);
    pairs_free(&train);
    data_free(&data);
}

TEST_IN_SCRATCH(no_spelling_of_a_held_out_source_should_be_trained_on)
{
    const char *path[FILES];
    char held[SOURCES];
    const size_t trained = write_spellings(*state, path, held);
    DataOptions options = options_for(path);
    options.files.count = FILES;
    assert_true(trained > 0 && trained < SOURCES);
    check_no_leak(&options, held, SPELLINGS * trained);
    options.memory = 2000;                      /* many shards */
    options.cleaning.duplicates = 1 << 20;      /* spellings are no duplicates: they differ in
                                                 * bytes */
    check_no_leak(&options, held, SPELLINGS * trained);
    options.first_only = 1 << 20;
    check_no_leak(&options, held, trained);
}

/* "N 7" and "n 7" are different sources, unless the network sees them as one. */
TEST_IN_SCRATCH(case_should_distinguish_sources_unless_the_text_is_lowered)
{
    Buf text = { 0 };
    size_t apart = 0, together = 0;
    for (int i = 0; i < SOURCES; i++) {
        char upper[20], lower[20];
        snprintf(upper, sizeof upper, "N %d", i);
        snprintf(lower, sizeof lower, "n %d", i);
        buf_printf(&text, "%s\ta\n%s\tb\n", upper, lower);
        const int trained = (part_of(upper) == PART_TRAIN) + (part_of(lower) == PART_TRAIN);
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
}

/* Two of its sources are in the corpus, twice each, one of them in another spelling. */
TEST_IN_SCRATCH(training_pairs_with_a_source_of_the_validation_file_should_be_counted)
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
}

/* Up to a bound on the memory that they may ask for. */
TEST_IN_SCRATCH(long_validation_pairs_should_stay)
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

TEST_IN_SCRATCH(a_corpus_without_a_pair_to_train_on_should_be_an_error_that_says_why)
{
    int i = 0;
    while (lines_in(PART_TEST, i + 1) == 0)
        i++;
    const char *path = write_corpus(*state, "corpus", i, 1);
    DataOptions options = options_for(&path);
    fails(&options, "corpus: nothing to train on: 1 pair, all of the held-out parts; add pairs, or "
                    "use --no-holdout");
    options.holdout = 0;
    options.examples.max_length = 1;
    fails(&options, "corpus: nothing to train on: 1 pair, all longer than 1 token; raise "
                    "--max-length");
}

TEST_IN_SCRATCH(files_that_cannot_be_read_should_be_named)
{
    const char *path = scratch_path(*state, "missing");
    DataOptions options = options_for(&path);
    fails(&options, "missing: cannot be opened");
    path = scratch_puts(*state, "corpus", "a\tb\n");
    options.valid = scratch_path(*state, "nothing");
    fails(&options, "nothing: cannot be opened");
    options.valid = scratch_puts(*state, "empty", "");
    fails(&options, "empty: is empty");
    options.valid = NULL;
    options.replay = scratch_path(*state, "missing");
    fails(&options, "missing: cannot be opened");
}

/* ---- A text that extends another one ---- */

TEST_IN_SCRATCH(three_pairs_should_be_replayed_for_each_new_one_evenly_and_none_held_out)
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
    Pairs train;
    size_t of_hundred[11] = { 0 };
    example_pairs(&data.train, &train);
    for (size_t i = 0; i < train.count; i++) {
        assert_int_equal(part_of(source_at(&data, &train, i)), PART_TRAIN);
        of_hundred[2 * atoi(source_at(&data, &train, i) + 2) / 100]++;
    }
    assert_int_equal(of_hundred[0], new);
    for (int k = 1; k < 11; k += 2)
        assert_in_range(of_hundred[k] + of_hundred[k + 1], 3 * new / 5 - 1, 3 * new / 5 + 1);
    pairs_free(&train);
    data_free(&data);

    options.first_only = 0;
    options.holdout = 0;
    options.replay = write_corpus(*state, "short", 100, 40);
    make(&data, &options);
    assert_int_equal(data.replayed, lines_in(PART_TRAIN, 140) - lines_in(PART_TRAIN, 100));
    assert_int_equal(data.train.count, 100 + data.replayed);
    data_free(&data);
}

TEST_IN_SCRATCH(vocabularies_and_lexicons_of_a_base_should_be_extended)
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

int main(void) { return run_unit_tests(); }
