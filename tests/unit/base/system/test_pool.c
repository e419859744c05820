/* test_pool.c - a team: every worker once a phase, each in its own thread, phases that never
 * overlap. */
#define _GNU_SOURCE
#include "base/error.h"
#include "base/mem.h"
#include "base/system/environment.h"
#include "base/system/pool.h"
#include "test.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 9 };      /* more than this machine may have cores */

/* What the workers write, each its own element; plain memory, for the pool makes it visible. */
typedef struct {
    int       workers;
    int       calls[MOST];
    pthread_t thread[MOST];
    long      front[MOST], back[MOST];
} Notes;

static void note_call(void *context, int worker)
{
    Notes *n = context;
    n->calls[worker]++;
    n->thread[worker] = pthread_self();
}

UNIT_TEST(every_worker_should_run_once_in_a_thread_of_its_own)
{
    for (int workers = 1; workers <= MOST; workers++) {
        Notes n = { .workers = workers };
        Pool *pool = pool_new(workers);
        assert_int_equal(pool_workers(pool), workers);
        pool_run(pool, note_call, &n);
        assert_true(pthread_equal(n.thread[0], pthread_self()));
        for (int i = 0; i < MOST; i++) {
            assert_int_equal(n.calls[i], i < workers);
            for (int j = 0; j < i && i < workers; j++)
                assert_false(pthread_equal(n.thread[i], n.thread[j]));
        }
        pool_free(pool);
    }
}

/* Both phases read what the neighbour wrote in the phase before, and overwrite what it read
 * then. */
static void step_forth(void *context, int worker)
{
    Notes *n = context;
    n->back[worker] = n->front[(worker + 1) % n->workers] + 1;
}

static void step_back(void *context, int worker)
{
    Notes *n = context;
    n->front[worker] = n->back[(worker + 1) % n->workers] + 1;
}

UNIT_TEST(a_phase_should_begin_when_all_workers_have_ended_the_one_before)
{
    enum { ROUNDS = 1000 };
    const int teams[] = { 1, 2, 3, MOST };
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        Notes n = { .workers = teams[i] };
        Pool *pool = pool_new(teams[i]);
        for (long round = 1; round <= ROUNDS; round++) {
            pool_run(pool, step_forth, &n);
            for (int w = 0; w < teams[i]; w++)
                assert_int_equal(n.back[w], 2 * round - 1);
            pool_run(pool, step_back, &n);
            for (int w = 0; w < teams[i]; w++)
                assert_int_equal(n.front[w], 2 * round);
        }
        pool_free(pool);
    }
}

static void pause_milliseconds(long milliseconds)
{
    nanosleep(&(struct timespec){ .tv_nsec = milliseconds * 1000000 }, NULL);
}

static void be_slow(void *context, int worker)
{
    if (worker == 1) pause_milliseconds(20);
    note_call(context, worker);
}

/* Long enough for both sides of the team to give up spinning and sleep. */
UNIT_TEST(sleepers_should_wake_up)
{
    Notes n = { .workers = 2 };
    Pool *pool = pool_new(2);
    for (int phase = 1; phase <= 5; phase++) {
        pause_milliseconds(20);
        pool_run(pool, be_slow, &n);
        assert_int_equal(n.calls[0], phase);
        assert_int_equal(n.calls[1], phase);
    }
    pool_free(pool);
}

UNIT_TEST(a_team_without_work_should_end)
{
    for (int i = 0; i < 100; i++)
        pool_free(pool_new(1 + i % MOST));
    pool_free(NULL);
    Pool *pool = pool_new(0);
    assert_int_equal(pool_workers(pool), pool_cores());
    pool_free(pool);
}

UNIT_TEST(cores_should_be_those_that_the_process_may_use)
{
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(pool_cores(), fmin(CPU_COUNT(&all), ceil(control_group_limits("").cores)));
    int first = 0;
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    int cores = pool_cores();
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_int_equal(cores, 1);
}

static void die_of_some(void *context, int worker)
{
    note_call(context, worker);
    if (worker != 1) die("worker %d is tired", worker);
}

typedef struct {
    Pool *pool;
    Notes notes;
} Tired;

static void run_tired(void *context)
{
    Tired *t = context;
    t->notes.workers = 3;
    t->pool = pool_new(3);
    pool_run(t->pool, note_call, &t->notes);
    pool_run(t->pool, die_of_some, &t->notes);
    fail();
}

UNIT_TEST(in_a_mem_a_task_that_dies_should_end_the_run_when_all_have_ended)
{
    Err e;
    Tired t = { .pool = NULL };
    Mem *mem = mem_new();
    assert_int_equal(mem_try(mem, run_tired, &t, &e), -1);
    assert_non_null(strstr(e.text, " is tired"));
    for (int i = 0; i < 3; i++)
        assert_int_equal(t.notes.calls[i], 2);
    mem_free(mem);          /* ends its threads */
}

UNIT_TEST(in_a_child_a_team_should_be_freed_without_its_threads)
{
    int status;
    Pool *team = pool_new(3), *alone = pool_new(1);
    assert_true(pool_is_whole(team));
    const pid_t child = fork();
    if (!child) {
        const int is_known = !pool_is_whole(team) && pool_is_whole(alone);
        pool_free(team);
        pool_free(alone);
        _exit(is_known);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    pool_free(team);
    pool_free(alone);
}

int main(void) { return run_unit_tests(); }
