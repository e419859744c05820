/* test_hyperparameters.c - what a corpus of any size gets is what a network and a training accept; a
 * network that follows from the corpus is the widest that a limit of memory leaves room for; the plan
 * of a run is what the run then takes, and what can't be had is refused.
 */
#include "model/network.h"
#include "model/prepacked_weights.h"
#include "toy.h"
#include "train/data/batches.h"
#include "train/hyperparameters.h"
#include "train/update/updater.h"
#include "train/validation.h"

#include <limits.h>
#include <math.h>

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
    return network_for(size, &asked, 1, WIDTH_MOST);
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

static Hyperparameters to_continue(NetworkOptions network, int width)
{
    const CorpusSize size = corpus_of(2000);
    const Hyperparameters asked = asking();
    network.embedding = network.hidden = width;
    return hyperparameters_to_continue(&size, &asked, &network);
}

UNIT_TEST(transformer_that_goes_on_should_learn_slowly_and_the_wider_the_more_so)
{
    NetworkOptions network = network_defaults();
    assert_float_equal(to_continue(network, 256).rate, 0.0005, 1e-9);
    assert_true(to_continue(network, 256).dropout > 0.3);
    network.decoder = DECODER_SELF_ATTENTION;
    assert_float_equal(to_continue(network, 256).rate, 0.0001, 1e-9);
    assert_float_equal(to_continue(network, 512).rate, 0.00005, 1e-9);
    assert_float_equal(to_continue(network, 1024).rate, 0.000025, 1e-9);
    assert_true(to_continue(network, 512).dropout == 0.1);
    assert_true(to_continue(network, 512).dropout_embedding == 0.1);
}

