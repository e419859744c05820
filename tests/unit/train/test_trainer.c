/* test_trainer.c - the loop: sentences are learned by heart, the rate follows its schedule, limits
 * hold, numbers that fail end a run, and the reports of updates are right.
 */
#include "journal.h"
#include "train/validation.h"
#include "translate/translator.h"

#include <float.h>
#include <math.h>

/* ---- the rate ---- */

static void the_rate_should_follow_the_schedule(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.steps = 10;
    toy->hyper.schedule = (Schedule){ SCHEDULE_LINEAR, 4, 0 };
    Journal *j = run_noted(toy, 0);
    for (int i = 0; i < 10; i++) {
        const double expected = toy->hyper.rate * schedule_factor(&toy->hyper.schedule, i + 1,
                                                                  i / 10.0);
        assert_true(fabs(j->progress[i].last_rate - expected) <= 4 * DBL_EPSILON * toy->hyper.rate);
    }
    free(j);
    toy_free(toy);
}

/* Update i + 1 of n is learned with what is left after i: all of the rate, then in the last part
 * less and less. */
static void check_cooldown(Toy *toy, int updates)
{
    const double rate = toy->hyper.rate, cooldown = toy->hyper.schedule.cooldown;
    Journal *j = run_noted(toy, 0);
    assert_int_equal(j->updates, updates);
    for (int i = 0; i < updates; i++) {
        const double left = 1 - (double)i / updates;
        const double expected = left < cooldown ? rate * left / cooldown : rate;
        assert_true(fabs(j->progress[i].last_rate - expected) <= 1e-12 * rate);
        assert_true(j->progress[i].rate == rate);
    }
    free(j);
    toy_free(toy);
}

static void the_rate_should_fall_to_nothing_in_the_last_part_of_a_run(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.steps = 20;
    toy->hyper.schedule.cooldown = 0.4;
    check_cooldown(toy, 20);
    toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.steps = 0;
    toy->hyper.batch = 3;
    toy->hyper.epochs = 4;
    toy->hyper.schedule.cooldown = 1;
    check_cooldown(toy, 12);
}

/* The two runs are the same until the rates part. */
static void assert_part(Toy *one, Toy *other, int same)
{
    one->hyper.patience = other->hyper.patience = 0;
    one->hyper.steps = other->hyper.steps = 10;
    Journal *a = run_noted(one, 0), *b = run_noted(other, 0);
    for (int i = 0; i < 10; i++)
        assert_int_equal(a->validation[i].valid_loss == b->validation[i].valid_loss, i < same);
    free(a);
    free(b);
    toy_free(one);
    toy_free(other);
}

static void a_cooling_rate_should_be_learned_with(void **state)
{
    Toy *one = stalling_toy(*state, 8, 1, 0.01, 1), *other = stalling_toy(*state, 8, 1, 0.01, 1);
    other->hyper.schedule.cooldown = 0.45;
    assert_part(one, other, 6);     /* update 7 is the first with less than 0.45 of the run left */
}

/* ---- learning ---- */

static double mean_loss(const UpdateReport *u)
{
    return u->loss / u->tokens;
}

/* What the tokenizer makes of a text and back: the word tokenizer sets punctuation apart. */
static void through_tokenizer(const Tokenizer *t, const char *text, Buf *out)
{
    Ids ids = { 0 };
    tokenizer_encode(t, text, strlen(text), &ids, NULL);
    buf_clear(out);
    tokenizer_decode(t, ids.id, ids.count, NULL, out);
    ids_free(&ids);
}

static void assert_translates(const Model *model)
{
    SearchOptions greedy = search_defaults();
    Buf expected = { 0 };
    greedy.beam = 1;
    Pool *pool = pool_new(1);
    Translator *translator = translator_new(model, &greedy, pool);
    Translations out = translator_run(translator, toy_sources, TOY_PAIRS);
    for (int i = 0; i < TOY_PAIRS; i++) {
        through_tokenizer(model->target, toy_targets[i], &expected);
        assert_int_equal(out.line[i].count, 1);
        assert_string_equal(out.line[i].hypothesis[0].text, expected.text);
    }
    translations_free(&out);
    translator_free(translator);
    pool_free(pool);
    buf_free(&expected);
}

static void check_learning(Scratch *scratch, int tokens, int workers)
{
    Toy *toy = toy_new(scratch, tokens, workers);
    toy->hyper.steps = 150;
    Journal *j = run_noted(toy, 0);
    assert_true(mean_loss(&j->update[0]) > 1);
    assert_true(mean_loss(&j->update[j->updates - 1]) < 0.01);
    Model model = load_written(toy);
    assert_translates(&model);
    model_free(&model);
    free(j);
    toy_free(toy);
}

