/* test_reduction.c - what an update changes, and that the workers divide it among them. */
#include "base/mem.h"
#include "numbers.h"
#include "text/corpus/corpus.h"
#include "train/update/reduction.h"

#include <stdlib.h>

enum { WORDS = 12 };

static const int source[] = { 5, 7, 5, ID_EOS }, target[] = { 6, 9, ID_EOS };
static const Sentence pair =
    { .source = source, .target = target, .source_length = 4, .target_length = 3 };

typedef struct {
    NetworkOptions  options;
    ParameterTable *table;
    SparseUpdate    changes;
    int            *times, *decays;     /* (table->size) how often each value was visited, how often
                                         * to decay */
} Case;

static Case case_new(int tie, int decays)
{
    Case c = { .options = { .embedding = 4, .hidden = 3, .layers = 1, .tie = tie } };
    c.table = parameters_new(&c.options, WORDS, WORDS);
    sparse_update_init(&c.changes, c.table, WORDS, WORDS, ID_BOS, decays);
    c.times = xcalloc(c.table->size, sizeof *c.times);
    c.decays = xcalloc(c.table->size, sizeof *c.decays);
    return c;
}

static void case_free(Case *c)
{
    sparse_update_free(&c->changes);
    parameters_free(c->table);
    free(c->times);
    free(c->decays);
}

/* Returns the number of values in the largest share, less that in the smallest. */
static size_t visit(Case *c, int workers)
{
    size_t most = 0, least = c->table->size;
    for (int i = 0; i < workers; i++) {
        size_t mine = 0;
        Range s;
        SparseUpdateWalk walk = sparse_update_walk(&c->changes, (Portion){ i, workers });
        while (sparse_update_next(&walk, &s)) {
            mine += s.count;
            for (size_t at = s.at; at < s.at + s.count; at++) {
                c->times[at]++;
                c->decays[at] += s.decays;
            }
        }
        if (mine > most) most = mine;
        if (mine < least) least = mine;
    }
    return most - least;
}

/* Visits what changes between cuts of the parameter block, each part twice as long as the one
 * before. */
static void visit_places(Case *c)
{
    Range s;
    for (size_t low = 0, high = 1; low < c->table->size; low = high, high *= 2) {
        SparseUpdateWalk walk = sparse_update_walk_within(&c->changes, low, high);
        while (sparse_update_next(&walk, &s))
            for (size_t at = s.at; at < s.at + s.count; at++) {
                assert_true(at >= low && at < high);
                c->times[at]++;
                c->decays[at] += s.decays;
            }
    }
}

/* The rows of the one pair; the network never reads the last word of a target. */
static int is_read(const Parameter *p, int id)
{
    if (p->touches == TOUCHES_SOURCE_ROWS) return id == 5 || id == 7 || id == ID_EOS;
    return id == 6 || id == 9 || id == ID_BOS;
}

static void assert_visited(const Case *c, int decays)
{
    for (int i = 0; i < c->table->count; i++) {
        const Parameter *p = &c->table->row[i];
        const int columns = p->columns ? p->columns : 1;
        for (int row = 0; row < p->rows; row++)
            for (int k = 0; k < columns; k++) {
                const size_t at = p->at + (size_t)row * (size_t)columns + (size_t)k;
                const int expected = p->touches == TOUCHES_ALL || is_read(p, row);
                assert_int_equal(c->times[at], expected);
                assert_int_equal(c->decays[at], expected && decays && p->columns > 0);
            }
    }
}

UNIT_TEST(every_value_that_changes_should_be_in_one_share_or_place)
{
    for (int tie = TIE_NONE; tie <= TIE_ALL; tie++)
        for (int workers = 1; workers <= 9; workers++) {
            const int decays = workers % 2;
            Case c = case_new(tie, decays);
            sparse_update_begin(&c.changes, 1);
            sparse_update_add(&c.changes, &pair, 1);
            if (workers == 9) visit_places(&c);
            else assert_true(visit(&c, workers) <= 1);
            assert_visited(&c, decays);
            case_free(&c);
        }
}

UNIT_TEST(further_batches_should_add_only_rows_that_are_new)
{
    const Sentence first = { .source = source, .target = target, .source_length = 2,
                             .target_length = 2 };
    Case c = case_new(TIE_NONE, 1);
    sparse_update_begin(&c.changes, 1);
    sparse_update_add(&c.changes, &pair, 1);
    sparse_update_begin(&c.changes, 2);         /* which lists anew */
    sparse_update_add(&c.changes, &first, 1);
    const size_t before = c.changes.values;
    sparse_update_add(&c.changes, &pair, 1);
    sparse_update_add(&c.changes, &pair, 1);
    assert_int_equal(c.changes.values, before + 2 * 4);     /* the rows of source <eos> and of
                                                             * target 9 */
    visit(&c, 2);
    assert_visited(&c, 1);
    case_free(&c);
}

int main(void) { return run_unit_tests(); }
