/* test_batch_slices.c - slices cover all sentences once, and one worker gets each. */
#include "model/batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SENTENCES = 23, MOST = 4 };

static void make_sentences(Sentence *sentences)
{
    static const int ids[SENTENCES] = { 0 };
    for (int i = 0; i < SENTENCES; i++)
        sentences[i] = (Sentence){ ids, ids, SENTENCES - i, SENTENCES - i, i };
}

static void slices_should_cover_all_sentences_once(void **state)
{
    (void)state;
    Sentence sentences[SENTENCES];
    BatchSlices s;
    int next = 0;
    make_sentences(sentences);
    batch_slices_init(&s, sentences, SENTENCES, MOST);
    for (int i = 0; i < s.count; i++) {
        assert_int_equal(s.slice[i].first, next);
        assert_true(s.slice[i].count >= 1 && s.slice[i].count <= MOST);
        next += s.slice[i].count;
    }
    assert_int_equal(next, SENTENCES);
    batch_slices_free(&s);
}

static void no_sentences_should_be_no_slices(void **state)
{
    (void)state;
    BatchSlices s;
    batch_slices_init(&s, NULL, 0, MOST);
    assert_int_equal(s.count, 0);
    batch_slices_free(&s);
}

typedef struct {
    atomic_int times[SENTENCES];
    atomic_int stop;
    int        stop_at;         /* slice that asks to stop; -1: none */
    int        workers;
} Log;

static void count(void *context, int worker, int slice)
{
    Log *log = context;
    const int is_worker = worker >= 0 && worker < log->workers;
    atomic_fetch_add(&log->times[slice], is_worker ? 1 : 2);
    if (slice == log->stop_at) atomic_store(&log->stop, 1);
}

/* Slices done; each at most once. */
static int run(int workers, int stop_at)
{
    Log log = { .stop_at = stop_at, .workers = workers };
    Sentence sentences[SENTENCES];
    BatchSlices s;
    int done = 0;
    Pool *pool = pool_new(workers);
    make_sentences(sentences);
    batch_slices_init(&s, sentences, SENTENCES, MOST);
    batch_slices_run(&s, pool, stop_at < 0 ? NULL : &log.stop, count, &log);
    for (int i = 0; i < s.count; i++) {
        assert_in_range(log.times[i], 0, 1);
        done += log.times[i];
    }
    if (stop_at < 0) assert_int_equal(done, s.count);
    batch_slices_free(&s);
    pool_free(pool);
    return done;
}

static void each_slice_should_be_done_once(void **state)
{
    (void)state;
    for (int workers = 1; workers <= 9; workers++)
        run(workers, -1);
}

static void no_slice_should_be_begun_after_a_request_to_stop(void **state)
{
    (void)state;
    assert_int_equal(run(1, 0), 1);
    assert_int_equal(run(1, 2), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_should_cover_all_sentences_once),
        cmocka_unit_test(no_sentences_should_be_no_slices),
        cmocka_unit_test(each_slice_should_be_done_once),
        cmocka_unit_test(no_slice_should_be_begun_after_a_request_to_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