/* What goes on from another training learns more slowly and shortly, and is the same else. */
UNIT_TEST(every_size_of_corpus_should_get_options_that_fit_together)
{
    for (double pairs = 0; pairs < 1e9; pairs = 3 * pairs + 1) {
        Err e;
        const Hyperparameters asked = asking();
        const CorpusSize size = corpus_of(pairs);
        const NetworkOptions network = network_of(&size);
        const Hyperparameters new = hyperparameters_for(&size, &asked, 1);
        Hyperparameters on = hyperparameters_to_continue(&size, &asked, &network), again;
        NetworkOptions network_again;
        assert_accepted(network_fields, &network, &network_again);
        assert_accepted(hyperparameter_fields, &new, &again);
        assert_accepted(hyperparameter_fields, &on, &again);
        if (network_check(&network, &e)) fail_msg("%s", e.text);
        assert_true(!new.batch_tokens || new.batch_tokens >= new.max_length);
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

/* The eng-fra corpus of tatoeba.org, on which most was tried: the rules go through what was found
 * there. */
UNIT_TEST(the_usual_corpus_should_get_the_usual_numbers)
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

UNIT_TEST(what_a_larger_corpus_gets_should_be_no_smaller_and_less_held_back)
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

UNIT_TEST(long_lines_should_be_learned_by_tokens)
{
    Hyperparameters asked = asking();
    const CorpusSize of_20 = { .pairs = 1e5, .source_words = 2e6, .target_words = 1.9e6 };
    const CorpusSize of_21 = { .pairs = 1e5, .source_words = 1.9e6, .target_words = 2.1e6 };
    assert_int_equal(hyperparameters_for(&of_20, &asked, 1).batch_tokens, 0);
    assert_int_equal(hyperparameters_for(&of_21, &asked, 1).batch_tokens, 1024);
    asked.max_length = 3000;
    assert_int_equal(hyperparameters_for(&of_21, &asked, 1).batch_tokens, 3000);
    asked.batch = 10;
    assert_int_equal(hyperparameters_for(&of_21, &asked, 1).batch_tokens, 0);
}

/* ---- choices follow from choices ---- */

/* What is asked for, and an option as it then is. */
UNIT_TEST(an_option_should_follow_from_the_corpus_and_from_others)
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

UNIT_TEST(embeddings_should_be_tied_if_the_vocabulary_is_shared_and_widths_agree)
{
    const CorpusSize size = corpus_of(1e5);
    NetworkOptions asked = asking_of_network();
    assert_int_equal(network_for(&size, &asked, 1, WIDTH_MOST).tie, TIE_ALL);
    assert_int_equal(network_for(&size, &asked, 0, WIDTH_MOST).tie, TIE_NONE);
    asked.readout = READOUT_SIMPLE;
    asked.embedding = network_for(&size, &asked, 1, WIDTH_MOST).hidden;
    assert_int_equal(network_for(&size, &asked, 1, WIDTH_MOST).tie, TIE_ALL);
    asked.embedding /= 2;
    assert_int_equal(network_for(&size, &asked, 1, WIDTH_MOST).tie, TIE_NONE);
    asked.readout = READOUT_DEEP;
    assert_int_equal(network_for(&size, &asked, 1, WIDTH_MOST).tie, TIE_ALL);
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

UNIT_TEST(with_room_the_network_should_be_that_of_the_corpus)
{
    NetworkOptions n = asking_of_network();
    const NetworkOptions usual = network_for(&large, &n, 1, WIDTH_MOST);
    const LimitedNetwork free = usual_within(1e12);
    fields_settle(network_fields, &n, &usual);
    assert_true(n.hidden > 2 * WIDTH_LEAST);
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
    const MemoryEstimate e = memory_estimate(n, words, words, batch, NULL, h, (Crew){ 0, 1, 1 });
    return e.weights + e.batch;
}

UNIT_TEST(with_less_it_should_be_the_widest_that_fits)
{
    const Hyperparameters hyper = hyperparameters_defaults();
    const int worth = usual_within(1e12).worth;
    int narrowed = 0;
    for (double bytes = 1e12; bytes > 1; bytes *= 0.7) {
        const LimitedNetwork limited = usual_within(bytes);
        NetworkOptions n = limited.network;
        assert_true(n.embedding == n.hidden && n.tie == TIE_ALL && limited.worth == worth);
        assert_true(n.hidden >= WIDTH_LEAST && n.hidden % WIDTH_STEP == 0);
        assert_true(n.hidden == WIDTH_LEAST || bytes_of(&n, &hyper) <= bytes);
        narrowed += n.hidden < worth && n.hidden > WIDTH_LEAST;
        n.hidden = n.embedding = n.hidden + WIDTH_STEP;
        assert_true(n.hidden > worth || bytes_of(&n, &hyper) > bytes);
    }
    assert_true(narrowed > 0);
    Hyperparameters tokens = hyper;
    tokens.batch_tokens = hyper.batch * hyper.max_length / 2;
    const NetworkOptions asked = asking_of_network();
    assert_true(network_within(&large, &asked, &subwords, &tokens, memory).network.hidden
                > usual_within(memory).network.hidden);
}

/* A tie needs equal widths, where the readout is simple. */
UNIT_TEST(what_is_asked_for_should_stay)
{
    NetworkOptions asked = asking_of_network();
    asked.hidden = 2000;
    assert_int_equal(within(&asked, memory).network.hidden, 2000);
    assert_int_equal(within(&asked, memory).network.embedding, WIDTH_LEAST);
    asked = asking_of_network();
    asked.readout = READOUT_SIMPLE;
    asked.embedding = usual_within(1e12).worth;
    assert_int_equal(within(&asked, 1e12).network.tie, TIE_ALL);
    assert_int_equal(within(&asked, memory).network.tie, TIE_NONE);
}

/* ---- the plan ---- */

static MemoryEstimate need_of(const Toy *toy, int pairs, Crew crew)
{
    const Model *m = &toy->model;
    Hyperparameters hyper = toy->hyper;
    hyper.batch = pairs;
    const BatchSize share = batches_share(&toy->train, pairs, hyper.batch_tokens, crew.all);
    return memory_estimate(&m->network, tokenizer_size(m->source), tokenizer_size(m->target),
                           share, &toy->valid, &hyper, crew);
}

/* Of a batch, as without validation. */
static double batch_of(const Toy *toy, int pairs, int workers)
{
    return need_of(toy, pairs, (Crew){ 0, workers, workers }).batch
           - (double)updater_measure_shared(toy->model.table, &toy->hyper);
}

/* What the network measures for all eight pairs in one batch, each so many times. */
static double measure(const Toy *toy, const Pairs *pairs, int times, int with_gradient)
{
    Sentence sentences[2 * TOY_PAIRS];
    const int count = times * TOY_PAIRS;
    const Architecture net = model_architecture(&toy->model);
    for (int i = 0; i < count; i++)
        sentences[i] = sentence_view(pairs, i / times, i);
    const BatchSize size = batch_size(sentences, count);
    return (double)network_measure(&net, size, with_gradient);
}

/* Two workers have four pairs each, at most the four longest; with R-Drop each pair has room twice. */
TEST_IN_SCRATCH(each_worker_should_have_room_for_its_share_of_the_longest_pairs)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    const double all = measure(toy, &toy->pairs, 1, 1);
    assert_true(batch_of(toy, TOY_PAIRS, 1) == all && batch_of(toy, 1000, 1) == all);
    assert_true(batch_of(toy, 3, 1) < all && batch_of(toy, 3, 1) > all / 8);
    assert_true(batch_of(toy, TOY_PAIRS, 2) == 2 * batch_of(toy, TOY_PAIRS / 2, 1));
    assert_true(batch_of(toy, TOY_PAIRS - 1, 2) == batch_of(toy, TOY_PAIRS, 2));
    toy->hyper.r_drop = 5;
    assert_true(batch_of(toy, TOY_PAIRS, 1) == all);        /* without dropout it has no effect */
    toy->hyper.dropout = 0.1;
    assert_true(batch_of(toy, TOY_PAIRS, 1) == measure(toy, &toy->pairs, 2, 1));
    toy_free(toy);
}

/* The same eight pairs in one batch, but without a gradient; each worker may have them. An update
 * rests meanwhile. */
TEST_IN_SCRATCH(the_validation_should_be_measured_too)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    const double update = batch_of(toy, TOY_PAIRS, 2);
    toy_validate(toy);
    const double copies = (double)prepacked_weights_measure(toy->model.table, PRECISION_FLOAT,
                                                            PREPACKED_TO_USE);
    const double validation = copies + 2 * measure(toy, &toy->valid, 1, 0);
    assert_true(validation > update);
    assert_true(batch_of(toy, TOY_PAIRS, 2) == validation);
    toy_free(toy);
}

/* Those of this process, of all processes. */
TEST_IN_SCRATCH(weights_should_count_four_blocks_and_one_a_worker_and_that_of_the_average)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    const double block = (double)toy->model.table->size * sizeof(real);
    assert_true(need_of(toy, 8, (Crew){ 0, 3, 3 }).weights == 7 * block);
    toy->hyper.average = 0.9;
    assert_true(need_of(toy, 8, (Crew){ 2, 1, 3 }).weights == 6 * block);
    assert_true(need_of(toy, 8, (Crew){ 2, 1, 3 }).batch < need_of(toy, 8, (Crew){ 0, 3, 3 }).batch);
    toy_free(toy);
}

UNIT_TEST(what_is_more_than_there_is_should_be_refused_with_both_numbers)
{
    Err e = { "" };
    assert_int_equal(memory_estimate_check(&(MemoryEstimate){ 1e6, 1e6 }, 0, &e), 0);
    assert_int_equal(memory_estimate_check(&(MemoryEstimate){ 1e18, 1e6 }, 0, &e), -1);
    assert_non_null(strstr(e.text, "out of memory: training needs 1000000000001 MB (1000000000000 "
                                   "for weights"));
    assert_non_null(strstr(e.text, "lower --hidden, --embedding, --layers or --vocabulary"));
    assert_int_equal(memory_estimate_check(&(MemoryEstimate){ 1e6, 1e18 }, 0, &e), -1);
    assert_non_null(strstr(e.text, "lower --batch, --batch-tokens or --max-length"));
    assert_int_equal(memory_estimate_check(&(MemoryEstimate){ 1e18, 1e6 }, 1, &e), -1);
    assert_non_null(strstr(e.text, "lower --threads, --batch, --batch-tokens or --max-length"));
}

int main(void) { return run_unit_tests(); }
