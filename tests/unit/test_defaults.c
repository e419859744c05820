/* test_defaults.c - what a corpus of any size gets is what a network and a training accept. */
#include "train/defaults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static Recipe asking(void)
{
    Recipe r = recipe_defaults();
    fields_automate(recipe_fields, &r);
    return r;
}

static CorpusSize corpus_of(double pairs)
{
    return (CorpusSize){ .pairs = pairs, .source_words = 8 * pairs, .target_words = 9 * pairs };
}

/* By the table's own ranges: what it writes as JSON it reads again. */
static void assert_accepted(const Field *fields, const void *object, void *again)
{
    Err e;
    cJSON *json = fields_to_json(fields, object);
    if (fields_from_json(fields, again, json, &e)) fail_msg("%s", e.text);
    cJSON_Delete(json);
    assert_null(fields_unsettled(fields, object));
}

static void every_size_of_corpus_should_get_options_that_fit_together(void **state)
{
    (void)state;
    for (double pairs = 0; pairs < 1e9; pairs = 3 * pairs + 1) {
        Err e;
        const Recipe asked = asking();
        const CorpusSize size = corpus_of(pairs);
        const NetworkOptions network = network_for(&size);
        const Recipe recipe = recipe_for(&size, &asked);
        NetworkOptions network_again;
        Recipe recipe_again;
        assert_accepted(network_fields, &network, &network_again);
        assert_accepted(recipe_fields, &recipe, &recipe_again);
        if (network_check(&network, &e)) fail_msg("%s", e.text);
        assert_true(!recipe.batch_tokens || recipe.batch_tokens >= recipe.max_length);
    }
}

static void choices_should_follow_from_choices(void **state)
{
    (void)state;
    const CorpusSize size = corpus_of(1e5);
    Recipe asked = asking();
    const int told = recipe_for(&size, &asked).validate_sentences;
    asked.early_stop = STOP_BLEU;
    assert_true(recipe_for(&size, &asked).validate_sentences > told);
    asked.batch = 7;
    assert_int_equal(recipe_for(&size, &asked).batch_tokens, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_of_corpus_should_get_options_that_fit_together),
        cmocka_unit_test(choices_should_follow_from_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
