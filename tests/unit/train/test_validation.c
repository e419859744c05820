/* test_validation.c - the loss of many pairs is the sum over single sentences, whichever worker
 * computes it. Validations of a run rule its rate, its end and the model file, and their scores are those
 * of all references.
 */
#include "base/mem.h"
#include "journal.h"
#include "random_pairs.h"
#include "train/validation.h"

#include <math.h>

/* ---- the loss ---- */

enum { WORDS = 14, PAIRS = 37, LONGEST = 6 };

/* A loss comes out of some ten layers and steps whose sums are up to 16 long (test_network.c). */
static const double operations = 160;

typedef struct {
    Heap            heap;
    Architecture    net;
    ParameterTable *table;
    Weights         w;
    Pairs           pairs;
} Case;

static Case case_new(void)
{
    const NetworkOptions options = { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1 };
    Case c = { .net = architecture_of(&options, WORDS, WORDS),
               .table = parameters_new(&options, WORDS, WORDS) };
    real *block = heap_zeros(&c.heap, c.table->size);
    parameters_init(c.table, block, 3);
    c.w = weights_at(c.table, block);
    c.pairs = random_pairs(&c.heap, 1, PAIRS, LONGEST, WORDS);
    return c;
}

static void case_free(Case *c)
{
    parameters_free(c->table);
    heap_free(&c->heap);
}

static ValidationLoss evaluate(const Case *c, int size, int workers)
{
    Pool *pool = pool_new(workers);
    const ValidationLoss found =
        validation_loss_run(&c->net, &c->w, &c->pairs, size, ID_BOS, pool, NULL, NULL);
    pool_free(pool);
    return found;
}

static double loss_of_one(const Case *c, int i, Arena *arena)
{
    const Sentence sentence = sentence_view(&c->pairs, i, 0);
    const BatchSize size = batch_size(&sentence, 1);
    Batch batch;
    arena_reserve(arena, network_measure(&c->net, size, 0));
    batch_build(&batch, arena, &sentence, 1, ID_BOS);
    const Pass pass = pass_of_batch(&c->net, &c->w, &batch);
    return network_loss(&pass, 0, arena).plain;
}

UNIT_TEST(the_loss_should_be_the_mean_over_the_tokens_of_single_sentences)
{
    Case c = case_new();
    Arena arena = { 0 };
    double sum = 0;
    long tokens = 0, unknown = 0;
    for (int i = 0; i < PAIRS; i += 2)
        c.pairs.target[c.pairs.target_at[i]] = ID_UNK;
    for (int i = 0; i < PAIRS; i++) {
        const Sentence sentence = sentence_view(&c.pairs, i, 0);
        sum += loss_of_one(&c, i, &arena);
        tokens += sentence.target_length;
        for (int t = 0; t < sentence.target_length; t++) unknown += sentence.target[t] == ID_UNK;
    }
    const double expected = sum / (double)tokens;
    const int sizes[] = { 1, 4, PAIRS, 100 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const ValidationLoss found = evaluate(&c, sizes[i], 2);
        assert_int_equal(found.tokens, tokens);
        assert_int_equal(found.unknown, unknown);
        assert_near(&(real){ (real)found.loss }, &expected, 1, operations);
    }
    arena_free(&arena);
    case_free(&c);
}

UNIT_TEST(workers_should_not_show_and_a_request_to_stop_should_end_it)
{
    Case c = case_new();
    const atomic_int stop = 1;
    const ValidationLoss alone = evaluate(&c, 4, 1);
    for (int workers = 2; workers <= 12; workers++)
        assert_true(evaluate(&c, 4, workers).loss == alone.loss);
    Pool *pool = pool_new(2);
    assert_true(validation_loss_run(&c.net, &c.w, &c.pairs, 4, ID_BOS, pool, &stop, NULL).loss == 0);
    pool_free(pool);
    c.pairs.count = 0;
    const ValidationLoss none = evaluate(&c, 4, 2);
    assert_true(none.loss == 0 && none.tokens == 0);
    case_free(&c);
}

/* ---- the rate, the end and the best weights ---- */

