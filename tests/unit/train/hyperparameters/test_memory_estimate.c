/* test_memory_estimate.c - the plan of a run is what the run then takes, and what can't be had is
 * refused. */
#include "base/system/environment.h"
#include "model/network.h"
#include "model/prepacked_weights.h"
#include "toy.h"
#include "train/data/batches.h"
#include "train/hyperparameters/defaults.h"
#include "train/update/updater.h"
#include "train/validation.h"

#include <limits.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>

static MemoryEstimate need_of(const Toy *toy, int pairs, int workers)
{
    const Model *m = &toy->model;
    Hyperparameters hyper = toy->hyper;
    hyper.batch = pairs;
    const BatchSize share = batches_share(&toy->train, pairs, hyper.batch_tokens, workers);
    return memory_estimate(&m->network, tokenizer_size(m->source), tokenizer_size(m->target),
                           share, &toy->valid, &hyper, (Crew){ 0, workers, workers });
}

/* All eight pairs in one batch: what the network measures for them. */
static void the_largest_batch_should_be_measured_exactly(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    Sentence sentences[TOY_PAIRS];
    const Architecture net = model_architecture(&toy->model);
    for (int i = 0; i < TOY_PAIRS; i++)
        sentences[i] = sentence_view(&toy->pairs, i, i);
    const BatchSize size = batch_size(sentences, TOY_PAIRS);
    const double bytes = (double)(batch_measure(size) + network_measure(&net, size, 1)
                                  + updater_measure_shared(toy->model.table, &toy->hyper));
    assert_true(need_of(toy, TOY_PAIRS, 1).batch == bytes);
    assert_true(need_of(toy, 1000, 1).batch == bytes);
    assert_true(need_of(toy, 3, 1).batch < bytes);
    assert_true(need_of(toy, 3, 1).batch > bytes / 8);
    toy_free(toy);
}

static void each_pair_should_have_room_twice_with_r_drop(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    Sentence sentences[2 * TOY_PAIRS];
    const Architecture net = model_architecture(&toy->model);
    for (int i = 0; i < 2 * TOY_PAIRS; i++)
        sentences[i] = sentence_view(&toy->pairs, i / 2, i);
    const BatchSize size = batch_size(sentences, 2 * TOY_PAIRS);
    toy->hyper.r_drop = 5;
    const double without_dropout = need_of(toy, TOY_PAIRS, 1).batch;
    toy->hyper.dropout = 0.1;
    const double bytes = (double)(batch_measure(size) + network_measure(&net, size, 1)
                                  + updater_measure_shared(toy->model.table, &toy->hyper));
    assert_true(need_of(toy, TOY_PAIRS, 1).batch == bytes);
    assert_true(without_dropout < bytes);
    toy_free(toy);
}

/* Two workers have four pairs each, at most the four longest. */
static void each_worker_should_have_room_for_its_share_of_the_longest_pairs(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    const double shared = (double)updater_measure_shared(toy->model.table, &toy->hyper);
    const double two = need_of(toy, TOY_PAIRS, 2).batch - shared;
    const double half = need_of(toy, TOY_PAIRS / 2, 1).batch - shared;
    assert_true(two == 2 * half);
    assert_true(need_of(toy, TOY_PAIRS - 1, 2).batch == need_of(toy, TOY_PAIRS, 2).batch);
    toy_free(toy);
}

static void each_process_should_count_what_its_own_workers_take(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    const Model *m = &toy->model;
    const BatchSize share = batches_share(&toy->train, TOY_PAIRS, toy->hyper.batch_tokens, 3);
    const MemoryEstimate of = memory_estimate(&m->network, tokenizer_size(m->source),
                                              tokenizer_size(m->target), share, &toy->valid,
                                              &toy->hyper, (Crew){ 2, 1, 3 });
    assert_true(of.weights == 5 * (double)m->table->size * sizeof(real));
    assert_true(of.batch < need_of(toy, TOY_PAIRS, 3).batch);
    toy_free(toy);
}

/* The same eight pairs in one batch, but without a gradient; each worker may have them. An update
 * rests meanwhile. */
