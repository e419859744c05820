/* test_memory_limit.c - a network that follows from the corpus is the widest that a limit of memory
 * leaves room for. */

#include "train/hyperparameters/memory_estimate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const CorpusSize large = { .pairs = 1e7, .source_words = 8e7, .target_words = 9e7 };
static const double memory = 2.5e8 * sizeof(real);      /* too little for that corpus's network */
static const TextOptions subwords = { .tokens = TOKENS_BPE, .shared = 1 };

static NetworkOptions asking(void)
{
    NetworkOptions n = network_defaults();
    fields_automate(network_fields, &n);
    return n;
}

static LimitedNetwork within(const NetworkOptions *asked, double bytes)
{
    const Hyperparameters hyper = hyperparameters_defaults();
    return network_within(&large, asked, &subwords, &hyper, bytes);
}

static LimitedNetwork usual_within(double bytes)
{
    const NetworkOptions asked = asking();
    return within(&asked, bytes);
}

static void with_room_the_network_should_be_that_of_the_corpus(void **state)
{
    (void)state;
    NetworkOptions n = asking();
    const NetworkOptions usual = network_for(&large, &n, 1, WIDEST);
    const LimitedNetwork free = usual_within(1e12);
    fields_settle(network_fields, &n, &usual);
    assert_true(n.hidden > 2 * NARROWEST);
    assert_memory_equal(&free.network, &n, sizeof n);
    assert_int_equal(free.worth, n.hidden);
    const LimitedNetwork just = usual_within(free.needs);
    assert_memory_equal(&just.network, &n, sizeof n);
    assert_true(usual_within(free.needs - 1).network.hidden < n.hidden);
}

/* What a worker of its own takes for a batch of the longest sentences. */
static double bytes_of(const NetworkOptions *n, const Hyperparameters *h)
{
    const int words = text_vocabulary(&subwords, large.pairs), tokens = h->batch * h->max_length;
    const BatchSize batch = { h->batch, h->max_length, tokens, h->max_length, tokens };
    const MemoryEstimate e = memory_estimate(n, words, words, batch, NULL, h,
                                             (Crew){ 0, 1, 1 });
    return e.weights + e.batch;
}

static void with_less_it_should_be_the_widest_that_fits(void **state)
{
    (void)state;
    const Hyperparameters hyper = hyperparameters_defaults();
    const int worth = usual_within(1e12).worth;
    int narrowed = 0;
    for (double bytes = 1e12; bytes > 1; bytes *= 0.9) {
        const LimitedNetwork limited = usual_within(bytes);
        NetworkOptions n = limited.network;
        assert_int_equal(n.embedding, n.hidden);
        assert_int_equal(n.tie, TIE_ALL);
        assert_int_equal(limited.worth, worth);
        assert_true(n.hidden >= NARROWEST && n.hidden % WIDTH_STEP == 0);
        assert_true(n.hidden == NARROWEST || bytes_of(&n, &hyper) <= bytes);
        narrowed += n.hidden < worth && n.hidden > NARROWEST;
        n.hidden = n.embedding = n.hidden + WIDTH_STEP;
        assert_true(n.hidden > worth || bytes_of(&n, &hyper) > bytes);
    }
    assert_true(narrowed > 3);
    assert_int_equal(usual_within(0).network.hidden, NARROWEST);
}

static void what_is_asked_for_should_stay(void **state)
{
    (void)state;
    NetworkOptions asked = asking();
    asked.hidden = 2000;
    assert_int_equal(within(&asked, memory).network.hidden, 2000);
    assert_int_equal(within(&asked, memory).worth, 2000);
    assert_int_equal(within(&asked, memory).network.embedding, NARROWEST);
    asked.embedding = 1500;
    assert_int_equal(within(&asked, memory).network.embedding, 1500);
}

/* A tie needs equal widths, where the readout is simple. */
static void a_narrower_network_should_be_tied_as_its_own_widths_allow(void **state)
{
    (void)state;
    NetworkOptions asked = asking();
    asked.readout = READOUT_SIMPLE;
    asked.embedding = usual_within(1e12).worth;
    assert_int_equal(within(&asked, 1e12).network.tie, TIE_ALL);
    assert_int_equal(within(&asked, memory).network.tie, TIE_NONE);
}

static void shorter_sentences_smaller_batches_and_fewer_words_should_leave_more_room(void **state)
{
    (void)state;
    const NetworkOptions asked = asking();
    const Hyperparameters usual = hyperparameters_defaults();
    Hyperparameters fewer = usual, shorter = usual, tokens = usual;
    fewer.batch /= 2;
    shorter.max_length /= 2;
    tokens.batch_tokens = usual.batch * usual.max_length / 2;
    TextOptions words = subwords;
    words.vocabulary = 4000;
    const int width = network_within(&large, &asked, &subwords, &usual, memory).network.hidden;
    assert_true(network_within(&large, &asked, &subwords, &fewer, memory).network.hidden > width);
    assert_true(network_within(&large, &asked, &subwords, &shorter, memory).network.hidden > width);
    assert_true(network_within(&large, &asked, &subwords, &tokens, memory).network.hidden > width);
    assert_true(network_within(&large, &asked, &words, &usual, memory).network.hidden > width);
}

static void the_number_of_workers_should_not_matter(void **state)
{
    (void)state;
    const NetworkOptions asked = asking();
    Hyperparameters hyper = hyperparameters_defaults();
    hyper.threads = 64;
    const LimitedNetwork few = usual_within(memory);
    const LimitedNetwork many = network_within(&large, &asked, &subwords, &hyper, memory);
    assert_memory_equal(&many.network, &few.network, sizeof few.network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_room_the_network_should_be_that_of_the_corpus),
        cmocka_unit_test(with_less_it_should_be_the_widest_that_fits),
        cmocka_unit_test(what_is_asked_for_should_stay),
        cmocka_unit_test(a_narrower_network_should_be_tied_as_its_own_widths_allow),
        cmocka_unit_test(shorter_sentences_smaller_batches_and_fewer_words_should_leave_more_room),
        cmocka_unit_test(the_number_of_workers_should_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
