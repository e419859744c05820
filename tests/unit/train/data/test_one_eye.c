/* test_one_eye.c - training, validation and translation show the network the same ids of a line, in any language.
 *
 * Pairs of the corpus of data/, in the letters of several scripts, with names, numbers and addresses that some pairs have on
 * both sides and some do not.
 */
#include "plain_case.h"
#include "scratch.h"
#include "text/mask.h"
#include "text/unicode.h"
#include "train/data/data.h"

enum { PAIRS = 2600 };

/* What becomes of a corpus in Latin letters, to make it one of another kind. */
typedef struct {
    const char *name;
    int32_t     first[LANGUAGES];       /* of each side, the letter that a becomes; 0: letters stay */
    int         letters;                /* how many follow it */
    int         has_nouns;              /* every third word of the source has a capital */
    int         has_no_blanks;          /* on the target side */
} Kind;

static const Kind kinds[] = {
    { "english-french", { 0, 0 }, 26, 0, 0 },
    { "german-english", { 0, 0 }, 26, 1, 0 },
    { "russian-english", { 0x430, 0 }, 26, 0, 0 },
    { "english-japanese", { 0, 0x3042 }, 40, 0, 1 },
    { "hindi-thai", { 0x915, 0xE01 }, 26, 0, 1 },
};

static void add_text(const Kind *kind, int side, const char *text, size_t length, Buf *out)
{
    const int32_t first = kind->first[side];
    int word = 0, is_start = 1;
    for (const char *at = text, *end = text + length; at < end;) {
        const int32_t point = unicode_next(&at);
        const int is_ascii = (point | 32) >= 'a' && (point | 32) <= 'z';
        if (point == ' ') word++;
        if (point == ' ' && side == LANGUAGE_TARGET && kind->has_no_blanks) continue;
        if (is_ascii && first) unicode_append(out, first + (point | 32) % kind->letters);
        else if (is_ascii && kind->has_nouns && side == LANGUAGE_SOURCE && is_start && word % 3 == 2)
            buf_putc(out, (char)(point & ~32));
        else unicode_append(out, point);
        is_start = point == ' ';
    }
}

/* A name that no other line has. */
static void add_name(const char *begin, int i, Buf *out)
{
    buf_printf(out, " %s%c%c%c", begin, 'a' + i % 26, 'a' + i / 26 % 26, 'a' + i / 676);
}

/* What stands before the final mark of some lines, on one side or both. */
static void add_aside(int i, int side, Buf *out)
{
    if (i % 4 == 1) add_name("Zor", i, out);
    if (i % 4 == 2) add_name("Åk", i, out);
    if (i % 5 == 1) buf_printf(out, " %d", 1000 + i);
    if (i % 7 == 1) buf_printf(out, " https://a.org/%d", i);
    if (i % 23 == side) add_name("Yak", i, out);
    if (i % 11 == 1) buf_puts(out, " 😀");
}

static void add_side(const Kind *kind, int i, int side, const char *text, size_t length, Buf *out)
{
    const size_t stop = length && strchr(".?!", text[length - 1]) ? length - 1 : length;
    add_text(kind, side, text, stop, out);
    add_aside(i, side, out);
    buf_add(out, text + stop, length - stop);
}

typedef struct { Buf side[LANGUAGES]; } TextPair;

static const char *write_pairs(Scratch *s, const Kind *kind, TextPair *pair)
{
    FILE *file = fopen("data/eng-fra.train.tsv", "r");
    char line[10000];
    Buf text = { 0 };
    assert_non_null(file);
    for (int i = 0; i < PAIRS; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        const char *target = strchr(line, '\t') + 1;
        add_side(kind, i, LANGUAGE_SOURCE, line, (size_t)(target - 1 - line), &pair[i].side[LANGUAGE_SOURCE]);
        add_side(kind, i, LANGUAGE_TARGET, target, strcspn(target, "\t\n"), &pair[i].side[LANGUAGE_TARGET]);
        buf_printf(&text, "%s\t%s\n", pair[i].side[LANGUAGE_SOURCE].text, pair[i].side[LANGUAGE_TARGET].text);
    }
    fclose(file);
    const char *path = scratch_puts(s, kind->name, text.text);
    buf_free(&text);
    return path;
}

static void assert_same_ids(const Kind *kind, const TextPair *pair, const char *what, const Tokenizer *t, const Ids *learned,
                            const Words *words)
{
    Ids ids = { 0 };
    tokenizer_encode_range(t, words, 0, words->count, &ids, NULL);
    ids_add(&ids, ID_EOS);
    if (ids.count != learned->count || memcmp(ids.id, learned->id, ids.count * sizeof *ids.id) != 0) {
        Buf one = { 0 }, other = { 0 };
        for (size_t i = 0; i < learned->count; i++)
            buf_printf(&one, " %s", tokenizer_piece(t, learned->id[i]));
        for (size_t i = 0; i < ids.count; i++)
            buf_printf(&other, " %s", tokenizer_piece(t, ids.id[i]));
        fail_msg("%s, %s of\n%s\n%s\ntraining:%s\nelse:    %s", kind->name, what, pair->side[0].text, pair->side[1].text,
                 one.text, other.text);
    }
    ids_free(&ids);
}

