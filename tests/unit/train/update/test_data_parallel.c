/* test_data_parallel.c - how the sentences of an update are shared out, among workers, into several
 * batches or into slices, does not matter but for rounding. That the same workers make the same bytes
 * is seen by test_resume.c.
 */
#include "team.h"
#include "text/tokenizer/tokenizer.h"

#include <math.h>
#include <string.h>

/* ---- how many work ---- */

static void copy_team(Team *to, const Team *from)
{
    const size_t bytes = from->table->size * sizeof(real);
    memcpy(to->weights, from->weights, bytes);
    memcpy(updater_state(to->updater).first, updater_state(from->updater).first, bytes);
    memcpy(updater_state(to->updater).second, updater_state(from->updater).second, bytes);
}

/* A rounding delta of the gradient g moves m^ / sqrt(v^) by at most (1 + |m^ / sqrt(v^)|) delta /
 * sqrt(v^); the quotient is below 2 in the first steps, and so its change is below 4 where g is
 * nothing but rounding. */
static double adam_slack(real v, double delta, double rate, long step)
{
    const double corrected = sqrt((double)v / (1 - pow(0.999, (double)step)));
    return rate * fmin(4, 3 * delta / (corrected + 1e-8));
}

static void assert_same_update(Team *one, Team *many, long step)
{
    const size_t size = one->table->size;
    const double delta = sqrt(operations) * epsilon * (1 + one->hyper.clip);
    assert_near(updater_state(many->updater).first,
                heap_widened(&one->heap, updater_state(one->updater).first, size), size,
                operations);
    assert_near(updater_state(many->updater).second,
                heap_widened(&one->heap, updater_state(one->updater).second, size), size,
                operations);
    for (size_t i = 0; i < size; i++) {
        const double slack = adam_slack(updater_state(one->updater).second[i], delta, 0.01, step);
        const double expected = (double)one->weights[i];
        assert_all_near("weights", &many->weights[i], &expected, 1, 1, slack, __FILE__, __LINE__);
    }
}

/* A full batch, and then batches of `count` pairs. */
static void check_workers(int workers, int count)
{
    const Hyperparameters hyper = usual_hyperparameters();
    Team *one = team_new(1, &hyper), *many = team_new(workers, &hyper);
    for (long step = 1; step <= 4; step++) {
        copy_team(many, one);
        const int pairs = step == 1 ? MOST : count;
        const Update a = update(one, (uint64_t)step, pairs, step);
        const Update b = update(many, (uint64_t)step, pairs, step);
        assert_int_equal(a.tokens, b.tokens);
        assert_true(fabs(a.loss.plain - b.loss.plain) <= sqrt(operations) * epsilon * a.loss.plain);
        const double tolerance = sqrt(operations) * epsilon;
        assert_true(fabs(a.loss.smoothed - b.loss.smoothed) <= tolerance * a.loss.smoothed);
        assert_true(fabs(a.flops - b.flops) <= 1e-12 * a.flops);
        assert_true(fabs(a.norm - b.norm) <= sqrt(operations) * epsilon * (1 + a.norm));
        assert_same_update(one, many, step);
    }
    team_free(one);
    team_free(many);
}

UNIT_TEST(any_number_of_workers_should_make_the_same_update_up_to_rounding)
{
    check_workers(2, MOST);
    check_workers(3, MOST);
    check_workers(5, 2);        /* some have nothing more to do */
}

/* ---- several batches ---- */

/* The sentences with these numbers, numbered from 0. */
static int part_of(const Sentence *all, int count, int from, int to, Sentence *part)
{
    int taken = 0;
    for (int i = 0; i < count; i++)
        if (all[i].number >= from && all[i].number < to) {
            part[taken] = all[i];
            part[taken++].number -= from;
        }
    return taken;
}

