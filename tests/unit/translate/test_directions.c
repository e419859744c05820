/* test_directions.c - a translator whose networks write in both directions, or all from right to left. */
#include "base/mem.h"
#include "translator_case.h"

#include <pthread.h>
#include <string.h>

enum { NETWORKS = 3 };

/* Three networks that have learned nothing; the last `right_left` write from right to left. */
static Case directed_case(Scratch *scratch, int right_left)
{
    Case c = translator_case_new(scratch);
    Model *m = &c.toy->model;
    for (int k = 1; k < NETWORKS; k++) {
        m->further[k - 1] = xaligned(m->table->size, sizeof(real));
        parameters_init(m->table, m->further[k - 1], (uint64_t)(100 + k));
    }
    m->right_left = right_left;
    return c;
}

static void assert_same_texts(const Translations *all, const Translations *others)
{
    const Translation *one = all->line, *other = others->line;
    for (int i = 0; i < LINES; i++) {
        assert_int_equal(one[i].count, other[i].count);
        for (int k = 0; k < one[i].count; k++)
            assert_string_equal(one[i].hypothesis[k].text, other[i].hypothesis[k].text);
    }
}

static int count_differences(const Translations *all, const Translations *others)
{
    const Translation *one = all->line, *other = others->line;
    int count = 0;
    for (int i = 0; i < LINES; i++)
        if (one[i].count) count += !!strcmp(one[i].hypothesis->text, other[i].hypothesis->text);
    return count;
}

static void a_translation_should_not_depend_on_how_lines_are_shared_out(void **state)
{
    Case c = directed_case(*state, 1);
    SearchOptions options = beam_of(3, 2, 64);
    Translations once = translate(&c, &options, 1);
    options.batch = 2;
    Translations parts = translate(&c, &options, 3);
    assert_same_texts(&once, &parts);
    for (int i = 0; i < LINES; i++)
        for (int k = 1; k < once.line[i].count; k++)
            assert_true(once.line[i].hypothesis[k].score <= once.line[i].hypothesis[k - 1].score);
    translations_free(&once);
    translations_free(&parts);
    translator_case_free(&c);
}

static void networks_from_right_to_left_should_take_part_in_beams_alone(void **state)
{
    const SearchOptions greedy = beam_of(1, 1, 64), beam = beam_of(5, 1, 64);
    SearchOptions drawn = beam_of(5, 2, 64);
    drawn.sample = 1;
    const SearchOptions *const options[] = { &greedy, &drawn, &beam };
    Case c = directed_case(*state, 1);
    for (int i = 0; i < 3; i++) {
        Model *m = &c.toy->model;
        real *last = m->further[NETWORKS - 2];
        Translations all = translate(&c, options[i], 1);
        m->further[NETWORKS - 2] = NULL;
        m->right_left = 0;
        Translations without = translate(&c, options[i], 1);
        m->further[NETWORKS - 2] = last;
        m->right_left = 1;
        if (options[i] != &beam) assert_same_texts(&all, &without);
        else assert_true(count_differences(&all, &without) > 0);
        translations_free(&all);
        translations_free(&without);
    }
    translator_case_free(&c);
}

/* The words of the same networks that write from left to right, in the other order. */
static void networks_that_all_write_from_right_to_left_should_be_read_backwards(void **state)
{
    Case c = directed_case(*state, 0);
    SearchOptions options = beam_of(3, 1, 64);
    options.attention = 1;
    Translations left = translate(&c, &options, 1);
    c.toy->model.right_left = NETWORKS;
    Translations right = translate(&c, &options, 1);
    int words = 0;
    for (int i = 0; i < LINES; i++)
        for (size_t s = 0; s < left.line[i].chunks; s++) {
            const Hypothesis *one = left.line[i].chunk[s].hypothesis, *other = right.line[i].chunk[s].hypothesis;
            const int source = left.line[i].chunk[s].source_length;
            const int end = one->length - (one->ids[one->length - 1] == ID_EOS);
            assert_int_equal(one->length, other->length);
            for (int t = 0; t < end; t++, words++) {
                assert_int_equal(one->ids[t], other->ids[end - 1 - t]);
                assert_true(one->log_probabilities[t] == other->log_probabilities[end - 1 - t]);
                assert_memory_equal(one->attention + t * source,
                                    other->attention + (end - 1 - t) * source,
                                    (size_t)source * sizeof *one->attention);
            }
        }
    assert_true(words > 0);
    translations_free(&left);
    translations_free(&right);
    translator_case_free(&c);
}

/* In each part of a search. */
static void a_run_that_is_stopped_should_give_nothing(void **state)
{
    enum { TIMES = 24, STEP = 300 };
    Case c = directed_case(*state, 1);
    Stopper stopper = { 0 };
    SearchOptions options = beam_of(5, 2, 64);
    options.stop = &stopper.stop;
    for (int i = 0; i < TIMES; i++) {
        pthread_t thread;
        stopper.microseconds = i * STEP;
        atomic_store(&stopper.stop, 0);
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stopper), 0);
        Translations out = translate(&c, &options, 1);
        pthread_join(thread, NULL);
        for (int k = 0; k < LINES; k++)     /* line 0 has no words */
            assert_int_equal(out.line[k].count > 0, k % 4 ? out.line[1].count > 0 : 0);
        translations_free(&out);
    }
    translator_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(a_translation_should_not_depend_on_how_lines_are_shared_out),
        in_scratch(networks_from_right_to_left_should_take_part_in_beams_alone),
        in_scratch(networks_that_all_write_from_right_to_left_should_be_read_backwards),
        in_scratch(a_run_that_is_stopped_should_give_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
