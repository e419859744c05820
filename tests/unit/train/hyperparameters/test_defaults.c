/* test_defaults.c - what a corpus of any size gets is what a network and a training accept. */
#include "train/hyperparameters/defaults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static Hyperparameters asking(void)
{
    Hyperparameters r = hyperparameters_defaults();
    fields_automate(hyperparameter_fields, &r);
    return r;
}

static NetworkOptions asking_of_network(void)
{
    NetworkOptions n = network_defaults();
    fields_automate(network_fields, &n);
    return n;
}

static NetworkOptions network_of(const CorpusSize *size)
{
    const NetworkOptions asked = asking_of_network();
    return network_for(size, &asked, 1, WIDEST);
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

static void what_goes_on_should_learn_more_slowly_and_shortly(void **state)
{
    (void)state;
    for (double pairs = 0; pairs < 1e9; pairs = 3 * pairs + 1) {
        const Hyperparameters asked = asking();
        const CorpusSize size = corpus_of(pairs);
        const Hyperparameters new = hyperparameters_for(&size, &asked, 1);
        Hyperparameters on = hyperparameters_to_continue(&size, &asked), again;
        assert_accepted(hyperparameter_fields, &on, &again);
        assert_true(on.rate < new.rate && on.epochs < new.epochs && !on.dropout_rise
                    && !on.r_drop && !on.both_directions);
        on.rate = new.rate;
        on.epochs = new.epochs;
        on.early_stop = new.early_stop;
        on.dropout_rise = new.dropout_rise;
        on.r_drop = new.r_drop;
        on.both_directions = new.both_directions;
        assert_memory_equal(&on, &new, sizeof on);
    }
}

static void every_size_of_corpus_should_get_options_that_fit_together(void **state)
{
    (void)state;
    for (double pairs = 0; pairs < 1e9; pairs = 3 * pairs + 1) {
        Err e;
        const Hyperparameters asked = asking();
        const CorpusSize size = corpus_of(pairs);
        const NetworkOptions network = network_of(&size);
        const Hyperparameters hyper = hyperparameters_for(&size, &asked, 1);
        NetworkOptions network_again;
        Hyperparameters hyper_again;
        assert_accepted(network_fields, &network, &network_again);
        assert_accepted(hyperparameter_fields, &hyper, &hyper_again);
        if (network_check(&network, &e)) fail_msg("%s", e.text);
        assert_true(!hyper.batch_tokens || hyper.batch_tokens >= hyper.max_length);
    }
}

/* The eng-fra corpus of tatoeba.org, on which most was tried: the rules go through what was found
 * there. */
static void the_usual_corpus_should_get_the_usual_numbers(void **state)
{
    (void)state;
    const Hyperparameters asked = asking(), usual = hyperparameters_defaults();
    const CorpusSize size = corpus_of(114489);
    const NetworkOptions network = network_of(&size), network_usual = network_defaults();
    const Hyperparameters hyper = hyperparameters_for(&size, &asked, 1);
    assert_int_equal(network.hidden, network_usual.hidden);
    assert_int_equal(network.embedding, network_usual.embedding);
    assert_true(hyper.dropout == usual.dropout
                && hyper.dropout_embedding == usual.dropout_embedding);
    assert_true(hyper.rate == usual.rate && hyper.label_smoothing == usual.label_smoothing);
    assert_true(hyper.r_drop == usual.r_drop && hyper.both_directions == usual.both_directions);
    assert_int_equal(hyper.epochs, usual.epochs);
    assert_int_equal(hyper.batch, usual.batch);
    assert_int_equal(hyper.validate_every, 0);
}

static void few_pairs_without_a_limit_should_get_two_networks(void **state)
{
    const CorpusSize few = corpus_of(59999), many = corpus_of(60000);
    const Hyperparameters asked = asking();
    Hyperparameters epochs = asked, steps = asked;
    (void)state;
    epochs.epochs = 30;
    steps.steps = 1000;
    assert_int_equal(hyperparameters_for(&few, &asked, 1).ensemble, 2);
    assert_int_equal(hyperparameters_for(&few, &epochs, 1).ensemble, 1);
    assert_int_equal(hyperparameters_for(&few, &steps, 1).ensemble, 1);
    assert_int_equal(hyperparameters_for(&many, &asked, 1).ensemble, 1);
}

static void one_of_several_networks_should_write_from_right_to_left(void **state)
{
    const CorpusSize few = corpus_of(2000), many = corpus_of(200000);
    const Hyperparameters asked = asking();
    Hyperparameters two = asked, one = asked, cut = asked;
    (void)state;
    two.ensemble = cut.ensemble = 2;
    one.ensemble = 1;
    cut.truncate = 1;
    assert_int_equal(hyperparameters_for(&few, &asked, 1).right_left, 1);
    assert_int_equal(hyperparameters_for(&few, &one, 1).right_left, 0);
    assert_int_equal(hyperparameters_for(&many, &two, 1).right_left, 1);
    assert_int_equal(hyperparameters_for(&many, &cut, 1).right_left, 0);
}

static void every_ten_minutes_should_be_a_network_and_more_of_a_larger_corpus(void **state)
{
    static const struct { double pairs, minutes; int networks; } rows[] = {
        { 100, 1, 1 }, { 100, 19.9, 1 }, { 100, 20, 2 }, { 114489, 29, 2 }, { 114489, 30, 3 },
        { 114489, 6000, 3 }, { 150000, 30, 3 }, { 300000, 39, 1 }, { 300000, 40, 2 }, { 1500000, 300, 3 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Hyperparameters asked = asking();
        const CorpusSize size = corpus_of(rows[i].pairs);
        asked.time_limit = 60 * rows[i].minutes;
        assert_int_equal(hyperparameters_for(&size, &asked, 1).ensemble, rows[i].networks);
    }
}

static void what_a_larger_corpus_gets_should_be_no_smaller_and_less_held_back(void **state)
{
    (void)state;
    const Hyperparameters asked = asking();
    const CorpusSize none = { 0 };
    NetworkOptions network = network_of(&none);
    Hyperparameters hyper = hyperparameters_for(&none, &asked, 1);
    for (double pairs = 1; pairs < 1e9; pairs *= 1.2) {
        const CorpusSize size = corpus_of(pairs);
        const NetworkOptions network_next = network_of(&size);
        const Hyperparameters next = hyperparameters_for(&size, &asked, 1);
        assert_true(network_next.hidden >= network.hidden
                    && network_next.embedding >= network.embedding);
        assert_true(next.dropout <= hyper.dropout
                    && next.dropout_embedding <= hyper.dropout_embedding);
        assert_true(next.epochs <= hyper.epochs && next.r_drop <= hyper.r_drop
                    && next.both_directions <= hyper.both_directions);
        network = network_next;
        hyper = next;
    }
    const NetworkOptions smallest = network_of(&none);
    assert_true(network.hidden > 2 * smallest.hidden);
    assert_true(hyperparameters_for(&none, &asked, 1).dropout > 2 * hyper.dropout);
    assert_true(hyperparameters_for(&none, &asked, 1).r_drop == 5 && hyper.r_drop == 0);
    assert_true(hyperparameters_for(&none, &asked, 1).both_directions > 0
                && hyper.both_directions == 0);
    assert_true(hyperparameters_for(&none, &asked, 0).both_directions == 0);
}

static void embeddings_should_be_tied_if_the_vocabulary_is_shared_and_widths_agree(void **state)
{
    (void)state;
    const CorpusSize size = corpus_of(1e5);
    NetworkOptions asked = asking_of_network();
    assert_int_equal(network_for(&size, &asked, 1, WIDEST).tie, TIE_ALL);
    assert_int_equal(network_for(&size, &asked, 0, WIDEST).tie, TIE_NONE);
    asked.readout = READOUT_SIMPLE;
    asked.embedding = network_for(&size, &asked, 1, WIDEST).hidden;
    assert_int_equal(network_for(&size, &asked, 1, WIDEST).tie, TIE_ALL);
    asked.embedding /= 2;
    assert_int_equal(network_for(&size, &asked, 1, WIDEST).tie, TIE_NONE);
    asked.readout = READOUT_DEEP;
    assert_int_equal(network_for(&size, &asked, 1, WIDEST).tie, TIE_ALL);
}

/* By pairs, by tokens (of 9 words a pair), and by several batches an update. */
static void validations_should_be_neither_rarer_nor_more_frequent_than_they_are_worth(void **state)
{
    (void)state;
    const CorpusSize small = corpus_of(5000), middle = corpus_of(1e5), large = corpus_of(1e6);
    Hyperparameters asked = asking();
    assert_int_equal(hyperparameters_for(&small, &asked, 1).validate_every, 200);
    assert_int_equal(hyperparameters_for(&middle, &asked, 1).validate_every, 0);
    assert_int_equal(hyperparameters_for(&large, &asked, 1).validate_every, 5000);
    asked.batch = 16;
    assert_int_equal(hyperparameters_for(&small, &asked, 1).validate_every, 0);
    asked.accumulate = 2;
    assert_int_equal(hyperparameters_for(&small, &asked, 1).validate_every, 200);
    asked.accumulate = 1;
    asked.batch_tokens = 300;       /* 5,000 · 9 / 300 = 150 */
    assert_int_equal(hyperparameters_for(&small, &asked, 1).validate_every, 200);
    asked.batch_tokens = 200;
    assert_int_equal(hyperparameters_for(&small, &asked, 1).validate_every, 0);
}

/* Unless somebody asks for what only validations can decide. */
static void the_last_weights_of_few_pairs_should_be_kept(void **state)
{
    (void)state;
    const CorpusSize few = corpus_of(10000), many = corpus_of(1e5);
    Hyperparameters asked = asking();
    assert_int_equal(hyperparameters_for(&few, &asked, 1).early_stop, STOP_NONE);
    assert_int_equal(hyperparameters_for(&many, &asked, 1).early_stop, STOP_LOSS);
    assert_int_equal(hyperparameters_to_continue(&few, &asked).early_stop, STOP_LOSS);
    asked.patience = 5;
    assert_int_equal(hyperparameters_for(&few, &asked, 1).early_stop, STOP_LOSS);
    asked = asking();
    asked.decay = 0.5;
    assert_int_equal(hyperparameters_for(&few, &asked, 1).early_stop, STOP_LOSS);
}

static void choices_should_follow_from_choices(void **state)
{
    (void)state;
    const CorpusSize size = corpus_of(1e5);
    Hyperparameters asked = asking();
    const int usual = hyperparameters_for(&size, &asked, 1).validate_sentences;
    asked.early_stop = STOP_BLEU;
    assert_true(hyperparameters_for(&size, &asked, 1).validate_sentences > usual);
    asked.batch = 7;
    assert_int_equal(hyperparameters_for(&size, &asked, 1).batch_tokens, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_on_should_learn_more_slowly_and_shortly),
        cmocka_unit_test(every_size_of_corpus_should_get_options_that_fit_together),
        cmocka_unit_test(the_usual_corpus_should_get_the_usual_numbers),
        cmocka_unit_test(few_pairs_without_a_limit_should_get_two_networks),
        cmocka_unit_test(one_of_several_networks_should_write_from_right_to_left),
        cmocka_unit_test(every_ten_minutes_should_be_a_network_and_more_of_a_larger_corpus),
        cmocka_unit_test(what_a_larger_corpus_gets_should_be_no_smaller_and_less_held_back),
        cmocka_unit_test(embeddings_should_be_tied_if_the_vocabulary_is_shared_and_widths_agree),
        cmocka_unit_test(validations_should_be_neither_rarer_nor_more_frequent_than_they_are_worth),
        cmocka_unit_test(the_last_weights_of_few_pairs_should_be_kept),
        cmocka_unit_test(choices_should_follow_from_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