static void check_accumulation(int workers, int normalize)
{
    Hyperparameters hyper = usual_hyperparameters();
    hyper.normalize = normalize;
    Team *one = team_new(1, &hyper), *many = team_new(workers, &hyper);
    for (long step = 1; step <= 4; step++) {
        const int cuts[] = { 0, 2, 3, MOST };
        Sentence whole[MOST], part[MOST];
        make_batch(&one->heap, (uint64_t)step, whole, MOST);
        copy_team(many, one);
        const Update a = learn(one, whole, MOST, step);
        updater_begin(many->updater, step, PASSES);
        for (int i = 0; i < 3; i++)
            updater_add(many->updater, part, part_of(whole, MOST, cuts[i], cuts[i + 1], part));
        const Update b = updater_step(many->updater, 0.01);
        assert_int_equal(a.tokens, b.tokens);
        const double tolerance = sqrt(operations) * epsilon;
        assert_true(fabs(a.loss.smoothed - b.loss.smoothed) <= tolerance * a.loss.smoothed);
        assert_true(fabs(a.norm - b.norm) <= sqrt(operations) * epsilon * (1 + a.norm));
        assert_true(fabs(a.flops - b.flops) <= 1e-12 * a.flops);
        assert_same_update(one, many, step);
    }
    team_free(one);
    team_free(many);
}

/* Batches of different sizes, with dropout: the masks too are those of one batch. */
UNIT_TEST(several_batches_should_make_the_update_of_all_their_sentences_in_one)
{
    check_accumulation(1, NORMALIZE_TOKENS);
    check_accumulation(3, NORMALIZE_TOKENS);
    check_accumulation(2, NORMALIZE_STEPS);
}

/* ---- slices ---- */

/* All sentences are the share of one worker; hard attention needs the baseline. */
static Update learn_in_slices(Team *t, const Sentence *sentences)
{
    *updater_state(t->updater).baseline = 2;
    return learn(t, sentences, MOST, 1);
}

/* With dropout: the masks too are those of the whole. A slice of the fewest bytes is a sentence. */
static void check_slices(const NetworkOptions *options, const Hyperparameters *hyper)
{
    Team *whole = team_of(options, 1, SIZE_MAX, hyper);
    const size_t size = whole->table->size * sizeof(real);
    Sentence sentences[MOST];
    make_batch(&whole->heap, 1, sentences, MOST);
    const BatchSize share = batch_size(sentences, MOST);
    const size_t bytes = updater_measure(&whole->net, share, hyper, SIZE_MAX);
    const Update expected = learn_in_slices(whole, sentences);
    enum { LINE = 64 };             /* what an arena aligns to */
    const size_t lines = bytes / LINE, slices[] = { lines, lines - 1, lines / 2, lines / 3, 1 };
    for (int i = 0; i < 5; i++) {
        Team *sliced = team_of(options, 1, slices[i] * LINE, hyper);
        const Update got = learn_in_slices(sliced, sentences);
        const double tolerance = sqrt(operations) * epsilon;
        assert_same_update(whole, sliced, 1);
        assert_true(fabs(got.loss.plain - expected.loss.plain) <= tolerance * expected.loss.plain);
        assert_true(fabs(got.loss.smoothed - expected.loss.smoothed)
                    <= tolerance * expected.loss.smoothed);
        assert_true(fabs(got.flops - expected.flops) <= 1e-12 * expected.flops);
        /* Slices round in another way. */
        const int is_same = !memcmp(updater_state(sliced->updater).first,
                                    updater_state(whole->updater).first, size);
        assert_int_equal(is_same, i == 0);
        assert_int_equal(updater_measure(&whole->net, share, hyper, slices[i] * LINE) < bytes,
                         i > 0);
        team_free(sliced);
    }
    team_free(whole);
}

UNIT_TEST(slices_should_make_the_gradient_of_the_whole)
{
    const NetworkOptions usual = { .embedding = 4, .hidden = 3, .layers = 2, .bidirectional = 1 };
    const NetworkOptions sampled = { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1,
                                     .heads = 1, .hard_attention = HARD_SAMPLED,
                                     .hard_positions = 2, .hard_gradient = HARD_REINFORCE };
    Hyperparameters hyper = usual_hyperparameters();
    check_slices(&usual, &hyper);
    check_slices(&sampled, &hyper);
    hyper.r_drop = 3;
    hyper.sparse_gradient = 0;
    check_slices(&usual, &hyper);
}

int main(void) { return run_unit_tests(); }
