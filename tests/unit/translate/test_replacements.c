/* test_replacements.c - what stands for copies in translations, among words that the network wrote. */
#include "translate/replacements.h"

#include "base/mem.h"
#include "learn_lines.h"
#include "scratch.h"

#include <stdlib.h>

static const char *const lines[] = {
    "abcdefghijklmnopqrstuvwxyz é '\".,!«» du de il il il d'",
    "is was it's it's party at at",
};

static Tokenizer *pieces_of(int kind)
{
    TextOptions options = text_defaults();
    options.tokens = kind;
    options.vocabulary = 300;
    options.truecase = options.placeholders = 1;
    return learn_lines(&options, lines, 2);
}

static int placeholder_id(const Chunk *chunk, int number)
{
    return ID_SPECIALS + placeholder_number(number, (CopyKind)chunk->copies.kind[number]);
}

/* Appends the pieces of a text, where # is the next copy, and & the next without a blank before it. */
static void add_ids(const Tokenizer *t, const Chunk *chunk, const char *text, Ids *ids)
{
    int number = 0;
    for (const char *sign; (sign = strpbrk(text, "#&")) != NULL; text = sign + 1) {
        tokenizer_encode(t, text, (size_t)(sign - text), ids, NULL);
        if (*sign == '#') tokenizer_encode_word(t, BLANK_MARK, BLANK_MARK_LENGTH, NULL, ids);
        ids_add(ids, placeholder_id(chunk, number++));
    }
    const size_t glued = strcspn(text, " ");
    if (glued) tokenizer_encode_word(t, text, glued, NULL, ids);
    tokenizer_encode(t, text + glued, strlen(text + glued), ids, NULL);
    ids_add(ids, ID_EOS);
}

/* The text of a translation of this chunk, whose copies are set, by pieces of a kind. */
static void assert_written(int kind, Chunk *chunk, const char *written, const char *expected)
{
    Tokenizer *t = pieces_of(kind);
    Ids ids = { 0 };
    add_ids(t, chunk, written, &ids);
    const Hypothesis h = { .length = (int)ids.count, .ids = ids.id };
    char *text = chunk_text_before(chunk, &h, h.length, t, t);
    assert_string_equal(text, expected);
    free(text);
    copies_free(&chunk->copies);
    ids_free(&ids);
    tokenizer_free(t);
}

/* A word before a name that is copied, in place of #. */
static void assert_named(int prefix, const char *name, const char *written, const char *expected)
{
    static const int kinds[] = { TOKENS_BPE, TOKENS_CHAR };
    for (int i = 0; i < 2; i++) {
        Chunk chunk = { .output = CASE_FIRST_CAPITAL, .prefix_length = prefix };
        copies_add(&chunk.copies, name, strlen(name), COPY_OTHER);
        assert_written(kinds[i], &chunk, written, expected);
    }
}

static void a_name_should_be_parted_from_the_word_before_it(void **state)
{
    (void)state;
    assert_named(0, "Olga", "it was&.", "It was Olga.");
    assert_named(0, "Émile", "was&'s party", "Was Émile's party");
    assert_named(0, "Olga", "is a&", "Is a Olga");
    assert_named(0, "Olga", "& is", "Olga is");
    assert_named(0, "Olga", "it's '&'.", "It's 'Olga'.");
    assert_named(0, "Olga", "il d'&", "Il d'Olga");
    assert_named(99, "Olga", "was&", "WasOlga");
    assert_named(0, "3", "was&", "Was 3");
    assert_named(0, "-", "was&", "Was-");
    assert_named(0, "²", "was&", "Was²");
}

static void numbers_should_be_parted_from_each_other(void **state)
{
    (void)state;
    Chunk chunk = { 0 };
    copies_add(&chunk.copies, "17", 2, COPY_NUMBER);
    copies_add(&chunk.copies, "23", 2, COPY_NUMBER);
    assert_written(TOKENS_BPE, &chunk, "it is #&.", "it is 17 23.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_should_be_parted_from_the_word_before_it),
        cmocka_unit_test(numbers_should_be_parted_from_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
