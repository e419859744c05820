/* test_decoder.c - every decoder type of the table: its gradients by differences (where real is
 * double), with each score, cell and readout; and a search computes the same steps as a batch.
 */
#include "base/random/rng.h"
#include "model/decoder/decoder.h"
#include "model/encoder.h"
#include "model/readout.h"
#include "network_case.h"

#include <math.h>
#include <stdlib.h>
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
    static const char *const kinds[] = {
        "layers=2 bidirectional=on layer-norm=on residual=on tie=target",
        "layers=2 cell=lstm readout=simple start=last",
        "embedding=6 layers=2 decoder-attention-layers=1",
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        NetworkOptions options = kind_of(kinds[i]);
        options.decoder = type;
        check_kind(check, &options);
    }
}

/* Without recurrence, and above a recurrent encoder whose states have another width. The sizes are such that no max(0, x)
 * has its bend within a difference. */
static const char *const transformers[] = {
    "encoder=self-attention encoder-attention-layers=1 decoder=self-attention decoder-attention-layers=2 heads=2 "
        "feed-forward=3 readout=simple tie=all",
    "layers=2 bidirectional=on decoder=self-attention decoder-attention-layers=1 norm=pre readout=simple "
        "positions=learned attention-positions=3",
    "embedding=8 encoder=self-attention encoder-attention-layers=1 decoder=self-attention decoder-attention-layers=2 "
        "heads=2 feed-forward=3 readout=simple activation=swish positions=marian decoder-recurrence=ssru zero-start=on "
        "embedding-norm=on",
    NULL
};

