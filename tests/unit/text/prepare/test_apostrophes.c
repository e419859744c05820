/* test_apostrophes.c - apostrophes that were left out, and words that lack none. */
#include "text/prepare/apostrophes.h"

#include "lexicon_case.h"
#include "scratch.h"

/* Seen 64 times and more, and 512 times and more: the last two lists. */
static const char lexicon_text[] =
    "['d\\u0027ana','','','','','hadn','I don can what an dot men that aura ange homme "
    "j\\u0027 c\\u0027 l\\u0027 d\\u0027 qu\\u0027 \\u0027t \\u0027m \\u0027s \\u0027d \\u0027ve o\\u0027clock "
    "aujourd\\u0027hui','','','est ai été il une a eau lui cant']";

/* The words of a line, restored and joined again; | between two that are written together. */
static void assert_restored(const char *line, const char *expected)
{
    Lexicon *lexicon = lexicon_of(lexicon_text);
    Words words = { 0 };
    Buf out = { 0 };
    words_split(line, strlen(line), 1, &words);
    apostrophes_restore(lexicon, &words, NULL, 0);
    show_words(&words, &out);
    assert_string_equal(out.text, expected);
    buf_free(&out);
    words_free(&words);
    lexicon_free(lexicon);
}

static void contractions_should_have_their_apostrophe(void **state)
{
    (void)state;
    assert_restored("i dont know", "i don|'t know");
    assert_restored("whats thats", "what|'s that|'s");
    assert_restored("im ive id", "i|'m i|'ve i|'d");
    assert_restored("Dont", "Don|'t");
    assert_restored("hadnt doesnt", "hadnt doesnt");        /* too seldom seen */
    assert_restored("ant mend dots cant", "ant mend dots cant");    /* other words; known */
}

static void elisions_should_have_their_apostrophe(void **state)
{
    (void)state;
    assert_restored("jai lété", "j'|ai l'|été");
    assert_restored("quil cest", "qu'|il c'|est");
    assert_restored("leau dune", "l'|eau d'|une");
    assert_restored("quange", "qu'|ange");
    assert_restored("cil laura lange jange", "cil laura lange jange");
    assert_restored("llui", "llui");
    assert_restored("8 oclock aujourdhui", "8 o'clock aujourd'hui");
}

static void other_words_should_be_left_alone(void **state)
{
    (void)state;
    assert_restored("dana", "dana");                        /* seldom seen */
    assert_restored("do2nt don't", "do2nt don|'t");
    assert_restored("ilss", "ilss");
    assert_restored("", "");
}

static void names_should_be_left_alone(void **state)
{
    (void)state;
    assert_restored("Leau il Jai", "Leau il Jai");
    assert_restored("Jai", "J'|ai");
    assert_restored("Jai Il", "Jai Il");
    assert_restored("Jai il", "J'|ai il");
    assert_restored("\"Dont", "\"|Don|'t");
    assert_restored("il Dont", "il Dont");
    assert_restored("I DONT, IM", "I DON|'T|, I|'M");
    assert_restored("il DONT", "il DONT");
    assert_restored("il Im", "il I|'m");
    assert_restored("an IM", "an IM");
    assert_restored("DonT", "DonT");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contractions_should_have_their_apostrophe),
        cmocka_unit_test(elisions_should_have_their_apostrophe),
        cmocka_unit_test(other_words_should_be_left_alone),
        cmocka_unit_test(names_should_be_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
