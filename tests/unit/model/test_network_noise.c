/* test_network_noise.c - which parameters get a gradient under each kind of dropout, what a word's
 * advantage teaches, and that a sparse gradient is the gradient on average.
 */
#include "base/random/rng.h"
#include "network_case.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- reinforce ---- */

static const char reinforced[] =
    "attention-width=3 hard-attention=sampled hard-positions=1 hard-gradient=reinforce";
enum { QUERIES = 3 * 3 };

/* Computes the gradient of the attention's queries from one pair, which depends on the advantage
 * alone. Returns the loss. */
static double query_gradient(Case *c, int target_length, double baseline, double *out)
{
    static const int source[] = { 6, 4, 1, 6, 3 }, target[] = { 4, 6 };
    const Sentence pair = { .source = source, .target = target, .source_length = 5,
                            .target_length = target_length };
    memset(c->dblock, 0, c->table->size * sizeof *c->dblock);
    c->noise.baseline = baseline;
    const double loss = gradient(c, &pair, 1).smoothed;
    for (int i = 0; i < c->table->count; i++) {
        const Parameter *p = &c->table->row[i];
        for (size_t j = 0; !strcmp(p->name, "attention.query.weight") && j < parameter_count(p);
             j++)
            out[j] = (double)c->dblock[p->at + j];
    }
    return loss;
}

/* Where the loss of the last word equals the baseline, its advantage is 0, and it adds nothing to
 * the gradient of the first word. */
UNIT_TEST(each_word_should_have_the_advantage_of_its_own_place)
{
    const NetworkOptions options = kind_of(reinforced);
    Case c = network_case_new(&options, SOURCE_WORDS, TARGET_WORDS);
    double one[QUERIES], both[QUERIES], largest = 0;
    const double first = query_gradient(&c, 1, 0, one);
    const double second = query_gradient(&c, 2, 0, both) - first;
    query_gradient(&c, 1, second, one);
    query_gradient(&c, 2, second, both);
    for (int i = 0; i < QUERIES; i++)
        largest = fmax(largest, fabs(one[i]));
    assert_true(largest > 1e-5);
    for (int i = 0; i < QUERIES; i++)
        assert_true(fabs(both[i] - one[i]) < 1e-3 * largest);
    network_case_free(&c);
}

/* The mean over many draws of what the attention's queries learn from one word. */
static void mean_query_gradient(Case *c, HardEstimator estimator, double baseline, double *mean,
                                double *loss)
{
    enum { DRAWS = 20000 };
    c->net.hard.estimator = estimator;
    memset(mean, 0, QUERIES * sizeof *mean);
    *loss = 0;
    for (int draw = 1; draw <= DRAWS; draw++) {
        double one[QUERIES];
        c->noise.draws = rng_key(7, (uint64_t)draw, RNG_ATTENTION);
        *loss += query_gradient(c, 1, baseline, one) / DRAWS;
        for (int i = 0; i < QUERIES; i++)
            mean[i] += one[i] / DRAWS;
    }
}

/* In a small network the loss is nearly linear in what is attended to, and both estimators are near
 * the same gradient, but for the tenth that REINFORCE counts. */
UNIT_TEST(reinforce_should_go_a_tenth_of_the_way_of_straight_through)
{
    const NetworkOptions options = kind_of(reinforced);
    Case c = network_case_new(&options, SOURCE_WORDS, TARGET_WORDS);
    double straight[QUERIES], reinforce[QUERIES], loss, product = 0, square = 0;
    mean_query_gradient(&c, HARD_STRAIGHT_THROUGH, 0, straight, &loss);
    mean_query_gradient(&c, HARD_REINFORCE, loss, reinforce, &loss);
    for (int i = 0; i < QUERIES; i++) {
        product += reinforce[i] * straight[i];
        square += straight[i] * straight[i];
    }
    assert_true(product > 0.05 * square && product < 0.2 * square);
    network_case_free(&c);
}

/* ---- the sparse gradient of the logits ---- */

