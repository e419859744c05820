/* test_prepacked_weights.c - which weights of a network have prepacked copies; the copies change no
 * result.
 */
#include "linalg/linear.h"
#include "model/prepacked_weights.h"
#include "network_case.h"

#include <stdlib.h>

enum { WORDS = 9 };

static Case case_new(void)
{
    const NetworkOptions options = kind_of("embedding=7 hidden=5 layers=2 bidirectional=on decoder=luong");
    return network_case_new(&options, WORDS, WORDS);
}

/* What the weight of a block points to. */
static const Prepacked *copy_of(const Case *c, const WeightBlock *block)
{
    return ((const Linear *)((const char *)&c->w + block->field))->prepacked;
}

static void assert_copies_to_learn(PrepackedPurpose purpose)
{
    Case c = case_new();
    PrepackedWeights *p = prepacked_weights_new(c.table, &c.w, purpose);
    for (int i = 0; i < c.table->blocks; i++) {
        const WeightBlock *block = &c.table->block[i];
        const Prepacked *copy = copy_of(&c, block);
        assert_int_equal(copy != NULL, block->reads != READS_ONCE);
        if (!copy) continue;
        const int is_sparse =
            purpose == PREPACKED_TO_LEARN_SPARSELY && block->reads == READS_EACH_CHUNK;
        assert_non_null(copy->forward);
        assert_int_equal(copy->backward != NULL, !is_sparse);
    }
    prepacked_weights_free(p);
    network_case_free(&c);
}

UNIT_TEST(weights_to_learn_should_have_copies_where_a_pass_reads_them_often)
{
    if (!gemm_is_fastest()) skip();
    assert_copies_to_learn(PREPACKED_TO_LEARN);
    assert_copies_to_learn(PREPACKED_TO_LEARN_SPARSELY);
}

UNIT_TEST(loss_and_gradient_should_be_the_same_with_copies)
{
    Case plain = case_new(), copied = case_new();
    const Loss expected = loss_of_all(&plain);
    PrepackedWeights *p = prepacked_weights_new(copied.table, &copied.w, PREPACKED_TO_USE);
    for (int times = 0; times < 2; times++)
        assert_true(loss_of_all(&copied).plain == expected.plain);
    prepacked_weights_free(p);

    copied.w = weights_at(copied.table, copied.block);
    p = prepacked_weights_new(copied.table, &copied.w, PREPACKED_TO_LEARN);
    for (int worker = 0; worker < 3; worker++)
        prepacked_weights_write(p, (Portion){ worker, 3 });
    gradient_of_all(&plain);
    gradient_of_all(&copied);
    assert_memory_equal(copied.dblock, plain.dblock, plain.table->size * sizeof(real));
    prepacked_weights_free(p);
    network_case_free(&plain);
    network_case_free(&copied);
}

/* In 8 bits small weights stay in float, which OpenBLAS multiplies by where it is faster. */
UNIT_TEST(a_weight_should_have_a_copy_only_where_our_kernels_multiply_by_it)
{
    if (!precision_works(PRECISION_INT8)) skip();
    NetworkOptions wide = kind_of("layers=2 bidirectional=on decoder=luong");
    wide.hidden = wide.attention_width = LINEAR_INT8_LEAST;
    Case c = network_case_new(&wide, WORDS, WORDS);
    int in_float = 0;
    c.w = weights_in(c.table, c.block, PRECISION_INT8);
    PrepackedWeights *p = prepacked_weights_new(c.table, &c.w, PREPACKED_TO_USE);
    for (int i = 0; i < c.table->blocks; i++) {
        const char *field = (const char *)&c.w + c.table->block[i].field;
        const Linear *w = (const Linear *)field;
        in_float += w->precision == PRECISION_FLOAT;
        assert_int_equal(w->prepacked != NULL,
                         w->precision == PRECISION_INT8 || gemm_is_fastest());
    }
    assert_in_range(in_float, 1, c.table->blocks - 1);
    prepacked_weights_free(p);
    network_case_free(&c);
}

int main(void) { return run_unit_tests(); }
