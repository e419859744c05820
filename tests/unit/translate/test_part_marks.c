/* test_part_marks.c - marks around parts of sentences, by the habits of the target's language. */
#include "translate/part_marks.h"

#include "learn_lines.h"
#include "lexicon_case.h"
#include "scratch.h"

#include <stdlib.h>

/* English writes "no?", French « non ? »: a blank and ? are one piece. */
typedef struct { Tokenizer *tokenizer; Lexicon *lexicon; Language language; } World;

static World world_of(int french)
{
    static const char *const lines[2][2] = { { "no? so? no?", "so? no?" }, { "non ? si ?", "si ? non ?" } };
    static const char *const words[2] = { "['','\\u0022']", "['','\\u0022 \\u00AB']" };
    TextOptions options = text_defaults();
    options.tokens = TOKENS_BPE;
    options.vocabulary = 40;
    World w = { .tokenizer = learn_lines(&options, lines[french], 2),
                .lexicon = lexicon_of(words[french]) };
    w.language = (Language){ .tokenizer = w.tokenizer, .lexicon = w.lexicon };
    return w;
}

static void world_free(World *w)
{
    tokenizer_free(w->tokenizer);
    lexicon_free(w->lexicon);
}

static void assert_tail(const World *source, const World *target, PartText part,
                        const char *expected)
{
    part.length = strlen(part.text);
    char *tail = part_tail(&part, source->language, target->language);
    assert_string_equal(tail, expected);
    free(tail);
}

static void tails_should_have_the_marks_of_english(void **state)
{
    (void)state;
    World english = world_of(0), french = world_of(1);
    assert_tail(&french, &english, (PartText){ "la ; ", 2, 5, 0 }, ";");
    assert_tail(&french, &english, (PartText){ "la ", 2, 3, 0 }, "");
    assert_tail(&french, &english, (PartText){ "la ?), ", 2, 4, 0 }, "?),");
    assert_tail(&french, &english, (PartText){ "oui », ", 3, 4, 0 }, ",\"");
    assert_tail(&french, &english, (PartText){ "oui ! », ", 3, 6, 0 }, "!\",");
    assert_tail(&english, &english, (PartText){ "no\", ", 2, 2, 0 }, ",\"");
    assert_tail(&english, &english, (PartText){ "no,” ", 2, 3, 0 }, ",”");
    world_free(&english);
    world_free(&french);
}

static void french_should_have_guillemets_and_blanks(void **state)
{
    (void)state;
    World english = world_of(0), french = world_of(1);
    assert_tail(&english, &french, (PartText){ "it is; ", 5, 7, 0 }, " ;");
    assert_tail(&english, &french, (PartText){ "who?)! ", 3, 4, 0 }, " ?) !");
    assert_tail(&english, &french, (PartText){ "who?!), ", 3, 5, 0 }, " ?!),");
    assert_tail(&english, &french, (PartText){ "no,\" ", 2, 3, 0 }, " »,");
    assert_tail(&english, &french, (PartText){ "no!\"", 2, 3, 0 }, " ! »");
    assert_tail(&english, &french, (PartText){ "no”; ", 2, 2, 0 }, " » ;");
    assert_tail(&french, &french, (PartText){ "si ; ", 2, 5, 0 }, " ;");
    world_free(&english);
    world_free(&french);
}

/* « Non ? » has a blank and ? as one piece for both languages if they share a vocabulary. */
static void of_two_languages_that_with_guillemets_should_have_the_blanks(void **state)
{
    (void)state;
    World english = world_of(0), french = world_of(1);
    const World shared = { french.tokenizer, english.lexicon,
                           { .tokenizer = french.tokenizer, .lexicon = english.lexicon } };
    assert_tail(&french, &shared, (PartText){ "la; ", 2, 4, 0 }, ";");
    assert_tail(&shared, &french, (PartText){ "la; ", 2, 4, 0 }, " ;");
    world_free(&english);
    world_free(&french);
}

static void words_should_begin_behind_blanks(void **state)
{
    (void)state;
    static const struct { const char *text; int words; } cases[] = {
        { "", 0 }, { ";", 0 }, { " ;", 1 }, { "), ", 0 }, { " ! »", 2 }, { "a b", 1 }, { " ", 0 }
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(words_begun(cases[i].text, cases[i].text + strlen(cases[i].text)),
                         cases[i].words);
}

static void assert_opening(const World *w, const char *mark, const char *expected)
{
    char *opening = part_opening(mark, w->language);
    assert_string_equal(opening, expected);
    free(opening);
}

static void openings_should_quote_as_the_language_does(void **state)
{
    (void)state;
    World english = world_of(0), french = world_of(1);
    assert_opening(&english, "\"", "\"");
    assert_opening(&english, "– \u00AB ", "– \"");
    assert_opening(&english, "(", "(");
    assert_opening(&french, "- \"", "- \u00AB ");
    assert_opening(&french, "\u201C", "\u00AB ");
    assert_opening(&french, "\u00AB ", "\u00AB ");
    assert_opening(&french, "[", "[");
    world_free(&english);
    world_free(&french);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_should_have_the_marks_of_english),
        cmocka_unit_test(french_should_have_guillemets_and_blanks),
        cmocka_unit_test(of_two_languages_that_with_guillemets_should_have_the_blanks),
        cmocka_unit_test(words_should_begin_behind_blanks),
        cmocka_unit_test(openings_should_quote_as_the_language_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
