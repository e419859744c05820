/* test_updater.c - updates against a naive twin: one dense gradient of the whole batch, clipped, and
 * Adam value by value on the rows that the batch touches; what rests does not move. And what is not
 * finite changes nothing.
 */
#include "naive.h"
#include "nn/adam.h"
#include "random_pairs.h"
#include "team.h"

#include <math.h>
#include <string.h>

/* ---- the naive twin ---- */

typedef struct {
    double *w, *m, *v, *g;
    Loss    loss;
    double  norm;
    long    tokens;
} Twin;

static Twin twin_new(Team *t)
{
    const size_t size = t->table->size;
    return (Twin){ .w = heap_widened(&t->heap, t->weights, size), .m = heap_doubles(&t->heap, size),
                   .v = heap_doubles(&t->heap, size) };
}

/* Dropout that has risen in a straight line for PASSES passes. */
static double risen(const Hyperparameters *hyper, double dropout)
{
    return hyper->dropout_rise > PASSES ? dropout * PASSES / hyper->dropout_rise : dropout;
}

/* The gradient at the team's weights, by one worker, of all parameters. */
static void twin_gradient(Twin *twin, Team *t, const Sentence *sentences, int count, long step)
{
    const uint64_t key = rng_key(t->hyper.seed, (uint64_t)step, RNG_DROPOUT);
    const int shared = t->hyper.dropout_mask == MASK_SENTENCE ? TOKEN_STEP_BITS : 0;
    const Noise noise = {
        .word = { { t->hyper.word_dropout_source, key, shared },
                  { t->hyper.word_dropout_target, key, shared } },
        .embedding = { risen(&t->hyper, t->hyper.dropout_embedding), key, shared },
        .hidden = { risen(&t->hyper, t->hyper.dropout), key, shared },
        .recurrent = { t->hyper.dropout_recurrent, key, shared },
        .attention = { t->hyper.dropout_attention, key, 0 },
        .draws = rng_key(t->hyper.seed, (uint64_t)step, RNG_ATTENTION),
        .baseline = *updater_state(t->updater).baseline,
        .choice = { 0.5, key, TOKEN_STEP_BITS },
        .threshold = t->hyper.sparse_gradient,
        .sampling = rng_key(t->hyper.seed, (uint64_t)step, RNG_LOGITS),
    };
    Sentence twice[2 * MOST];
    const long tokens = batch_size(sentences, count).target_tokens;
    const int repeats = t->hyper.r_drop > 0 ? 2 : 1;
    for (int i = 0; i < repeats * count; i++) {
        twice[i] = sentences[i / repeats];
        twice[i].number = repeats * twice[i].number + i % repeats;
    }
    count *= repeats;
    sentences = twice;
    const BatchSize size = batch_size(sentences, count);
    real *block = heap_zeros(&t->heap, t->table->size);
    const Weights w = weights_at(t->table, t->weights), dw = weights_at(t->table, block);
    Arena arena = { 0 };
    Batch batch;
    arena_reserve(&arena, network_measure(&t->net, size, 1));
    batch_build(&batch, &arena, sentences, count, ID_BOS);
    twin->tokens = tokens;
    Pass pass = pass_of_batch(&t->net, &w, &batch);
    pass.gradients = &dw;
    pass.noise = &noise;
    const Criterion criterion = { .smoothing = t->hyper.label_smoothing,
                                  .r_drop = repeats > 1 ? t->hyper.r_drop : 0,
                                  .scale = 1.0 / (double)tokens / repeats };
    twin->loss = network_gradient(&pass, &criterion, &arena);
    twin->loss.plain /= repeats;
    twin->loss.smoothed /= repeats;
    arena_free(&arena);
    twin->g = heap_widened(&t->heap, block, t->table->size);
    twin->norm = 0;
    for (size_t i = 0; i < t->table->size; i++)
        twin->norm += twin->g[i] * twin->g[i];
    twin->norm = sqrt(twin->norm);
}

