/* test_encoder.c - the encoder alone: its memory against the naive twin of a GRU, and its gradient
 * by differences (where real is double).
 */
#include "model/encoder.h"
#include "naive.h"
#include "network_case.h"

#include <string.h>

typedef struct {
    Case        *c;
    Batch        batch;
    EncoderState encoder;
    Arena        arena;
    Pass         pass;
    real        *dmemory, *dstart;      /* gradient of the objective: its weights for
                                         * memory and first states */
    size_t       memory, start;         /* how many values */
} Run;

static Run run_new(Case *c)
{
    Run r = { .c = c, .batch = batch_of_all(c) };
    const Sizes *n = &c->net.n;
    for (int measured = 0; measured < 2; measured++) {
        encoder_layout(&r.encoder, &r.arena, &c->net, r.batch.size, 1);
        if (!measured) arena_reserve(&r.arena, r.arena.used);
    }
    r.memory = (size_t)r.batch.size.source_tokens * n->C;
    r.start = (size_t)n->L * SENTENCES * n->Z;
    r.dmemory = heap_random(&c->heap, r.memory);
    r.dstart = heap_random(&c->heap, r.start);
    return r;
}

static void forward(Run *r)
{
    r->pass = pass_of_batch(&r->c->net, &r->c->w, &r->batch);
    r->pass.gradients = &r->c->dw;
    encoder_forward(&r->encoder, &r->pass);
}

static double objective(void *context)
{
    Run *r = context;
    forward(r);
    return dot(r->dmemory, r->encoder.memory, r->memory)
           + dot(r->dstart, r->encoder.start, r->start);
}

static real *copy_of(Heap *heap, const real *x, size_t count)
{
    return memcpy(heap_zeros(heap, count), x, count * sizeof *x);
}

/* The keys are left out: no part of the objective reads them. */
static void check_encoder(Case *c)
{
    Run r = run_new(c);
    const size_t keys = attention_keys_size(&c->net.attention, (size_t)r.batch.size.source_tokens);
    EncoderGradient d = { copy_of(&c->heap, r.dmemory, r.memory), heap_zeros(&c->heap, keys),
                          copy_of(&c->heap, r.dstart, r.start) };
    if (!keys) d.dkeys = d.dmemory;
    forward(&r);
    encoder_backward(&r.encoder, &d, &r.pass);
    for (int i = 0; i < c->table->count; i++) {
        const Parameter *p = &c->table->row[i];
        assert_central_differences(p->name, c->dblock + p->at, c->block + p->at, parameter_count(p),
                                   objective, &r, operations, __FILE__, __LINE__);
    }
    arena_free(&r.arena);
}

static void backward_should_be_the_gradient_of_memory_and_first_states(void **state)
{
    (void)state;
    if (!REAL_IS_DOUBLE) skip();
    const NetworkOptions kinds[] = {
        { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1 },
        { .embedding = 4, .hidden = 3, .layers = 2, .bidirectional = 1, .layer_norm = 1,
          .residual = 1 },
        { .embedding = 4, .hidden = 3, .layers = 2, .cell = 1, .start = START_LAST },
        { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1,
          .encoder_attention_layers = 1, .heads = 2 },
        { .embedding = 4, .hidden = 3, .layers = 1, .encoder = ENCODER_SELF_ATTENTION,
          .encoder_attention_layers = 2, .heads = 2, .feed_forward = 5 },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check_kind(check_encoder, &kinds[i]);
}

/* Both directions of one sentence, side by side in its rows of the memory. */
static void assert_sentence(const Run *r, int sentence)
{
    const Case *c = r->c;
    const Sizes *n = &c->net.n;
    const SourceBatch *x = &r->batch.source;
    const int first = x->first[sentence], length = x->length[sentence];
    Heap heap = { 0 };
    real *words = heap_zeros(&heap, (size_t)length * n->E);
    double *h = heap_doubles(&heap, (size_t)length * n->H);
    for (int row = 0; row < x->packed.total; row++) {
        const int s = x->memory_row[row] - first;
        if (s >= 0 && s < length)
            memcpy(words + (size_t)s * n->E, c->w.source_embedding + (size_t)x->ids[row] * n->E,
                   n->E * sizeof *words);
    }
    for (int d = 0; d < 2; d++) {
        naive_gru(h, words, NULL, &c->w.encoder[0][d], length, d, n->E, n->H);
        for (int s = 0; s < length; s++)
            assert_near(r->encoder.memory + (size_t)(first + s) * n->C + d * n->H, h + s * n->H,
                        n->H, operations);
    }
    heap_free(&heap);
}

static void the_memory_should_be_the_states_of_both_directions_by_sentence(void **state)
{
    (void)state;
    NetworkOptions options = network_case_small(1);
    options.bidirectional = 1;
    Case c = network_case_new(&options, SOURCE_WORDS, TARGET_WORDS);
    Run r = run_new(&c);
    forward(&r);
    for (int i = 0; i < SENTENCES; i++)
        assert_sentence(&r, i);
    arena_free(&r.arena);
    network_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backward_should_be_the_gradient_of_memory_and_first_states),
        cmocka_unit_test(the_memory_should_be_the_states_of_both_directions_by_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