static Case with_logits(int readout)
{
    NetworkOptions options = kind_of("");
    options.readout = readout;
    Case c = network_case_new(&options, SOURCE_WORDS, TARGET_WORDS);
    c.criterion.smoothing = 0.1;
    return c;
}

static double *fresh_gradient(Case *c)
{
    memset(c->dblock, 0, c->table->size * sizeof *c->dblock);
    gradient_of_all(c);
    return heap_widened(&c->heap, c->dblock, c->table->size);
}

/* The mean of 2,000 sparse gradients is the gradient, within six standard deviations; values are
 * below 1. */
UNIT_TEST(a_sparse_gradient_should_be_right_on_average)
{
    enum { DRAWS = 2000 };
    const double epsilon = REAL_IS_DOUBLE ? DBL_EPSILON : FLT_EPSILON;
    const double rounding = 2 * sqrt(operations) * epsilon;     /* assert_near's */
    Case c = with_logits(READOUT_DEEP);
    const size_t size = c.table->size;
    const double *exact = fresh_gradient(&c);
    double *sum = heap_doubles(&c.heap, size), *squares = heap_doubles(&c.heap, size), moved = 0;
    c.noise.threshold = 0.5;
    for (uint64_t i = 0; i < DRAWS; i++) {
        c.noise.sampling = rng_key(1, i, RNG_LOGITS);
        memset(c.dblock, 0, size * sizeof *c.dblock);
        gradient_of_all(&c);
        for (size_t j = 0; j < size; j++) {
            sum[j] += (double)c.dblock[j];
            squares[j] += (double)c.dblock[j] * (double)c.dblock[j];
        }
    }
    for (size_t j = 0; j < size; j++) {
        const double mean = sum[j] / DRAWS, variance = squares[j] / DRAWS - mean * mean;
        moved = fmax(moved, variance);
        assert_true(fabs(mean - exact[j]) <= 6 * sqrt(fmax(variance, 0) / DRAWS) + rounding);
    }
    assert_true(moved > 1e-6);
    network_case_free(&c);
}

/* Two pairs that differ in their number alone: with the same random numbers their gradients would
 * be equal. */
UNIT_TEST(rows_of_the_logits_should_be_drawn_for_one_by_one)
{
    static const int source[] = { 6, 3 }, target[] = { 3 };
    const Sentence pair = { .source = source, .target = target, .source_length = 2,
                            .target_length = 1 };
    const Sentence pairs[] = { pair, { .source = source, .target = target, .source_length = 2,
                                       .target_length = 1, .number = 1 } };
    int different = 0;
    Case c = with_logits(READOUT_DEEP);
    c.noise.threshold = 0.5;
    for (uint64_t i = 0; i < 50; i++) {
        c.noise.sampling = rng_key(1, i, RNG_LOGITS);
        memset(c.dblock, 0, c.table->size * sizeof *c.dblock);
        gradient(&c, pairs, 1);
        const double *one = heap_widened(&c.heap, c.dblock, c.table->size);
        memset(c.dblock, 0, c.table->size * sizeof *c.dblock);
        gradient(&c, pairs + 1, 1);
        for (size_t j = 0; j < c.table->size; j++)
            if ((double)c.dblock[j] != one[j]) {
                different++;
                break;
            }
    }
    assert_true(different > 10);
    network_case_free(&c);
}

/* What passes is a matter of probabilities; and twice a number is exact. */
UNIT_TEST(a_sparse_gradient_should_be_the_same_whatever_it_is_scaled_by)
{
    Case c = with_logits(READOUT_DEEP);
    c.noise.threshold = 0.3;
    c.noise.sampling = rng_key(1, 1, RNG_LOGITS);
    const double *once = fresh_gradient(&c);
    c.criterion.scale *= 2;
    const double *twice = fresh_gradient(&c);
    for (size_t i = 0; i < c.table->size; i++)
        assert_true(twice[i] == 2 * once[i]);
    network_case_free(&c);
}

/* ---- the places of dropout: what can't come through gives no gradient ---- */