/* Whether a word of the source, or a word before another one in the target, is `id`. */
static int occurs(const Sentence *sentences, int count, int is_source, int id)
{
    for (int i = 0; i < count; i++) {
        const Sentence *s = &sentences[i];
        for (int t = 0; t < (is_source ? s->source_length : s->target_length - 1); t++)
            if ((is_source ? s->source[t] : s->target[t]) == id) return 1;
    }
    return !is_source && id == ID_BOS;
}

static int changes(const Parameter *p, const Sentence *sentences, int count, int row)
{
    return p->touches == TOUCHES_ALL
           || occurs(sentences, count, p->touches == TOUCHES_SOURCE_ROWS, row);
}

static void twin_step(Twin *twin, const Team *t, const Sentence *sentences, int count, long step)
{
    AdamOptions adam = { .rate = 0.01, .beta1 = 0.9, .beta2 = t->hyper.beta2,
                         .epsilon = 1e-8 };
    const double clip = t->hyper.clip, scale = clip > 0 && twin->norm > clip ? clip / twin->norm : 1;
    for (int i = 0; i < t->table->count; i++) {
        const Parameter *p = &t->table->row[i];
        const int columns = p->columns ? p->columns : 1;
        adam.decay = p->columns ? t->hyper.weight_decay : 0;
        for (int row = 0; row < p->rows; row++) {
            if (!changes(p, sentences, count, row)) continue;
            for (size_t at = p->at + (size_t)row * columns, end = at + columns; at < end; at++)
                naive_adam(&twin->w[at], &twin->m[at], &twin->v[at], scale * twin->g[at], &adam,
                           step);
        }
    }
}

static void check_updates(const NetworkOptions *options, const Hyperparameters *hyper)
{
    enum { STEPS = 6 };
    Team *t = team_of(options, 1, SIZE_MAX, hyper);
    Twin twin = twin_new(t);
    for (long step = 1; step <= STEPS; step++) {
        const int count = 1 + (int)step;
        Sentence sentences[MOST];
        make_batch(&t->heap, (uint64_t)step, sentences, count);
        twin_gradient(&twin, t, sentences, count, step);
        twin_step(&twin, t, sentences, count, step);
        const Update u = learn(t, sentences, count, step);
        assert_int_equal(u.tokens, twin.tokens);
        assert_false(u.skipped);
        assert_true(u.loss.plain == twin.loss.plain && u.loss.smoothed == twin.loss.smoothed);
        assert_true(fabs(u.norm - twin.norm) <= 1e-14 * twin.norm * (double)t->table->size);
        assert_near(t->weights, twin.w, t->table->size, 12.0 * STEPS);
        assert_near(updater_state(t->updater).first, twin.m, t->table->size, 12.0 * STEPS);
        assert_near(updater_state(t->updater).second, twin.v, t->table->size, 12.0 * STEPS);
    }
    team_free(t);
}

/* What is drawn differs from update to update, and what a word costs usually is the updater's own
 * average; dropout rises with the passes; all rows of tied embeddings change. */
UNIT_TEST(updates_should_be_those_of_the_naive_twin)
{
#define WIDTHS .embedding = 4, .hidden = 3, .bidirectional = 1
    static const struct { NetworkOptions options; const char *hyper; } cases[] = {
        { { WIDTHS, .layers = 1 }, "{}" }, { { WIDTHS, .layers = 1 }, "{\"clip\":0,\"seed\":7}" },
        { { WIDTHS, .layers = 1 }, "{\"clip\":1000}" },
        { { WIDTHS, .layers = 2 }, "{\"word-dropout-source\":0.3,\"word-dropout-target\":0.2,"
                                   "\"dropout-recurrent\":0.2,\"dropout-mask\":\"sentence\"}" },
        { { WIDTHS, .layers = 2 }, "{\"sparse-gradient\":0}" },
        { { WIDTHS, .layers = 1 }, "{\"r-drop\":2}" },
        { { WIDTHS, .layers = 1 }, "{\"r-drop\":2,\"sparse-gradient\":0}" },
        { { WIDTHS, .layers = 1 }, "{\"dropout-rise\":0.5}" },
        { { WIDTHS, .layers = 1 }, "{\"dropout-rise\":2.5}" },
        { { WIDTHS, .layers = 1 }, "{\"dropout-rise\":6}" },
        { { WIDTHS, .layers = 1, .heads = 1, .hard_attention = HARD_SAMPLED, .hard_positions = 2,
            .hard_gradient = HARD_REINFORCE }, "{\"dropout-attention\":0.2}" },
        { { WIDTHS, .layers = 1 }, "{\"weight-decay\":0.5}" },
        { { WIDTHS, .layers = 1 }, "{\"adam-beta2\":0.9}" },
        { { WIDTHS, .layers = 1, .tie = TIE_TARGET }, "{}" },
        { { WIDTHS, .layers = 1, .tie = TIE_ALL }, "{}" },
    };
#undef WIDTHS
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err e;
        Hyperparameters hyper = usual_hyperparameters();
        cJSON *json = cJSON_Parse(cases[i].hyper);
        if (fields_from_json(hyperparameter_fields, &hyper, json, &e)) fail_msg("%s", e.text);
        cJSON_Delete(json);
        check_updates(&cases[i].options, &hyper);
    }
}

