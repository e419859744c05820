/* test_parameters.c - weights of a network that gets further vocabulary entries. */
#include "model/parameters.h"

#include "base/mem.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { OLD = 5, SOURCES = 7, TARGETS = 8 };

static NetworkOptions tiny(int tie)
{
    NetworkOptions n = network_original();
    n.embedding = 3;
    n.hidden = 2;
    n.heads = n.hard_positions = 1;
    n.tie = tie;
    return n;
}

/* The first rows are the old ones, bit by bit; each further one is their mean. */
static void assert_extended(const Parameter *p, const real *x, const Parameter *old,
                            const real *from)
{
    const size_t known = parameter_count(old), columns = p->columns ? (size_t)p->columns : 1;
    assert_memory_equal(x, from, known * sizeof *x);
    for (size_t i = known; i < parameter_count(p); i++) {
        double sum = 0;
        for (size_t row = 0; row < (size_t)old->rows; row++)
            sum += from[row * columns + i % columns];
        assert_true(x[i] == (real)(sum / old->rows));
    }
}

/* With one vocabulary for both sides, or one a side. */
static void check_extension(int tie, int sources, int targets)
{
    const NetworkOptions network = tiny(tie);
    ParameterTable *small = parameters_new(&network, OLD, OLD);
    ParameterTable *large = parameters_new(&network, sources, targets);
    real *from = xaligned(small->size, sizeof *from), *x = xaligned(large->size, sizeof *x);
    int grown = 0;
    parameters_init(small, from, 7);
    for (size_t i = 0; i < small->size; i++)
        from[i] += (real)0.25;          /* biases that are not 0 */
    parameters_extend(large, x, small, from);
    for (int i = 0; i < large->count; i++) {
        const Parameter *p = &large->row[i], *old = &small->row[i];
        assert_extended(p, x + p->at, old, from + old->at);
        grown += p->rows > old->rows;
    }
    assert_int_equal(grown, tie == TIE_ALL ? 2 : tie == TIE_TARGET ? 3 : 4);
    free(from);
    free(x);
    parameters_free(small);
    parameters_free(large);
}

UNIT_TEST(new_entries_should_be_the_mean_of_the_old_and_all_else_the_same)
{
    check_extension(TIE_ALL, TARGETS, TARGETS);
    check_extension(TIE_TARGET, SOURCES, TARGETS);
    check_extension(TIE_NONE, SOURCES, TARGETS);
    check_extension(TIE_ALL, OLD + 1, OLD + 1);
}

int main(void) { return run_unit_tests(); }