/* The share of these columns of a tensor's gradient that is not zero. */
static double learned(const Case *c, const char *name, int column, int columns)
{
    for (int i = 0; i < c->table->count; i++) {
        const Parameter *p = &c->table->row[i];
        if (strcmp(p->name, name)) continue;
        int count = 0;
        for (int row = 0; row < p->rows; row++)
            for (int j = column; j < column + columns; j++)
                count += c->dblock[p->at + (size_t)(row * p->columns + j)] != 0;
        return (double)count / (p->rows * columns);
    }
    fail_msg("no parameter %s", name);
    return -1;
}

/* Two layers, and columns of a tensor that learn nothing (0) or all (1) under such a dropout. */
UNIT_TEST(what_dropped_values_reach_should_learn_nothing)
{
    enum { E = 4, H = 3, C = 3 };
    static const struct { int readout, of_words; const char *name; int at, columns, learns; } rows[] = {
        { READOUT_DEEP, 1, "encoder.embedding.weight", 0, E, 0 },
        { READOUT_DEEP, 1, "encoder.rnn.weight_ih_l0", 0, E, 0 },
        { READOUT_DEEP, 1, "decoder.embedding.weight", 0, E, 0 },
        { READOUT_DEEP, 1, "decoder.rnn.weight_ih_l0", 0, E, 0 },
        { READOUT_DEEP, 1, "readout.hidden.weight", H + C, E, 0 },
        { READOUT_DEEP, 1, "encoder.rnn.weight_ih_l1", 0, C, 1 },
        { READOUT_DEEP, 1, "decoder.rnn.weight_ih_l0", E, C, 1 },
        { READOUT_DEEP, 1, "readout.hidden.weight", 0, H + C, 1 },
        { READOUT_SIMPLE, 0, "encoder.rnn.weight_ih_l1", 0, C, 0 },
        { READOUT_SIMPLE, 0, "decoder.rnn.weight_ih_l1", 0, H, 0 },
        { READOUT_SIMPLE, 0, "encoder.rnn.weight_hh_l1", 0, H, 1 },
        { READOUT_SIMPLE, 0, "decoder.rnn.weight_hh_l1", 0, H, 1 },
        { READOUT_SIMPLE, 0, "readout.output.weight", 0, H, 1 },
        { READOUT_DEEP, 0, "readout.output.weight", 0, E, 0 },
    };
    const Dropout most = { 0.99999, rng_key(1, 1, RNG_DROPOUT), 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        NetworkOptions options = kind_of("layers=2");
        options.readout = rows[i].readout;
        Case c = network_case_new(&options, SOURCE_WORDS, TARGET_WORDS);
        if (rows[i].of_words) c.noise.embedding = most;
        else c.noise.hidden = c.noise.attention = most;
        gradient_of_all(&c);
        assert_true(learned(&c, rows[i].name, rows[i].at, rows[i].columns) == rows[i].learns);
        network_case_free(&c);
    }
}

/* Each of a layer's own, and those of six layers a side where they have always been: a place is a part of
 * what a training does. */
UNIT_TEST(all_dropouts_of_all_layers_should_have_places_of_their_own)
{
    int taken[DROPOUT_PLACES] = { 0 };
    for (int side = 0; side < 2; side++)
        for (int l = 0; l < MAX_ATTENTION_LAYERS; l++) {
            const LayerPlaces p = attention_layers_places((PassSide)side, l);
            const int own[] = { p.weights, p.part[PART_SELF], p.part[PART_FEED_FORWARD], p.source_weights,
                                p.part[PART_SOURCE] };
            for (int i = 0; i < (side == SIDE_SOURCE ? 3 : 5); i++) {
                assert_in_range(own[i], PLACE_SELF_WEIGHTS, PLACES - 1);
                assert_int_equal(taken[own[i]]++, 0);
            }
            if (l >= 6) continue;
            assert_int_equal(p.weights, 47 + side * 6 + l);
            assert_int_equal(p.part[PART_SELF], 59 + 2 * (side * 6 + l));
        }
    assert_int_equal(taken[PLACE_CHOICE], 0);
}

int main(void) { return run_unit_tests(); }
