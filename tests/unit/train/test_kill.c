/* test_kill.c - a process that trains is killed at any moment, most often while it writes, and
 * resumed until it has ended: the model file is to the byte that of a run which nothing disturbed,
 * and nothing else is left.
 */
#include "base/files/content.h"
#include "base/random/rng.h"
#include "base/system/clock.h"
#include "toy.h"
#include "train/hyperparameters/defaults.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { KILLS = 8 };
#else
enum { KILLS = 25 };
#endif

static void say(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "%s\n", text);
}

/* What a run does besides the least that it can do. */
typedef void Change(Toy *toy);

static void change_nothing(Toy *toy)
{
    (void)toy;
}

/* All that keeps something of its own between two updates, or counts them in another way. */
static void change_all(Toy *toy)
{
    Hyperparameters *hyper = &toy->hyper;
    hyper->average = 0.9;
    hyper->accumulate = 2;
    hyper->batch_tokens = 20;
    hyper->early_stop = STOP_BLEU;
    hyper->schedule = (Schedule){ .kind = SCHEDULE_COSINE, .warmup = 3 };
}

/* The network and the numbers of `attn train` itself: layer normalisation, the conditional decoder,
 * bf16, dropout, both directions. */
static void change_to_defaults(Toy *toy)
{
    NetworkOptions network = network_defaults();
    const CorpusSize size = { .pairs = TOY_PAIRS };
    const Hyperparameters asked = toy->hyper, usual = hyperparameters_for(&size, &asked, 1);
    network.hidden = network.embedding = 16;
    toy_share_vocabulary(toy);
    toy_network(toy, &network);
    toy->hyper = usual;
    toy->hyper.batch = asked.batch;
    toy->hyper.steps = asked.steps;
    toy->hyper.validate_every = asked.validate_every;
}

/* A run that saves its state after every update; what cmocka knows nothing of, for it happens in
 * another process. */
static int train(Scratch *scratch, Change *change)
{
    TrainingEvents events = toy_no_events;
    Err e;
    events.troubled = say;
    Toy *toy = toy_new(scratch, TOKENS_BPE, 2);
    toy_validate(toy);
    toy->hyper.batch = 3;
    toy->hyper.steps = 12;
    toy->hyper.validate_every = 2;
    toy->hyper.dropout = 0.2;
    toy->hyper.schedule.cooldown = 0.5;
    change(toy);
    toy->training.save_every = 0;
    toy->training.resume = access(toy->state_path, F_OK) == 0;
    int rc = trainer_run(&toy->training, &events, &toy->ending, &toy->progress, &e);
    if (rc) say(NULL, e.text);
    toy_free(toy);
    return rc ? 1 : 0;
}

static pid_t start(Scratch *scratch, Change *change)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(train(scratch, change));
    return child;
}

/* Whether it was killed; if not, it has ended well. */
static int wait_killed(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) return 1;
    assert_int_equal(WEXITSTATUS(status), 0);
    return 0;
}

static void sleep_for(double seconds)
{
    const time_t whole = (time_t)seconds;
    const struct timespec time =
        { .tv_sec = whole, .tv_nsec = (long)(1e9 * (seconds - (double)whole)) };
    nanosleep(&time, NULL);
}

/* Resumes until it ends; `starts` counts them, and is one more than it was killed. Each start is
 * given more time than the last, so that one gets further, however busy the machine has become. */
static void run_among_kills(Scratch *scratch, Change *change, double longest, uint64_t *starts)
{
    pid_t child;
    do {
        child = start(scratch, change);
        sleep_for(longest * rng_uniform(rng_key(8, 0, RNG_WORDS), (*starts)++));
        kill(child, SIGKILL);
        longest *= 1.1;
    } while (wait_killed(child));
}

static void assert_same_files(const char *a, const char *b)
{
    Err e;
    Content one, other;
    if (content_read(&one, a, &e) || content_read(&other, b, &e)) fail_msg("%s", e.text);
    assert_int_equal(one.size, other.size);
    assert_memory_equal(one.data, other.data, one.size);
    content_free(&one);
    content_free(&other);
}

static void kill_runs(Scratch *scratch, Change *change)
{
    uint64_t starts = 0;
    const double begun = clock_seconds();
    assert_false(wait_killed(start(scratch, change)));
    const double whole = clock_seconds() - begun;
    char *model = strdup(scratch_path(scratch, "model"));
    char *expected = strdup(scratch_path(scratch, "expected"));
    assert_int_equal(rename(model, expected), 0);
    for (int runs = 1; starts < KILLS + (uint64_t)runs; runs++) {
        run_among_kills(scratch, change, whole, &starts);
        assert_same_files(model, expected);
        assert_int_equal(scratch_files(scratch), 2);
        unlink(model);
    }
    free(model);
    free(expected);
}

static void a_run_that_is_killed_at_any_moment_should_come_to_the_same_bytes(void **state)
{
    kill_runs(*state, change_nothing);
}

static void a_run_with_every_option_that_is_killed_should_come_to_the_same_bytes(void **state)
{
    kill_runs(*state, change_all);
}

static void a_run_with_the_defaults_that_is_killed_should_come_to_the_same_bytes(void **state)
{
    kill_runs(*state, change_to_defaults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(a_run_that_is_killed_at_any_moment_should_come_to_the_same_bytes),
        in_scratch(a_run_with_every_option_that_is_killed_should_come_to_the_same_bytes),
        in_scratch(a_run_with_the_defaults_that_is_killed_should_come_to_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
