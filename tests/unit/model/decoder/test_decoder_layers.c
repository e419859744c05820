/* test_decoder_layers.c - the decoder's recurrent layers: residuals by differences (where real is
 * double), and when in a step each part of a decoder type runs.
 */
#include "model/decoder/decoder_step.h"
#include "network_case.h"

static void residual_layers_should_have_the_gradient_of_their_parameters(void **state)
{
    (void)state;
    if (!REAL_IS_DOUBLE) skip();
    for (int type = 0; decoder_types[type]; type++)
        for (int bidirectional = 0; bidirectional < 2; bidirectional++) {
            NetworkOptions options = network_case_small(3);
            options.residual = 1;
            options.bidirectional = bidirectional;
            options.decoder = type;
            check_kind(check_differences, &options);
        }
}

enum { ROWS = 2, LAYERS = 2 };

static void negate(DecoderState *d, const Pass *pass, int at, int rows)
{
    (void)at;
    for (int i = 0; i < rows * pass->architecture->n.Z; i++)
        d->recurrent[0].now[i] = -d->recurrent[0].now[i];
}

/* One step from a zero state, of gates that are the biases and what is in them. */
static void run_step(DecoderState *d, Arena *arena, Case *c, DecoderHook *within)
{
    const Sizes *n = &c->net.n;
    const BatchSize size = { .sentences = ROWS, .source_steps = 1, .target_tokens = ROWS };
    const TargetBatch step = { .packed = { .total = ROWS } };
    Pass pass = { .architecture = &c->net, .weights = &c->w, .target = &step, .noise = &no_noise };
    for (int measured = 0; measured < 2; measured++) {
        *d = (DecoderState){ 0 };
        decoder_layout(d, arena, &c->net, size, 0);
        if (!measured) arena_reserve(arena, arena->used);
    }
    for (int l = 0; l < LAYERS; l++)
        for (int i = 0; i < ROWS * n->Z; i++)
            d->recurrent[l].now[i] = 0;
    for (int i = 0; i < ROWS * n->G; i++)
        d->save[0].gates[i] = (real)(i % 5) / 4 - (real)0.5;
    decoder_layers_step(d, &pass, within, 0, ROWS);
}

static void what_a_type_does_within_a_step_should_reach_layer_0_and_those_above(void **state)
{
    (void)state;
    const NetworkOptions options = network_case_small(LAYERS);
    Case c = network_case_new(&options, SOURCE_WORDS, TARGET_WORDS);
    DecoderState plain, changed;
    Arena arenas[2] = { { 0 }, { 0 } };
    run_step(&plain, &arenas[0], &c, NULL);
    run_step(&changed, &arenas[1], &c, negate);
    int differ = 0;
    for (int i = 0; i < ROWS * c.net.n.H; i++) {
        assert_true(changed.h[0][i] == -plain.h[0][i] && plain.h[0][i] != 0);
        assert_true(changed.recurrent[0].now[i] == -plain.recurrent[0].now[i]);
        differ += changed.h[1][i] != plain.h[1][i];
    }
    assert_true(differ > 0);
    arena_free(&arenas[0]);
    arena_free(&arenas[1]);
    network_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residual_layers_should_have_the_gradient_of_their_parameters),
        cmocka_unit_test(what_a_type_does_within_a_step_should_reach_layer_0_and_those_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
