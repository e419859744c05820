/* test_model_origin.c - the languages that the name of a corpus holds. */
#include "cmd/model_origin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void codes_in_the_names_should_be_languages(void **state)
{
    (void)state;
    static const struct { const char *corpus, *languages; } cases[] = {
        { "eng-fra.train.tsv", "eng → fra" }, { "de-en.tsv.gz", "de → en" },
        { "en-fr-news.tsv", "en → fr" },
        { "news.en news.fr", "en → fr" },     { "a.train.eng b.fra", "eng → fra" },
        { "fra.txt", NULL },                  { "my-pairs.tsv", NULL },
        { "eng-fra", "eng → fra" },
        { "eng-.tsv", NULL },                 { "-fra.tsv", NULL },
        { "news.en news.french", NULL },
        { "one.en two.fr three.en", NULL },   { "en fr", NULL },             { "", NULL },
        { "pairs.tsv more.tsv", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buf out = { 0 };
        assert_int_equal(model_languages(cases[i].corpus, &out), cases[i].languages != NULL);
        if (cases[i].languages) assert_string_equal(out.text, cases[i].languages);
        else assert_null(out.text);
        buf_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(codes_in_the_names_should_be_languages) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