static void the_validation_should_be_measured_too(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    const double shared = (double)updater_measure_shared(toy->model.table, &toy->hyper);
    const double update = need_of(toy, TOY_PAIRS, 2).batch - shared;
    toy_validate(toy);
    Sentence sentences[TOY_PAIRS];
    const Architecture net = model_architecture(&toy->model);
    for (int i = 0; i < TOY_PAIRS; i++)
        sentences[i] = sentence_view(&toy->valid, i, i);
    const BatchSize size = batch_size(sentences, TOY_PAIRS);
    const double bytes = (double)(batch_measure(size) + network_measure(&net, size, 0));
    const double copies = (double)prepacked_weights_measure(toy->model.table, PRECISION_FLOAT,
                                                            PREPACKED_TO_USE);
    const double validation = copies + 2 * bytes;
    assert_true(validation > update);
    assert_true(need_of(toy, TOY_PAIRS, 2).batch == shared + fmax(update, validation));
    toy_free(toy);
}

static void weights_should_count_four_blocks_and_one_a_worker_and_that_of_the_average(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    const double block = (double)toy->model.table->size * sizeof(real);
    assert_true(need_of(toy, 8, 1).weights == 5 * block);
    assert_true(need_of(toy, 8, 3).weights == 7 * block);
    toy->hyper.average = 0.9;
    assert_true(need_of(toy, 8, 3).weights == 8 * block);
    toy_free(toy);
}

static void what_is_more_than_there_is_should_be_refused_with_both_numbers(void **state)
{
    Err e = { "" };
    assert_int_equal(memory_estimate_check(&(MemoryEstimate){ 1e6, 1e6 }, &e), 0);
    assert_int_equal(memory_estimate_check(&(MemoryEstimate){ 1e18, 1e6 }, &e), -1);
    assert_non_null(strstr(e.text, "out of memory: training needs 1000000000001 MB (1000000000000 "
                                   "for weights"));
    assert_non_null(strstr(e.text, "lower --hidden, --embedding, --layers or --vocabulary"));
    assert_int_equal(memory_estimate_check(&(MemoryEstimate){ 1e6, 1e18 }, &e), -1);
    assert_non_null(strstr(e.text, "lower --batch, --batch-tokens or --max-length"));
}

/* In a process of its own: limits can't be raised again. */
static int tells_limit(int resource, double bytes, const char *name)
{
    const char *limit = "";
    const double before = available_memory(NULL);
    setrlimit(resource, &(struct rlimit){ (rlim_t)bytes, (rlim_t)bytes });
    const double left = available_memory(&limit);
    return !strcmp(limit, name) && left < bytes && left < before;
}

/* An emulator may let its own memory have no limits. */
static int has_limits(void)
{
    struct rlimit limit;
    const pid_t child = fork();
    int status;
    if (!child) {
        setrlimit(RLIMIT_AS, &(struct rlimit){ 1000000000, 1000000000 });
        _exit(getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur != 1000000000);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

static void limits_of_the_process_should_be_found(void **state)
{
    if (!has_limits()) skip();
    static const struct { int resource; const char *name; } limits[] = {
        { RLIMIT_AS, "ulimit -v" }, { RLIMIT_DATA, "ulimit -d" },
    };
    for (int i = 0; i < 2; i++) {
        const pid_t child = fork();
        if (!child) _exit(!tells_limit(limits[i].resource, 1e9, limits[i].name));
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(the_largest_batch_should_be_measured_exactly),
        in_scratch(each_pair_should_have_room_twice_with_r_drop),
        in_scratch(each_worker_should_have_room_for_its_share_of_the_longest_pairs),
        in_scratch(each_process_should_count_what_its_own_workers_take),
        in_scratch(the_validation_should_be_measured_too),
        in_scratch(weights_should_count_four_blocks_and_one_a_worker_and_that_of_the_average),
        cmocka_unit_test(what_is_more_than_there_is_should_be_refused_with_both_numbers),
        cmocka_unit_test(limits_of_the_process_should_be_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