/* The rules, from the losses alone. */
static void assert_policy(const Journal *j, const Hyperparameters *r)
{
    double best = HUGE_VAL, rate = r->rate;
    int stalled = 0;
    for (int i = 0; i < j->validations; i++) {
        const ValidationReport *v = &j->validation[i];
        const TrainingProgress *progress = &j->validated[i];
        const int improved = v->valid_loss < best;
        if (improved) best = v->valid_loss;
        else rate *= r->decay;
        stalled = improved ? 0 : stalled + 1;
        assert_int_equal(v->improved, improved);
        assert_true(progress->best_loss == best);
        assert_true(progress->rate == rate);
        assert_int_equal(progress->stalled, stalled);
        assert_int_equal(stalled == r->patience, i == j->validations - 1);
        assert_true(v->bleu >= 0 && v->bleu <= 100 && v->chrf >= 0 && v->chrf <= 100);
    }
    assert_true(j->progress[j->updates - 1].rate > rate);    /* the last validation came after the
                                                              * last update */
}

/* How often a validation was better after one that was not. */
static int recoveries(const Journal *j)
{
    int count = 0;
    for (int i = 1; i < j->validations; i++)
        count += j->validation[i].improved && !j->validation[i - 1].improved;
    return count;
}

static int check_stalling(Toy *toy, int steps_between)
{
    Journal *j = run_noted(toy, 0);
    const int count = recoveries(j);
    assert_int_equal(toy->ending, ENDED_STALLED);
    for (int i = 0; i < j->validations; i++)
        assert_int_equal(j->validated[i].step, (i + 1) * steps_between);
    assert_policy(j, &toy->hyper);
    assert_holds_the_best(toy);
    free(j);
    toy_free(toy);
    return count;
}

TEST_IN_SCRATCH(training_should_stop_when_validation_stalls_and_leave_the_best_weights)
{
    check_stalling(stalling_toy(*state, 4, 0, 0.02, 0.5), 2);
    check_stalling(stalling_toy(*state, 4, 3, 0.02, 0.5), 3);
    assert_true(check_stalling(stalling_toy(*state, 2, 1, 0.15, 0.9), 1) > 0);   /* a rate at which
                                                                                  * it jumps
                                                                                  * about */
}

TEST_IN_SCRATCH(a_fallen_rate_should_be_learned_with)
{
    Toy *steady = stalling_toy(*state, 2, 1, 0.2, 1);
    Toy *falling = stalling_toy(*state, 2, 1, 0.2, 0.1);
    Journal *a = run_noted(steady, 0), *b = run_noted(falling, 0);
    int i = 0;
    for (; a->validation[i].improved; i++)
        assert_true(a->validation[i].valid_loss == b->validation[i].valid_loss);
    assert_true(a->validation[i].valid_loss == b->validation[i].valid_loss);    /* the first that
                                                                                 * was no better */
    assert_true(a->validation[i + 1].valid_loss != b->validation[i + 1].valid_loss);
    free(a);
    free(b);
    toy_free(steady);
    toy_free(falling);
}

/* The best of a run by one measure, from its reports; of equal ones that with the lower loss. */
static const ValidationReport *best_of(const Journal *j, int measure)
{
    const ValidationReport *best = &j->validation[0];
    for (int i = 1; i < j->validations; i++) {
        const ValidationReport *v = &j->validation[i];
        const double mine = measure == STOP_BLEU ? v->bleu : v->chrf;
        const double other = measure == STOP_BLEU ? best->bleu : best->chrf;
        if (mine > other || (mine == other && v->valid_loss < best->valid_loss)) best = v;
    }
    return best;
}

/* The wrong targets are learned the worse by loss the more is learned, while scores jump about. */
static void check_measure(Scratch *scratch, int measure)
{
    Toy *toy = stalling_toy(scratch, 4, 1, 0.02, 1);
    toy->hyper.early_stop = measure;
    toy->hyper.patience = 6;
    toy->hyper.steps = 60;
    Journal *j = run_noted(toy, 0);
    const ValidationReport *best = best_of(j, measure);
    const int at = (int)(best - j->validation);
    assert_int_equal(written_number(toy, "steps"), at + 1);
    assert_int_equal(toy->progress.best_step, at + 1);
    assert_true(toy->progress.best_loss == best->valid_loss);
    assert_true(toy->progress.best_score == (measure == STOP_BLEU ? best->bleu : best->chrf));
    assert_int_equal(toy->ending, ENDED_STALLED);
    assert_int_equal(j->validations, at + 1 + 6);
    free(j);
    toy_free(toy);
}

TEST_IN_SCRATCH(the_best_weights_should_be_those_of_the_best_score_where_that_is_asked_for)
{
    check_measure(*state, STOP_BLEU);
    check_measure(*state, STOP_CHRF);
}

