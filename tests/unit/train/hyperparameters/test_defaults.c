/* test_defaults.c - what a corpus of any size gets is what a network and a training accept; and a
 * network that follows from the corpus is the widest that a limit of memory leaves room for. */
#include "scratch.h"
#include "train/hyperparameters/defaults.h"

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

static CorpusSize corpus_of(double pairs)
{
    return (CorpusSize){ .pairs = pairs, .source_words = 8 * pairs, .target_words = 9 * pairs };
}

static NetworkOptions network_of(const CorpusSize *size)
{
    const NetworkOptions asked = asking_of_network();
    return network_for(size, &asked, 1, WIDEST);
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

/* ---- the size of a corpus ---- */

static void what_goes_on_should_learn_more_slowly_and_shortly(void **state)
{
    for (double pairs = 0; pairs < 1e9; pairs = 3 * pairs + 1) {
        const Hyperparameters asked = asking();
        const CorpusSize size = corpus_of(pairs);
        const Hyperparameters new = hyperparameters_for(&size, &asked, 1);
        Hyperparameters on = hyperparameters_to_continue(&size, &asked), again;
        assert_accepted(hyperparameter_fields, &on, &again);
        assert_true(on.rate < new.rate && on.epochs < new.epochs && on.early_stop == STOP_LOSS);
        assert_true(!on.dropout_rise && !on.r_drop && !on.both_directions);
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
    const Hyperparameters asked = asking();
    const CorpusSize size = corpus_of(114489);
    const NetworkOptions network = network_of(&size), usual = network_defaults();
    Hyperparameters hyper = hyperparameters_for(&size, &asked, 1);
    const Hyperparameters expected = hyperparameters_defaults();
    assert_int_equal(network.hidden, usual.hidden);
    assert_int_equal(network.embedding, usual.embedding);
    hyper.precision = expected.precision;       /* follows from the CPU */
    assert_memory_equal(&hyper, &expected, sizeof hyper);
}

static void what_a_larger_corpus_gets_should_be_no_smaller_and_less_held_back(void **state)
{
    const Hyperparameters asked = asking();
    const CorpusSize none = { 0 };
    const NetworkOptions smallest = network_of(&none);
    const Hyperparameters first = hyperparameters_for(&none, &asked, 1);
    NetworkOptions network = smallest;
    Hyperparameters hyper = first;
    for (double pairs = 1; pairs < 1e9; pairs *= 1.2) {
        const CorpusSize size = corpus_of(pairs);
        const NetworkOptions wider = network_of(&size);
        const Hyperparameters next = hyperparameters_for(&size, &asked, 1);
        assert_true(wider.hidden >= network.hidden && wider.embedding >= network.embedding);
        assert_true(next.dropout <= hyper.dropout && next.epochs <= hyper.epochs
                    && next.dropout_embedding <= hyper.dropout_embedding
                    && next.r_drop <= hyper.r_drop
                    && next.both_directions <= hyper.both_directions);
        network = wider;
        hyper = next;
    }
    assert_true(network.hidden > 2 * smallest.hidden && first.dropout > 2 * hyper.dropout);
    assert_true(first.r_drop == 5 && hyper.r_drop == 0);
    assert_true(first.both_directions > 0 && hyper.both_directions == 0);
    assert_true(hyperparameters_for(&none, &asked, 0).both_directions == 0);
}

/* ---- choices follow from choices ---- */

/* What is asked for, and an option as it then is. */
static void an_option_should_follow_from_the_corpus_and_from_others(void **state)
{
    static const struct { double pairs; const char *asked, *option; int expected; } rows[] = {
        /* few pairs without a limit get two networks, of which one writes from right to left */
        { 59999, "{}", "ensemble", 2 },                 { 60000, "{}", "ensemble", 1 },
        { 59999, "{\"epochs\":30}", "ensemble", 1 },    { 59999, "{\"steps\":1000}", "ensemble", 1 },
        { 2000, "{}", "right-left", 1 },                { 2000, "{\"ensemble\":1}", "right-left", 0 },
        { 200000, "{\"ensemble\":2}", "right-left", 1 },
        { 200000, "{\"ensemble\":2,\"truncate\":true}", "right-left", 0 },
        /* ten minutes are a network, and more of a larger corpus */
        { 100, "{\"time-limit\":60}", "ensemble", 1 },  { 100, "{\"time-limit\":1194}", "ensemble", 1 },
        { 100, "{\"time-limit\":1200}", "ensemble", 2 },
        { 114489, "{\"time-limit\":1740}", "ensemble", 2 },
        { 114489, "{\"time-limit\":1800}", "ensemble", 3 },
        { 114489, "{\"time-limit\":360000}", "ensemble", 3 },
        { 150000, "{\"time-limit\":1800}", "ensemble", 3 },
        { 300000, "{\"time-limit\":2340}", "ensemble", 1 },
        { 300000, "{\"time-limit\":2400}", "ensemble", 2 },
        { 1500000, "{\"time-limit\":18000}", "ensemble", 3 },
        /* validations by pairs, by tokens (of 9 words a pair), and by several batches an update */
        { 5000, "{}", "validate-every", 200 },          { 1e5, "{}", "validate-every", 0 },
        { 1e6, "{}", "validate-every", 5000 },          { 5000, "{\"batch\":16}", "validate-every", 0 },
        { 5000, "{\"batch\":16,\"accumulate\":2}", "validate-every", 200 },
        { 5000, "{\"batch\":16,\"batch-tokens\":300}", "validate-every", 200 },
        { 5000, "{\"batch\":16,\"batch-tokens\":200}", "validate-every", 0 },
        /* few pairs keep the last weights, unless validations are to decide */
        { 10000, "{}", "early-stop", STOP_NONE },       { 1e5, "{}", "early-stop", STOP_LOSS },
        { 10000, "{\"patience\":5}", "early-stop", STOP_LOSS },
        { 10000, "{\"decay\":0.5}", "early-stop", STOP_LOSS },
        { 1e5, "{}", "validate-sentences", 200 },
        { 1e5, "{\"early-stop\":\"bleu\"}", "validate-sentences", 1000 },
        { 1e5, "{\"batch\":7}", "batch-tokens", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Err e;
        Hyperparameters asked = asking();
        const CorpusSize size = corpus_of(rows[i].pairs);
        cJSON *json = cJSON_Parse(rows[i].asked);
        if (fields_from_json(hyperparameter_fields, &asked, json, &e)) fail_msg("%s", e.text);
        cJSON_Delete(json);
        const Hyperparameters found = hyperparameters_for(&size, &asked, 1);
        const Field *field = fields_find(hyperparameter_fields, rows[i].option,
                                         strlen(rows[i].option));
        const int value = *(const int *)(const void *)((const char *)&found + field->offset);
        if (value != rows[i].expected)
            fail_msg("%.0f pairs, %s: %s is %d, not %d", rows[i].pairs, rows[i].asked,
                     rows[i].option, value, rows[i].expected);
    }
}

static void embeddings_should_be_tied_if_the_vocabulary_is_shared_and_widths_agree(void **state)
{
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

/* ---- within a limit of memory ---- */

static const CorpusSize large = { .pairs = 1e7, .source_words = 8e7, .target_words = 9e7 };
static const double memory = 2.5e8 * sizeof(real);      /* too little for that corpus's network */
static const TextOptions subwords = { .tokens = TOKENS_BPE, .shared = 1 };

static LimitedNetwork within(const NetworkOptions *asked, double bytes)
{
    const Hyperparameters hyper = hyperparameters_defaults();
    return network_within(&large, asked, &subwords, &hyper, bytes);
}

static LimitedNetwork usual_within(double bytes)
{
    const NetworkOptions asked = asking_of_network();
    return within(&asked, bytes);
}

static void with_room_the_network_should_be_that_of_the_corpus(void **state)
{
    NetworkOptions n = asking_of_network();
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
    NetworkOptions asked = asking_of_network();
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
    NetworkOptions asked = asking_of_network();
    asked.readout = READOUT_SIMPLE;
    asked.embedding = usual_within(1e12).worth;
    assert_int_equal(within(&asked, 1e12).network.tie, TIE_ALL);
    assert_int_equal(within(&asked, memory).network.tie, TIE_NONE);
}

static void shorter_sentences_smaller_batches_and_fewer_words_should_leave_more_room(void **state)
{
    const NetworkOptions asked = asking_of_network();
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
    const NetworkOptions asked = asking_of_network();
    Hyperparameters hyper = hyperparameters_defaults();
    hyper.threads = 64;
    const LimitedNetwork few = usual_within(memory);
    const LimitedNetwork many = network_within(&large, &asked, &subwords, &hyper, memory);
    assert_memory_equal(&many.network, &few.network, sizeof few.network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_on_should_learn_more_slowly_and_shortly),
        cmocka_unit_test(every_size_of_corpus_should_get_options_that_fit_together),
        cmocka_unit_test(the_usual_corpus_should_get_the_usual_numbers),
        cmocka_unit_test(what_a_larger_corpus_gets_should_be_no_smaller_and_less_held_back),
        cmocka_unit_test(an_option_should_follow_from_the_corpus_and_from_others),
        cmocka_unit_test(embeddings_should_be_tied_if_the_vocabulary_is_shared_and_widths_agree),
        cmocka_unit_test(with_room_the_network_should_be_that_of_the_corpus),
        cmocka_unit_test(with_less_it_should_be_the_widest_that_fits),
        cmocka_unit_test(what_is_asked_for_should_stay),
        cmocka_unit_test(a_narrower_network_should_be_tied_as_its_own_widths_allow),
        cmocka_unit_test(shorter_sentences_smaller_batches_and_fewer_words_should_leave_more_room),
        cmocka_unit_test(the_number_of_workers_should_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