/* Counts the placeholders of a line. */
static long placeholders_in(const Words *words)
{
    long count = 0;
    for (size_t i = 0; i < words->count; i++) {
        const Slice core = words_core_at(words, i);
        count += placeholder_is(core);
    }
    return count;
}

/* Compares a pair that training has as `record`; adds up its placeholders in training and in translation. */
static void compare(const Kind *kind, const Data *data, const TextPair *pair, const Record *record, long placeholders[2])
{
    const Language source = { data->source, data->lexicon[LANGUAGE_SOURCE] };
    const Language target = { data->target, data->lexicon[LANGUAGE_TARGET] };
    const Visit visit = { .key = 7 };
    MaskedLine masked = { 0 };
    Words words = { 0 };
    Ids sources = { 0 }, targets = { 0 };
    examples_add(&data->train, record, visit, &sources, &targets);
    mask_pair(&masked, &words, source, target, pair->side[LANGUAGE_SOURCE].text, pair->side[LANGUAGE_TARGET].text);
    assert_same_ids(kind, pair, "the source", data->source, &sources, &masked.words);
    assert_same_ids(kind, pair, "the target", data->target, &targets, &words);
    const long learned = placeholders_in(&masked.words);
    mask_line(&masked, source, pair->side[LANGUAGE_SOURCE].text, pair->side[LANGUAGE_SOURCE].length, NULL, NULL, 0);
    const long proposed = placeholders_in(&masked.words);
    if (proposed == learned) assert_same_ids(kind, pair, "a line", data->source, &sources, &masked.words);
    assert_true(proposed >= learned);
    placeholders[0] += learned;
    placeholders[1] += proposed;
    masked_line_free(&masked);
    words_free(&words);
    ids_free(&sources);
    ids_free(&targets);
}

/* given: tokenizers of a plain kind; NULL: they are learned. */
static void compare_all(Scratch *s, const Kind *kind, Tokenizer *const given[LANGUAGES])
{
    Err e;
    Data data;
    TextPair *pair = calloc(PAIRS, sizeof *pair);
    int *number = calloc(PAIRS, sizeof *number);
    long placeholders[2] = { 0 };
    const char *path = write_pairs(s, kind, pair);
    DataOptions options = { .files = { .name = &path, .count = 1 }, .text = text_defaults(), .memory = 1 << 24,
                            .folder = s->folder, .workers = 1, .examples = { .max_length = 1000 } };
    options.text.truecase = options.text.placeholders = options.text.shared = 1;
    options.text.vocabulary = 3000;
    if (given) {
        options.text = given[0]->options;
        for (int side = 0; side < LANGUAGES; side++)
            options.base[side].tokenizer = given[side];
    }
    if (data_prepare(&data, &options, &e)) fail_msg("%s", e.text);
    assert_int_equal(data.train.count, PAIRS);
    for (int side = 0; given && side < LANGUAGES; side++)
        assert_true(tokenizers_are_same(side == LANGUAGE_SOURCE ? data.source : data.target, given[side]));
    assert_int_equal(data.source == data.target, !given || given[0] == given[1]);
    for (int shard = 0; shard < store_shards(data.train.store); shard++) {
        const Shard *loaded = store_load(data.train.store, shard, &e);
        store_numbers(data.train.store, shard, number);
        for (size_t i = 0; i < loaded->count; i++) {
            const Record record = shard_record(loaded, i);
            compare(kind, &data, &pair[number[i]], &record, placeholders);
        }
    }
    print_message("%s: %ld placeholders in training, %ld in translation\n", kind->name, placeholders[0], placeholders[1]);
    assert_true(given || placeholders[0] > 0);
    for (int i = 0; i < PAIRS; i++)
        for (int side = 0; side < LANGUAGES; side++)
            buf_free(&pair[i].side[side]);
    free(pair);
    free(number);
    data_free(&data);
}

TEST_IN_SCRATCH(ids_should_be_the_same_in_training_validation_and_translation)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        compare_all(*state, &kinds[i], NULL);
}

TEST_IN_SCRATCH(ids_should_be_the_same_where_sentencepiece_cuts)
{
    Tokenizer *t = plain_case("bytes", NULL, 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        compare_all(*state, &kinds[i], (Tokenizer *[]){ t, t });
    tokenizer_free(t);
}

TEST_IN_SCRATCH(ids_should_be_the_same_where_two_segmenters_share_a_vocabulary)
{
    static const char *const piece[] = { "▁", "a", "▁a", "ab", "b", "c", "e", "d" };
    Tokenizer *given[] = { plain_case("unigram", piece, 8), plain_case("bpe", piece, 8) };
    compare_all(*state, &kinds[0], given);
    tokenizer_free(given[0]);
    tokenizer_free(given[1]);
}

int main(void) { return run_unit_tests(); }