static void eight_pairs_should_be_learned_by_heart(void **state)
{
    check_learning(*state, TOKENS_BPE, 1);
    check_learning(*state, TOKENS_WORD, 3);
    check_learning(*state, TOKENS_CHAR, 2);
}

/* ---- limits ---- */

static void steps_and_epochs_should_end_a_run_exactly(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.batch = 3;      /* three batches an epoch */
    toy->hyper.steps = 7;
    toy_run(toy, NULL);
    assert_ended(toy, ENDED_STEPS, 7);
    assert_int_equal(toy->progress.epoch, 2);
    assert_int_equal(toy->progress.batch, 1);
    toy->hyper.steps = 0;
    toy->hyper.epochs = 2;
    toy_run(toy, NULL);
    assert_ended(toy, ENDED_EPOCHS, 6);
    toy_free(toy);
}

static void time_should_end_a_run(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.steps = 0;
    toy->hyper.time_limit = 0.05;
    toy_run(toy, NULL);
    assert_int_equal(toy->ending, ENDED_TIME);
    assert_true(toy->progress.seconds >= 0.05);
    toy_free(toy);
}

/* ---- what updates report ---- */

static void updates_should_report_the_progress_of_the_run(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy->hyper.batch = 3;
    toy->hyper.steps = 12;
    Journal *j = run_noted(toy, 0);
    double tokens = 0;
    assert_int_equal(j->updates, 12);
    for (int i = 0; i < j->updates; i++) {
        const UpdateReport *u = &j->update[i];
        assert_int_equal(j->progress[i].step, i + 1);
        assert_true(fabs(u->epoch - (i + 1) / 3.0) < 1e-12);
        assert_true(fabs(u->share - (i + 1) / 12.0) < 1e-12);
        assert_true(u->seconds > 0 && u->flops > 0 && u->norm > 0 && !u->skipped);
        tokens += u->tokens;
        assert_true(j->progress[i].last_rate == toy->hyper.rate);
        assert_true(!i || j->progress[i].seconds >= j->progress[i - 1].seconds);
    }
    assert_true(tokens == 4.0 * (double)toy->pairs.target_at[TOY_PAIRS]);
    assert_true(toy->progress.tokens == tokens);
    free(j);
    toy_free(toy);
}

static void the_first_loss_should_be_that_of_the_first_weights(void **state)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    const Model *m = &toy->model;
    const Architecture net = model_architecture(m);
    const Weights w = weights_at(m->table, m->weights);
    const ValidationLoss before =
        validation_loss_run(&net, &w, &toy->pairs, TOY_PAIRS, ID_BOS, toy->training.pool,
                            NULL, NULL);
    Journal *j = run_noted(toy, 0);
    assert_true(fabs(mean_loss(&j->update[0]) - before.loss) <= 1e-5 * before.loss);
    free(j);
    toy_free(toy);
}

/* ---- numbers that fail ---- */

/* Five in a row end a run; four are borne. */
static void gradients_that_are_not_finite_should_be_counted_and_end_the_run(void **state)
{
    Err e;
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    Journal j = { .toy = toy, .poison_at = 1, .heal_at = 5 };
    const TrainingEvents events = events_of(&j);
    toy_run(toy, &events);
    assert_int_equal(toy->progress.skipped, 4);
    assert_true(j.update[4].skipped && !j.update[5].skipped && j.update[5].loss < j.update[0].loss);
    toy_free(toy);
    toy = toy_new(*state, TOKENS_BPE, 1);
    poison(toy);
    toy_refused(toy, &e);
    assert_string_equal(e.text, "the training diverges: the gradient was not finite 5 times in a "
                                "row; try --learning-rate 0.002 (it is 0.02) or a lower --clip");
    assert_true(toy->progress.step == 5 && toy->progress.tokens == 0);
    toy_free(toy);
}

static void a_validation_that_is_never_a_number_should_be_an_error(void **state)
{
    Err e = { "" };
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy_validate(toy);
    toy->hyper.steps = 4;
    poison(toy);
    toy_refused(toy, &e);
    assert_non_null(strstr(e.text, "model: not written: no validation loss was a number; try a "
                                   "lower --learning-rate"));
    assert_false(exists(toy->model_path));
    toy_free(toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(eight_pairs_should_be_learned_by_heart),
        in_scratch(steps_and_epochs_should_end_a_run_exactly),
        in_scratch(time_should_end_a_run),
        in_scratch(updates_should_report_the_progress_of_the_run),
        in_scratch(the_rate_should_fall_to_nothing_in_the_last_part_of_a_run),
        in_scratch(the_first_loss_should_be_that_of_the_first_weights),
        in_scratch(a_cooling_rate_should_be_learned_with),
        in_scratch(the_rate_should_follow_the_schedule),
        in_scratch(gradients_that_are_not_finite_should_be_counted_and_end_the_run),
        in_scratch(a_validation_that_is_never_a_number_should_be_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
