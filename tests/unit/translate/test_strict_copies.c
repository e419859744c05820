/* test_strict_copies.c - translations that lack what their source has placeholders for. */
#include "learn_lines.h"
#include "lexicon_case.h"
#include "text/copies.h"
#include "translator_case.h"

/* The toy with placeholders, whose network writes none where `bias` is low. */
static Case case_of_copies(Scratch *scratch, real bias)
{
    Case c = translator_case_new(scratch);
    Model *m = &c.toy->model;
    tokenizer_free(m->source);
    tokenizer_free(m->target);
    m->text.placeholders = 1;
    m->source = learn_lines(&m->text, toy_sources, TOY_PAIRS);
    m->target = learn_lines(&m->text, toy_targets, TOY_PAIRS);
    m->source_lexicon = lexicon_of("['','','','I am calm The cat is here . 7 8']");
    m->target_lexicon = lexicon_of("['','','','.']");
    toy_network(c.toy, &(NetworkOptions){ .embedding = 16, .hidden = 16, .layers = 1, .bidirectional = 1 });
    real *output = weights_at(m->table, m->weights).output_bias;
    output[ID_EOS] = 1;
    for (int k = 0; k < PLACEHOLDERS; k++) output[ID_SPECIALS + k] = bias;
    return c;
}

/* The best translation of a line. */
static Translation translated(const Case *c, int beam, int strict, const char *line)
{
    SearchOptions options = beam_of(beam, 1, 64);
    options.strict_copies = strict;
    options.max_length_ratio = 10;
    return translate_one(c, &options, line);
}

static int copies_in(const Translation *t)
{
    int copies = 0;
    for (int k = 0; k < (int)t->chunk->copies.text.count; k++)
        copies += chunk_has_copy(t->chunk, t->chunk->hypothesis, k);
    return copies;
}

/* What is missing is put between the words that the network would have written anyway. */
static void copies_that_never_come_should_alter_no_word(void **state)
{
    Case c = case_of_copies(*state, -100);
    for (int beam = 1; beam <= 5; beam += 4) {
        Translation strict = translated(&c, beam, 1, "The cat 7 is 8.");
        Translation free_one = translated(&c, beam, 0, "The cat 7 is 8.");
        const Hypothesis *h = strict.chunk->hypothesis, *words = free_one.chunk->hypothesis;
        int kept = 0;
        for (int i = 0; i < h->length; i++)
            if (chunk_copy(strict.chunk, h->ids[i]) < 0) assert_int_equal(h->ids[i], words->ids[kept++]);
        assert_int_equal(kept, words->length);
        assert_int_equal(h->length, words->length + 2);
        assert_int_equal(copies_in(&strict), 2);
        translation_free(&strict);
        translation_free(&free_one);
    }
    translator_case_free(&c);
}

static void copies_that_come_should_stay(void **state)
{
    Case c = case_of_copies(*state, 1);
    for (int beam = 1; beam <= 5; beam += 4) {
        Translation strict = translated(&c, beam, 1, "The cat 7 is 8.");
        Translation free_one = translated(&c, beam, 0, "The cat 7 is 8.");
        assert_int_equal(copies_in(&strict), 2);
        assert_true(copies_in(&free_one) < 2);
        translation_free(&strict);
        translation_free(&free_one);
    }
    translator_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(copies_that_never_come_should_alter_no_word),
        in_scratch(copies_that_come_should_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