/* The loss rises from some update on, which changes nothing. */
TEST_IN_SCRATCH(without_a_measure_the_last_weights_should_be_kept)
{
    enum { STEPS = 60 };
    Toy *toy = stalling_toy(*state, 4, 1, 0.02, 0.5);
    toy->hyper.early_stop = STOP_NONE;
    toy->hyper.steps = STEPS;
    Journal *j = run_noted(toy, 0);
    double lowest = INFINITY;
    for (int i = 0; i < j->validations; i++) {
        lowest = fmin(lowest, j->validation[i].valid_loss);
        assert_true(j->validation[i].saved && !j->validation[i].chosen);
    }
    assert_int_equal(written_number(toy, "steps"), STEPS);
    assert_int_equal(j->validations, STEPS);
    assert_int_equal(toy->ending, ENDED_STEPS);
    assert_true(toy->progress.rate == toy->hyper.rate);
    assert_true(j->validation[STEPS - 1].valid_loss > lowest);
    free(j);
    toy_free(toy);
}

/* A rate so low that the loss falls a little each time while the translations stay what they
 * are. */
TEST_IN_SCRATCH(of_equal_scores_that_with_the_lower_loss_should_be_the_best)
{
    enum { STEPS = 4 };
    Toy *toy = stalling_toy(*state, 8, 1, 1e-6, 1);
    toy->hyper.early_stop = STOP_BLEU;
    toy->hyper.steps = STEPS;
    Journal *j = run_noted(toy, 0);
    assert_int_equal(j->validations, STEPS);
    for (int i = 1; i < STEPS; i++) {
        assert_true(j->validation[i].bleu == j->validation[0].bleu);
        assert_true(j->validation[i].valid_loss < j->validation[i - 1].valid_loss);
    }
    assert_int_equal(toy->progress.best_step, STEPS);
    free(j);
    toy_free(toy);
}

/* The file holds the average, and its loss is the one reported. */
TEST_IN_SCRATCH(an_average_should_be_validated_and_saved)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 2);
    toy_validate(toy);
    toy->hyper.average = 0.9;
    toy->hyper.patience = 2;
    toy->hyper.steps = 0;
    toy->hyper.batch = 4;
    toy_run(toy, NULL);
    assert_holds_the_best(toy);
    toy_free(toy);
}

/* Validations after the steps 2, 4, ... of a run, and at its end. */
TEST_IN_SCRATCH(the_last_weights_should_be_validated_once)
{
    for (int steps = 4; steps <= 5; steps++) {
        Toy *toy = toy_new(*state, TOKENS_BPE, 1);
        toy_validate(toy);
        toy->hyper.validate_every = 2;
        toy->hyper.steps = steps;
        Journal *j = run_noted(toy, 0);
        assert_int_equal(j->validations, steps - 2);
        assert_int_equal(j->validated[steps - 3].step, steps);
        free(j);
        toy_free(toy);
    }
}

/* ---- scores ---- */

/* Every source twice, first with another's target. */
TEST_IN_SCRATCH(validation_should_score_against_all_references)
{
    enum { LINES = 2 * TOY_PAIRS };
    const char *sources[LINES], *targets[LINES];
    for (size_t i = 0; i < LINES; i++) {
        sources[i] = toy_sources[i / 2];
        targets[i] = toy_targets[(i / 2 + (i + 1) % 2) % TOY_PAIRS];
    }
    const Corpus corpus = { .source = sources, .target = targets, .count = LINES };
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy_validate(toy);
    segments_free(&toy->text);
    segments_init(&toy->text, &corpus);
    toy->hyper.steps = toy->hyper.validate_every = 150;
    Journal *j = run_noted(toy, 0);
    assert_true(fabs(j->validation[0].bleu - 100) < 1e-9);
    assert_true(fabs(j->validation[0].chrf - 100) < 1e-9);
    free(j);
    toy_free(toy);
}

TEST_IN_SCRATCH(without_text_no_scores_should_be_reported)
{
    Toy *toy = toy_new(*state, TOKENS_BPE, 1);
    toy_validate(toy);
    segments_free(&toy->text);
    Journal *j = run_noted(toy, 0);
    assert_true(j->validations > 0);
    assert_true(j->validation[0].bleu == -1 && j->validation[0].chrf == -1);
    Model model = load_written(toy);
    assert_null(cJSON_GetObjectItemCaseSensitive(model.training, "valid_bleu"));
    assert_non_null(cJSON_GetObjectItemCaseSensitive(model.training, "valid_loss"));
    assert_int_equal(cJSON_GetArraySize(toy->model.training), 0);       /* the run leaves it
                                                                         * alone */
    model_free(&model);
    free(j);
    toy_free(toy);
}

int main(void) { return run_unit_tests(); }
