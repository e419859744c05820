/* test_decoder.c - every decoder type of the table: its gradients by differences (where real is
 * double), with each score, cell and readout; and a search computes the same steps as a batch.
 */
#include "base/random/rng.h"
#include "model/decoder/decoder.h"
#include "model/encoder.h"
#include "model/readout.h"
#include "network_case.h"

#include <string.h>

/* ---- gradients ---- */

static void with_dropout(Case *c)
{
    const uint64_t key = rng_key(1, 1, RNG_DROPOUT);
    const Dropout some = { 0.125, key, TOKEN_STEP_BITS };
    c->noise = (Noise){ .word = { some, some }, .embedding = some, .hidden = some,
                        .recurrent = some, .attention = { some.p, key, 0 } };
    check_differences(c);
}

/* Each type with each score, both cells in turn. */
static void for_every_score(int type, Check check)
{
    for (int score = 0; attention_scores[score]; score++) {
        NetworkOptions options = network_case_small(1);
        options.decoder = type;
        options.attention = score;
        options.cell = score % 2;
        check_kind(check, &options);
        options.bidirectional = 1;          /* none reads both directions' ends */
        if (!strcmp(attention_score_names[score], "none")) check_kind(check, &options);
    }
}

/* Two layers, with each of the other options. */
static void for_every_depth(int type, Check check)
{
    const NetworkOptions kinds[] = {
        { .embedding = 4, .hidden = 3, .layers = 2, .bidirectional = 1, .layer_norm = 1,
          .residual = 1, .tie = TIE_TARGET, .decoder = type },
        { .embedding = 4, .hidden = 3, .layers = 2, .cell = 1, .readout = READOUT_SIMPLE,
          .start = START_LAST, .decoder = type },
        { .embedding = 6, .hidden = 3, .layers = 2, .heads = 1, .decoder_attention_layers = 1,
          .decoder = type },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check_kind(check, &kinds[i]);
}

/* Without recurrence, and above a recurrent encoder whose states have another width. */
static void for_every_transformer(Check check)
{
    const NetworkOptions kinds[] = {
        { .embedding = 4, .layers = 1, .hidden = 3, .encoder = ENCODER_SELF_ATTENTION,
          .encoder_attention_layers = 1, .decoder = DECODER_SELF_ATTENTION,
          .decoder_attention_layers = 2, .heads = 2, .feed_forward = 3, .readout = READOUT_SIMPLE,
          .tie = TIE_ALL },
        { .embedding = 4, .layers = 2, .hidden = 3, .bidirectional = 1, .heads = 1,
          .decoder = DECODER_SELF_ATTENTION, .decoder_attention_layers = 1, .norm = NORM_PRE,
          .readout = READOUT_SIMPLE, .positions = POSITIONS_LEARNED, .attention_positions = 3 },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check_kind(check, &kinds[i]);
}

static void backward_should_be_the_gradient_of_every_decoder_type(void **state)
{
    if (!REAL_IS_DOUBLE) skip();
    for (int type = 0; decoder_types[type]; type++) {
        for_every_score(type, check_differences);
        for_every_depth(type, check_differences);
        for_every_depth(type, with_dropout);
    }
    for_every_transformer(check_differences);
    for_every_transformer(with_dropout);
}

/* ---- a search ---- */

/* Runs the steps of a batch one by one, as a search does; the sentences end where the batch's
 * do. */
static void assert_steps(DecoderState *search, Pass pass, const DecoderState *whole)
{
    const TargetBatch *y = pass.target;
    const Sizes *n = &pass.architecture->n;
    const int stay[SENTENCES] = { 0, 1, 2, 3 };
    Heap heap = { 0 };
    for (int t = 0; t < y->packed.steps; t++) {
        const int at = y->packed.start[t], rows = y->packed.rows[t], start[] = { 0, rows };
        const TargetBatch step = { .packed = { 1, rows, &rows, start }, .input = y->input + at };
        pass.target = &step;
        if (t) decoder_gather(search, stay, rows);
        decoder_step(search, &pass);
        const size_t outputs = (size_t)rows * n->D, contexts = n->L ? (size_t)rows * n->C : 0;
        assert_near(search->output, heap_widened(&heap, whole->output + (size_t)at * n->D, outputs),
                    outputs, operations);
        assert_near(search->context,
                    heap_widened(&heap, whole->context + (size_t)at * n->C, contexts), contexts,
                    operations);
    }
    heap_free(&heap);
}

static void check_steps(Case *c)
{
    const Batch batch = batch_of_all(c);
    const BatchSize step = { .sentences = SENTENCES, .source_steps = batch.size.source_steps,
                             .source_tokens = batch.size.source_tokens,
                             .target_tokens = SENTENCES };
    EncoderState encoder = { 0 };
    DecoderState whole = { 0 }, search = { 0 };
    Pass pass = pass_of_batch(&c->net, &c->w, &batch);
    Arena arena = { 0 };
    for (int measured = 0; measured < 2; measured++) {
        encoder_layout(&encoder, &arena, &c->net, batch.size, 0);
        decoder_layout(&whole, &arena, &c->net, batch.size, 0);
        decoder_layout(&search, &arena, &c->net, step, 0);
        if (!measured) arena_reserve(&arena, arena.used);
    }
    encoder_forward(&encoder, &pass);
    const AttentionSource memory = encoder_memory(&encoder, &batch.source);
    pass.memory = &memory;
    decoder_forward(&whole, &pass, encoder.start);
    decoder_begin(&search, &pass, encoder.start);
    assert_steps(&search, pass, &whole);
    decoder_end(&search);
    arena_free(&arena);
}

/* The step of a search that reads projected contexts has the outputs of one that doesn't. */
static void check_projection(Case *c)
{
    const Batch batch = batch_of_all(c);
    const BatchSize step = { .sentences = SENTENCES, .source_steps = batch.size.source_steps,
                             .target_tokens = SENTENCES };
    const int width = context_projection_width(&c->net, &c->w);
    EncoderState encoder = { 0 };
    DecoderState plain = { 0 }, projected = { 0 };
    ReadoutState of_plain = { 0 }, of_projected = { 0 };
    Pass pass = pass_of_batch(&c->net, &c->w, &batch);
    Arena arena = { 0 };
    for (int measured = 0; measured < 2; measured++) {
        encoder_layout(&encoder, &arena, &c->net, batch.size, 0);
        decoder_layout(&plain, &arena, &c->net, step, 0);
        decoder_layout(&projected, &arena, &c->net, step, 0);
        readout_layout(&of_plain, &arena, &c->net, SENTENCES, 0);
        readout_layout(&of_projected, &arena, &c->net, SENTENCES, 0);
        if (!measured) arena_reserve(&arena, arena.used);
    }
    encoder_forward(&encoder, &pass);
    AttentionSource memory = encoder_memory(&encoder, &batch.source);
    const int rows = batch.target.packed.rows[0], start[] = { 0, rows };
    const TargetBatch first = { .packed = { 1, rows, &rows, start }, .input = batch.target.input };
    pass.memory = &memory;
    pass.target = &first;
    decoder_begin(&plain, &pass, encoder.start);
    decoder_begin(&projected, &pass, encoder.start);
    decoder_step(&plain, &pass);
    readout_forward(&of_plain, &pass, &plain);
    memory.values = heap_zeros(&c->heap, (size_t)(batch.size.source_tokens * width));
    memory.width = width;
    context_projection_forward((real *)memory.values, &c->net, &c->w, encoder.memory,
                               batch.size.source_tokens);
    decoder_step(&projected, &pass);
    readout_forward(&of_projected, &pass, &projected);
    const size_t outputs = (size_t)rows * (size_t)c->net.n.O;
    assert_near(of_projected.output, heap_widened(&c->heap, of_plain.output, outputs), outputs,
                operations);
    decoder_end(&plain);
    decoder_end(&projected);
    arena_free(&arena);
}

static void check_if_projected(Case *c)
{
    if (context_projection_width(&c->net, &c->w)) check_projection(c);
}

static void projected_contexts_should_change_nothing(void **state)
{
    for_every_score(DECODER_CONDITIONAL, check_if_projected);
    for_every_depth(DECODER_CONDITIONAL, check_if_projected);
}

static void a_search_should_compute_the_steps_of_a_batch(void **state)
{
    for (int type = 0; decoder_types[type]; type++) {
        for_every_score(type, check_steps);
        for_every_depth(type, check_steps);
    }
    for_every_transformer(check_steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backward_should_be_the_gradient_of_every_decoder_type),
        cmocka_unit_test(a_search_should_compute_the_steps_of_a_batch),
        cmocka_unit_test(projected_contexts_should_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
