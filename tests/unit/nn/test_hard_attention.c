/* test_hard_attention.c - which positions hard attention chooses, and how often. test_attention.c has
 * its estimators of the gradient. */
#include "base/random/rng.h"
#include "numbers.h"
#include "nn/attention.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 5 };
static const real alpha[LENGTH] = { (real)0.125, (real)0.25, (real)0.0, (real)0.375, (real)0.25 };
static const uint64_t key = 0x9e3779b97f4a7c15u;

static void assert_chosen(const real *weights, int length, int k, const double *expected)
{
    real h[LENGTH];
    hard_attention_forward(h, weights, length, &(HardAttention){ HARD_TOP, k, 0 }, 0, 0);
    assert_near(h, expected, (size_t)length, 1);
}

UNIT_TEST(the_largest_weights_should_be_chosen_and_of_equal_ones_the_first)
{
    const double third = 1 / 3.0;
    assert_chosen(alpha, LENGTH, 1, (const double[]){ 0, 0, 0, 1, 0 });
    assert_chosen(alpha, LENGTH, 2, (const double[]){ 0, 0.5, 0, 0.5, 0 });
    assert_chosen(alpha, LENGTH, 3, (const double[]){ 0, third, 0, third, third });
}

UNIT_TEST(all_of_a_sentence_shorter_than_k_should_be_chosen)
{
    assert_chosen(alpha, LENGTH, LENGTH + 3, (const double[]){ 0.2, 0.2, 0.2, 0.2, 0.2 });
    assert_chosen(alpha + 3, 1, MAX_HARD_POSITIONS, (const double[]){ 1 });
}

/* Each draw is where the running sum of the weights passes a random number of its own. */
UNIT_TEST(draws_should_be_those_of_key_name_and_number)
{
    enum { ROWS = 1000, K = 16 };
    const HardAttention hard = { HARD_SAMPLED, K, 0 };
    for (uint64_t name = 0; name < ROWS; name++) {
        real h[LENGTH];
        int drawn[LENGTH] = { 0 };
        for (uint64_t i = 0; i < K; i++) {
            const double at = rng_uniform(key, name << 10 | i);     /* the weights sum to 1 */
            double sum = 0;
            int s = -1;
            while (sum <= at) sum += (double)alpha[++s];
            drawn[s]++;
        }
        hard_attention_forward(h, alpha, LENGTH, &hard, key, name);
        for (int s = 0; s < LENGTH; s++)
            assert_true(h[s] == (real)drawn[s] / K);
    }
}

UNIT_TEST(weights_that_do_not_sum_to_one_should_be_drawn_in_proportion)
{
    const HardAttention hard = { HARD_SAMPLED, 8, 0 };
    real small[LENGTH], h[LENGTH], of_small[LENGTH];
    for (int s = 0; s < LENGTH; s++)
        small[s] = alpha[s] / 1024;
    for (uint64_t name = 0; name < 64; name++) {
        hard_attention_forward(h, alpha, LENGTH, &hard, key, name);
        hard_attention_forward(of_small, small, LENGTH, &hard, key, name);
        assert_memory_equal(h, of_small, sizeof h);
    }
}

/* Three sentences of 4, 2 and 1 words, packed: an advantage is what a sentence's words cost from
 * one on, above the baseline. */
UNIT_TEST(the_advantage_should_be_that_of_all_words_from_one_on)
{
    enum { STEPS = 4, ROWS = 7 };
    static const int rows[STEPS] = { 3, 2, 1, 1 }, start[STEPS + 1] = { 0, 3, 5, 6, 7 };
    static const real costs[ROWS] = { 1, 5, 8, 2, (real)0.5, 4, (real)0.25 };
    const PackedSequence packed = { .steps = STEPS, .total = ROWS, .rows = rows, .start = start };
    const double baseline = 1.5, scale = 0.125;
    real advantage[ROWS];
    memcpy(advantage, costs, sizeof advantage);
    hard_attention_advantage(advantage, &packed, baseline, scale);
    for (int t = 0; t < STEPS; t++)
        for (int i = 0; i < rows[t]; i++) {
            double sum = 0;
            for (int later = t; later < STEPS && i < rows[later]; later++)
                sum += scale * ((double)costs[start[later] + i] - baseline);
            assert_true((double)advantage[start[t] + i] == sum);        /* binary fractions */
        }
}

int main(void) { return run_unit_tests(); }