UNIT_TEST(r_drop_should_not_pass_twice_what_has_no_dropout)
{
    const NetworkOptions options = { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1 };
    Hyperparameters hyper = usual_hyperparameters();
    hyper.dropout = hyper.dropout_embedding = 0;
    Team *once = team_of(&options, 1, SIZE_MAX, &hyper);
    hyper.r_drop = 2;
    Team *with_r_drop = team_of(&options, 1, SIZE_MAX, &hyper);
    assert_true(update(once, 1, MOST, 1).flops == update(with_r_drop, 1, MOST, 1).flops);
    assert_memory_equal(once->weights, with_r_drop->weights, once->table->size * sizeof(real));
    team_free(once);
    team_free(with_r_drop);
}

/* ---- the baseline of hard attention ---- */

UNIT_TEST(the_baseline_should_be_a_moving_average_of_what_a_word_costs)
{
    Hyperparameters r = usual_hyperparameters();
    r.label_smoothing = 0.2;
    Team *t = team_new(1, &r);
    double expected = 0;
    assert_true(*updater_state(t->updater).baseline == 0);
    for (long step = 1; step <= 3; step++) {
        const Update u = update(t, (uint64_t)step, MOST, step);
        const double cost = u.loss.smoothed / (double)u.tokens;
        expected = step == 1 ? cost : 0.9 * expected + 0.1 * cost;
        assert_true(fabs(*updater_state(t->updater).baseline - expected) < 1e-12);
    }
    for (size_t i = 0; i < t->table->size; i++)
        t->weights[i] = (real)NAN;              /* a skipped update says nothing of costs */
    assert_true(update(t, 4, MOST, 4).skipped);
    assert_true(fabs(*updater_state(t->updater).baseline - expected) < 1e-12);
    team_free(t);
}

/* ---- normalising ---- */

UNIT_TEST(the_loss_should_be_divided_by_tokens_or_by_the_longest_length)
{
    Hyperparameters tokens = usual_hyperparameters(), steps = tokens;
    tokens.clip = steps.clip = 0;
    steps.normalize = NORMALIZE_STEPS;
    steps.max_length = 7;
    Team *a = team_new(1, &tokens), *b = team_new(1, &steps);
    const Update u = update(a, 1, MOST, 1), v = update(b, 1, MOST, 1);
    assert_true(u.loss.smoothed == v.loss.smoothed);
    assert_true(fabs(u.norm * (double)u.tokens / (v.norm * 7) - 1) <= sqrt(operations) * epsilon);
    team_free(a);
    team_free(b);
}

/* ---- what is not finite ---- */

/* The first weight of the source's embedding of a word. */
static real *first_value(Team *t, int id)
{
    return weights_at(t->table, t->weights).embedding[SIDE_SOURCE] + (size_t)id * t->net.n.E;
}