UNIT_TEST(backward_should_be_the_gradient_of_every_decoder_type)
{
    if (!REAL_IS_DOUBLE) skip();
    for (int type = 0; decoder_types[type]; type++) {
        for_every_score(type, check_differences);
        for_every_depth(type, check_differences);
        for_every_depth(type, with_dropout);
    }
    check_kinds(check_differences, transformers);
    check_kinds(with_dropout, transformers);
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

/* The encoder has read a batch; two decoders and readouts have room for it, or for steps of so many
 * rows. */
typedef struct {
    Arena           arena;
    Region          region;
    EncoderState    encoder;
    DecoderState    decoder[2];
    ReadoutState    readout[2];
    AttentionSource memory;
    Pass            pass;
} Run;

/* The run is filled in where it stays: its pass points into it. */
static void run_init(Run *r, const Case *c, const Batch *batch, int rows, int are_both_steps)
{
    BatchSize step = batch->size;
    *r = (Run){ .pass = pass_of_batch(&c->net, &c->w, batch) };
    step.sentences = step.target_tokens = rows;
    step.target_steps = 0;
    for (int measured = 0; measured < 2; measured++) {
        encoder_layout(&r->encoder, &r->arena, &c->net, batch->size, 0);
        for (int i = 0; i < 2; i++) {
            decoder_layout(&r->decoder[i], &r->arena, &c->net,
                           are_both_steps || i ? step : batch->size, 0);
            readout_layout(&r->readout[i], &r->arena, &c->net, rows, 0);
        }
        if (!measured) arena_reserve(&r->arena, r->arena.used);
    }
    encoder_forward(&r->encoder, &r->pass);
    r->memory = encoder_memory(&r->encoder, &batch->source);
    r->pass.memory = &r->memory;
}

static void run_free(Run *r)
{
    region_free(&r->region);
    arena_free(&r->arena);
}

static void check_steps(Case *c)
{
    const Batch batch = batch_of_all(c);
    Run r;
    run_init(&r, c, &batch, SENTENCES, 0);
    decoder_forward(&r.decoder[0], &r.pass, r.encoder.start);
    decoder_begin(&r.decoder[1], &r.pass, r.encoder.start, &r.region);
    assert_steps(&r.decoder[1], r.pass, &r.decoder[0]);
    run_free(&r);
}

/* The step of a search that reads projected contexts has the outputs of one that doesn't. */
static void check_projection(Case *c)
{
    const Batch batch = batch_of_all(c);
    const int width = context_projection_width(&c->net, &c->w), N = batch.size.source_tokens;
    const int rows = batch.target.packed.rows[0], start[] = { 0, rows };
    const TargetBatch first = { .packed = { 1, rows, &rows, start }, .input = batch.target.input };
    real *values = heap_zeros(&c->heap, (size_t)(N * width));
    Run r;
    run_init(&r, c, &batch, SENTENCES, 1);
    r.pass.target = &first;
    context_projection_forward(values, &c->net, &c->w, r.encoder.memory, N);
    for (int i = 0; i < 2; i++) {
        if (i) r.memory.values = values;
        r.memory.width = width;
        decoder_begin(&r.decoder[i], &r.pass, r.encoder.start, &r.region);
        decoder_step(&r.decoder[i], &r.pass);
        readout_forward(&r.readout[i], &r.pass, &r.decoder[i]);
    }
    const size_t outputs = (size_t)rows * (size_t)c->net.n.O;
    assert_near(r.readout[1].output, heap_widened(&c->heap, r.readout[0].output, outputs), outputs,
                operations);
    run_free(&r);
}

static void check_if_projected(Case *c)
{
    if (context_projection_width(&c->net, &c->w)) check_projection(c);
}

UNIT_TEST(projected_contexts_should_change_nothing)
{
    for_every_score(DECODER_CONDITIONAL, check_if_projected);
    for_every_depth(DECODER_CONDITIONAL, check_if_projected);
}

UNIT_TEST(a_search_should_compute_the_steps_of_a_batch)
{
    for (int type = 0; decoder_types[type]; type++) {
        for_every_score(type, check_steps);
        for_every_depth(type, check_steps);
    }
    check_kinds(check_steps, transformers);
}

/* Step by step along the same words, so many that its caches grow twice. */
static void assert_alignment(const char *kind, HeadChoice heads)
{
    enum { STEPS = 70, BEGIN = 2 };
    NetworkOptions options = kind_of(kind);
    options.alignment_layer = heads.layer;
    options.alignment_head = heads.head;
    Case c = network_case_new(&options, SOURCE_WORDS, SOURCE_WORDS);
    Sentence pair;
    choose(&pair, SENTENCES - 1, SENTENCES);
    int target[STEPS];
    for (int t = 0; t < STEPS; t++) target[t] = t * t % TARGET_WORDS;
    pair.target = target;
    pair.target_length = STEPS;
    real *map = attention_map(&c.net, &c.w, &pair, BEGIN, (MapChoice){ MAP_CROSS, heads });
    Batch batch;
    arena_reserve(&c.batch_memory, batch_measure(batch_size(&pair, 1)));
    batch_build(&batch, &c.batch_memory, &pair, 1, BEGIN);
    Run r;
    run_init(&r, &c, &batch, 1, 1);
    decoder_begin(&r.decoder[0], &r.pass, r.encoder.start, &r.region);
    for (int t = 0; t < STEPS; t++) {
        const int one = 1, start[] = { 0, 1 };
        const TargetBatch word = { .packed = { 1, 1, &one, start },
                                   .input = batch.target.input + t };
        r.pass.target = &word;
        decoder_step(&r.decoder[0], &r.pass);
        for (int s = 0; s < pair.source_length; s++) {
            const real shown = r.decoder[0].alpha[s];
            assert_true(fabs((double)shown - (double)map[t * pair.source_length + s]) < 1e-6);
        }
    }
    run_free(&r);
    free(map);
    network_case_free(&c);
}

UNIT_TEST(a_search_should_show_the_mean_of_all_heads_or_those_that_the_options_name)
{
    for (int kind = 0; kind < 3; kind += 2) {
        assert_alignment(transformers[kind], (HeadChoice){ 0, 0 });
        assert_alignment(transformers[kind], (HeadChoice){ 2, 1 });
        assert_alignment(transformers[kind], (HeadChoice){ 1, 0 });
        assert_alignment(transformers[kind], (HeadChoice){ 0, 2 });
    }
}

int main(void) { return run_unit_tests(); }
