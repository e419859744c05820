/* test_word_forms.c - how the words of a corpus are counted. */
#include "train/data/word_forms.h"

#include "text/tokenizer/tokenizer.h"

#include "scratch.h"

enum { PAIRS = 2000 };

/* The first pairs of the corpus in the numbers of their words. */
typedef struct {
    Buf         source[PAIRS], target[PAIRS];
    StringTable words;
    WordKinds   kinds;
    WordUses    uses;
    Ids         ids[LANGUAGES][PAIRS];
} Read;

static const TextOptions options = { .tokens = TOKENS_CHAR, .min_frequency = 1, .truecase = 1,
                                     .placeholders = 1 };

static void add_words(Read *r, const Buf *line, Ids *ids)
{
    Words words = { 0 };
    tokenizer_split(&options, line->text, line->length, &words);
    for (size_t i = 0; i < words.count; i++) {
        const Slice word = words_at(&words, i);
        ids_add(ids, string_table_add(&r->words, word));
    }
    words_free(&words);
}

static Read *read_new(void)
{
    Read *r = calloc(1, sizeof *r);
    FILE *file = fopen("data/eng-fra.train.tsv", "r");
    char line[10000];
    assert_non_null(file);
    for (int i = 0; i < PAIRS; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        char *target = strchr(line, '\t') + 1;
        buf_add(&r->source[i], line, (size_t)(target - 1 - line));
        buf_add(&r->target[i], target, strcspn(target, "\t\n"));
        add_words(r, &r->source[i], &r->ids[LANGUAGE_SOURCE][i]);
        add_words(r, &r->target[i], &r->ids[LANGUAGE_TARGET][i]);
        const Ids *s = &r->ids[LANGUAGE_SOURCE][i], *t = &r->ids[LANGUAGE_TARGET][i];
        word_kinds_extend(&r->kinds, &r->words);
        word_uses_add(&r->uses, &r->kinds,
                      &(Record){ s->id, t->id, (int)s->count, (int)t->count });
    }
    fclose(file);
    return r;
}

static void read_free(Read *r)
{
    for (int i = 0; i < PAIRS; i++) {
        buf_free(&r->source[i]);
        buf_free(&r->target[i]);
        ids_free(&r->ids[LANGUAGE_SOURCE][i]);
        ids_free(&r->ids[LANGUAGE_TARGET][i]);
    }
    string_table_free(&r->words);
    word_kinds_free(&r->kinds);
    word_uses_free(&r->uses);
    free(r);
}

/* The uses of a word on one side, and the words that are both, by a naive count. */
static void uses_should_be_what_a_naive_count_gives(void **state)
{
    Read *r = read_new();
    for (int side = 0; side < LANGUAGES; side++) {
        const WordUse use = word_uses_of(&r->uses, &r->words, side);
        long times = 0, first = 0, expected = 0;
        for (size_t word = 0; word < r->words.count; word++) {
            times += use.times[word];
            first += use.first[word];
            assert_true(use.first[word] <= use.times[word]);
            assert_true(use.shared[word] <= use.times[word] || side == LANGUAGE_TARGET);
        }
        for (int i = 0; i < PAIRS; i++)
            expected += (long)r->ids[side][i].count;
        assert_int_equal(times, expected);
        assert_int_equal(first, PAIRS);
    }
    read_free(r);
}

static void words_should_be_counted_by_what_is_beside_them(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uses_should_be_what_a_naive_count_gives),
        cmocka_unit_test(words_should_be_counted_by_what_is_beside_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
