/* test_encoder.c - the memory that the encoder writes against the naive twin of a GRU. test_network.c
 * checks its gradients. */
#include "model/encoder.h"
#include "naive.h"
#include "network_case.h"

#include <string.h>

/* Both directions of one sentence, side by side in its rows of the memory. */
static void assert_sentence(const Case *c, const real *memory, const SourceBatch *x, int sentence)
{
    const Sizes *n = &c->net.n;
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
        naive_gru(h, words, &c->w.encoder[0][d], length, d, n->E, n->H);
        for (int s = 0; s < length; s++)
            assert_near(memory + (size_t)(first + s) * n->C + d * n->H, h + s * n->H,
                        n->H, operations);
    }
    heap_free(&heap);
}

static void the_memory_should_be_the_states_of_both_directions_by_sentence(void **state)
{
    NetworkOptions options = network_case_small(1);
    options.bidirectional = 1;
    Case c = network_case_new(&options, SOURCE_WORDS, TARGET_WORDS);
    const Batch batch = batch_of_all(&c);
    EncoderState encoder = { 0 };
    Arena arena = { 0 };
    for (int measured = 0; measured < 2; measured++) {
        encoder_layout(&encoder, &arena, &c.net, batch.size, 0);
        if (!measured) arena_reserve(&arena, arena.used);
    }
    const Pass pass = pass_of_batch(&c.net, &c.w, &batch);
    encoder_forward(&encoder, &pass);
    for (int i = 0; i < SENTENCES; i++)
        assert_sentence(&c, encoder.memory, &batch.source, i);
    arena_free(&arena);
    network_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_memory_should_be_the_states_of_both_directions_by_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
