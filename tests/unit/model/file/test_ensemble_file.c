/* test_ensemble_file.c - a file with several networks holds the weights of each, and one that says
 * otherwise gives one message.
 */
#include "base/files/content.h"
#include "base/mem.h"
#include "toy.h"

#include <math.h>

enum { NETWORKS = 3 };

/* A toy whose model has three networks, each with other weights. */
static Toy *ensemble_toy(Scratch *scratch)
{
    Toy *toy = toy_new(scratch, TOKENS_CHAR, 1);
    Model *m = &toy->model;
    for (int k = 1; k < NETWORKS; k++) {
        m->further[k - 1] = xaligned(m->table->size, sizeof(real));
        parameters_init(m->table, m->further[k - 1], (uint64_t)(100 + k));
    }
    return toy;
}

static const char *saved(Toy *toy, Scratch *scratch)
{
    Err e;
    const char *path = scratch_path(scratch, "ensemble.safetensors");
    if (model_save(&toy->model, path, &e)) fail_msg("%s", e.text);
    return path;
}

static Model loaded(const char *path)
{
    Model m;
    Err e;
    if (model_load(&m, path, &e)) fail_msg("%s", e.text);
    return m;
}

static void assert_same_networks(const Model *one, const Model *other)
{
    assert_int_equal(model_networks(one), model_networks(other));
    for (int k = 0; k < model_networks(one); k++)
        assert_memory_equal(model_weights(one, k), model_weights(other, k),
                            one->table->size * sizeof(real));
}

static void every_network_should_be_saved_and_loaded(void **state)
{
    Toy *toy = ensemble_toy(*state);
    toy->model.right_left = 2;
    const char *path = saved(toy, *state);
    Model first = loaded(path), again;
    assert_int_equal(model_networks(&first), NETWORKS);
    assert_int_equal(first.right_left, 2);
    for (int k = 0; k < NETWORKS; k++)
        for (size_t i = 0; i < first.table->size; i++)
            assert_true((float)model_weights(&first, k)[i]
                        == (float)model_weights(&toy->model, k)[i]);
    Err e;
    assert_int_equal(model_save(&first, path, &e), 0);
    again = loaded(path);
    assert_same_networks(&first, &again);
    model_free(&first);
    model_free(&again);
    toy_free(toy);
}

static void every_network_should_have_integers_of_its_own(void **state)
{
    Toy *toy = ensemble_toy(*state);
    toy->model.stored = PRECISION_INT8;
    Model all = loaded(saved(toy, *state));
    assert_int_equal(all.stored, PRECISION_INT8);
    for (int k = 0; k < NETWORKS; k++) {
        Model alone = toy->model, expected;
        Err e;
        alone.weights = model_weights(&toy->model, k);
        memset(alone.further, 0, sizeof alone.further);
        const char *path = scratch_path(*state, "alone.safetensors");
        assert_int_equal(model_save(&alone, path, &e), 0);
        expected = loaded(path);
        assert_memory_equal(model_weights(&all, k), expected.weights,
                            all.table->size * sizeof(real));
        model_free(&expected);
    }
    model_free(&all);
    toy_free(toy);
}

/* Replaces text in the file by text of the same length, and returns the message of loading it. */
static void refused(Scratch *scratch, const char *path, const char *old, const char *new, Err *e)
{
    Content file;
    Model m;
    assert_int_equal(strlen(old), strlen(new));
    assert_int_equal(content_read(&file, path, e), 0);
    char *bytes = xcalloc(file.size + 1, 1);
    memcpy(bytes, file.data, file.size);
    char *at = strstr(bytes + sizeof(uint64_t), old);       /* behind the length of the header */
    assert_non_null(at);
    memcpy(at, new, strlen(new));
    const char *changed = scratch_write(scratch, "changed.safetensors", bytes, file.size);
    assert_int_equal(model_load(&m, changed, e), -1);
    assert_null(m.further[0]);
    content_free(&file);
    free(bytes);
}

static void a_file_with_other_networks_than_it_says_should_be_refused(void **state)
{
    static const char no_number[] = "metadata \"networks\": is no whole number from 2 to 8";
    static const char no_right_left[] = "metadata \"right_left\": is no whole number from 0 to 2";
    const struct { const char *old, *new, *message; } rows[] = {
        { "\"networks\":\"3\"", "\"networks\":\"2\"", "tensors that are no part of the network: " },
        { "\"networks\":\"3\"", "\"networks\":\"4\"", "tensor \"4.encoder.embedding.weight\" of " },
        { "\"networks\":\"3\"", "\"networks\":\"1\"", no_number },
        { "\"networks\":\"3\"", "\"networks\":\"9\"", no_number },
        { "\"networks\":\"3\"", "\"networks\":\"{\"", no_number },
        { "\"networks\":\"3\"", "\"netwerks\":\"3\"", "metadata \"right_left\": is no whole number from 0 to 0" },
        { "\"format_version\":\"3\"", "\"format_version\":\"4\"", "is a model of format 4" },
        { "\"right_left\":\"1\"", "\"right_left\":\"3\"", no_right_left },
        { "\"right_left\":\"1\"", "\"right_left\":\"{\"", no_right_left },
        { "\"2.bridge.bias\":", "\"2.bridge.byas\":", "tensor \"2.bridge.bias\" of " },
    };
    Toy *toy = ensemble_toy(*state);
    toy->model.right_left = 1;
    char *path = xstrdup(saved(toy, *state));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Err e;
        refused(*state, path, rows[i].old, rows[i].new, &e);
        if (!strstr(e.text, rows[i].message)) fail_msg("%s: %s", rows[i].new, e.text);
    }
    free(path);
    toy_free(toy);
}

static void a_network_whose_weights_are_not_finite_should_not_be_saved(void **state)
{
    Toy *toy = ensemble_toy(*state);
    const char *path = scratch_path(*state, "ensemble.safetensors");
    Err e;
    model_weights(&toy->model, 2)[0] = (real)NAN;
    assert_int_equal(model_save(&toy->model, path, &e), -1);
    assert_non_null(strstr(e.text, "not written: tensor \""));
    assert_false(exists(path));
    toy_free(toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(every_network_should_be_saved_and_loaded),
        in_scratch(every_network_should_have_integers_of_its_own),
        in_scratch(a_file_with_other_networks_than_it_says_should_be_refused),
        in_scratch(a_network_whose_weights_are_not_finite_should_not_be_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