static void check_not_finite(int workers)
{
    const Hyperparameters hyper = usual_hyperparameters();
    Team *t = team_new(workers, &hyper), *untouched = team_new(workers, &hyper);
    const size_t bytes = t->table->size * sizeof(real);
    Sentence sentences[MOST];
    make_batch(&t->heap, 1, sentences, MOST);
    const int id = sentences[0].source[0];
    real *value = first_value(t, id);
    *value = (real)INFINITY;        /* of which the backward pass makes NaN */

    assert_int_equal(learn(t, sentences, MOST, 1).skipped, 1);
    *value = *first_value(untouched, id);
    assert_memory_equal(t->weights, untouched->weights, bytes);
    assert_memory_equal(updater_state(t->updater).first, updater_state(untouched->updater).first,
                        bytes);
    assert_memory_equal(updater_state(t->updater).second,
                        updater_state(untouched->updater).second, bytes);

    /* nothing of it is left for the next one */
    assert_int_equal(update(t, 2, MOST, 2).skipped, 0);
    assert_int_equal(update(untouched, 2, MOST, 2).skipped, 0);
    assert_memory_equal(t->weights, untouched->weights, bytes);
    team_free(t);
    team_free(untouched);
}

UNIT_TEST(a_gradient_that_is_not_finite_should_change_nothing)
{
    check_not_finite(1);
    check_not_finite(3);
}

/* ---- what it keeps ---- */

UNIT_TEST(weights_should_be_kept_until_others_are)
{
    const Hyperparameters hyper = usual_hyperparameters();
    Team *t = team_new(1, &hyper);
    const size_t bytes = t->table->size * sizeof(real);
    real *before = memcpy(heap_zeros(&t->heap, t->table->size), t->weights, bytes);
    update(t, 1, MOST, 1);
    assert_memory_equal(updater_state(t->updater).kept, before, bytes);
    assert_ptr_equal(updater_state(t->updater).averaged, t->weights);       /* there is no average */
    updater_keep(t->updater, updater_state(t->updater).averaged);
    assert_memory_equal(updater_state(t->updater).kept, t->weights, bytes);
    team_free(t);
}

/* As before a validation; the next shares need more than the first one. */
UNIT_TEST(a_rest_between_updates_should_change_nothing)
{
    const Hyperparameters hyper = usual_hyperparameters();
    Team *steady = team_new(2, &hyper), *resting = team_new(2, &hyper);
    for (long step = 1; step <= 3; step++) {
        const int count = step == 1 ? 2 : MOST;
        update(steady, (uint64_t)step, count, step);
        update(resting, (uint64_t)step, count, step);
        updater_rest(resting->updater);
    }
    assert_memory_equal(steady->weights, resting->weights, steady->table->size * sizeof(real));
    team_free(steady);
    team_free(resting);
}

/* ---- the average of the weights ---- */

/* By its formula in double, from the weights after each update; rows of resting words move too. */
static void check_average(double beta, int every, int workers)
{
    enum { STEPS = 90 };
    Hyperparameters hyper = usual_hyperparameters();
    hyper.average = beta;
    Team *t = team_new(workers, &hyper);
    const size_t size = t->table->size;
    double *expected = heap_widened(&t->heap, t->weights, size);
    for (long step = 1; step <= STEPS; step++) {
        update(t, (uint64_t)step, 2, step);
        if ((step - 1) % every == 0) {
            const double n = (double)((step - 1) / every);
            const double b = fmin(pow(beta, every), (1 + n) / (10 + n));
            for (size_t i = 0; i < size; i++)
                expected[i] = b * expected[i] + (1 - b) * (double)t->weights[i];
        }
        /* each sample rounds three times, and what it rounds is forgotten as the weights are */
        assert_near(updater_state(t->updater).averaged, expected, size, 3.0 * STEPS);
    }
    assert_memory_not_equal(updater_state(t->updater).averaged, t->weights, size * sizeof(real));
    team_free(t);
}

UNIT_TEST(the_average_should_be_that_of_its_formula)
{
    check_average(0.5, 1, 1);
    check_average(0.9, 1, 3);
    check_average(0.98, 5, 2);
    check_average(0.9999, 32, 1);
}

int main(void) { return run_unit_tests(); }
