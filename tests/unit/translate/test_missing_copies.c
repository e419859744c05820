/* test_missing_copies.c - copies that a translation lacks, with a search that gives each target a
 * probability by a rule.
 */
#include "base/mem.h"
#include "scratch.h"
#include "text/tokenizer/tokenizer.h"
#include "translate/missing_copies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 50, LONGEST = 16 };

/* A source of two copies, which are the ids `copy`. What the search says: the place where each copy is
 * probable; the hypothesis that waits, and its log-probability; whether there are numbers. */
typedef struct {
    Finder      finder;
    Chunk       chunk;
    Chunk      *chunks[1];
    SearchOptions options;
    Sentence    sentence;
    int         source[3], copy[2];
    int         place[2];
    int         waited[LONGEST], waited_length;
    double      of_waited, of_others;
    int         searches;
} World;

static Hypothesis hypothesis_of(const int *ids, int length, double log_probability)
{
    Hypothesis h = { .length = length, .ids = xmalloc((size_t)length, sizeof *h.ids),
                     .log_probability = log_probability };
    memcpy(h.ids, ids, (size_t)length * sizeof *ids);
    h.score = log_probability / pow(length, 2);
    return h;
}

/* The farther a copy is from its place the less probable is a target. */
static double value_of(const World *w, const Sentence *s)
{
    double value = w->of_others;
    const int is_waited = s->target_length == w->waited_length
                          && !memcmp(s->target, w->waited, (size_t)s->target_length * sizeof *s->target);
    if (is_waited) return w->of_waited;
    for (int i = 0; i < s->target_length; i++)
        for (int c = 0; c < 2; c++)
            if (s->target[i] == w->copy[c]) value -= abs(i - w->place[c]);
    return value;
}

static Found by_rule(const Finder *finder, const Sentence *sentence, int count, const SearchOptions *options)
{
    World *w = (World *)(uintptr_t)finder;
    Found found = { sentence, count, options->nbest, NULL, NULL };
    found.best = xcalloc((size_t)(count * options->nbest), sizeof *found.best);
    found.best_count = xcalloc((size_t)count, sizeof *found.best_count);
    w->searches++;
    for (int i = 0; i < count; i++) {
        const int is_target = sentence[i].target_length
                              && sentence[i].target[sentence[i].target_length - 1] == ID_EOS;
        assert_true(is_target ? !options->sample && options->probabilities == PROBABILITIES_EXACT
                              : options->strict_copies);
        found.best_count[i] = 1;
        found.best[i * options->nbest] = is_target
            ? hypothesis_of(sentence[i].target, sentence[i].target_length, value_of(w, &sentence[i]))
            : hypothesis_of(w->waited, w->waited_length, w->of_waited);
    }
    return found;
}

static void world_init(World *w)
{
    *w = (World){ .options = { .beam = 5, .nbest = 1, .normalize = 2, .strict_copies = 1, .sample = 1,
                                  .probabilities = PROBABILITIES_NONE },
                     .of_waited = -9 };
    for (int c = 0; c < 2; c++) {
        copies_add(&w->chunk.copies, c ? "8" : "7", 1, COPY_NUMBER);
        w->copy[c] = w->source[c] = ID_SPECIALS + placeholder_number(c, COPY_NUMBER);
    }
    w->source[2] = ID_EOS;
    w->chunk.source_ids = w->source;
    w->chunk.source_length = 3;
    w->chunks[0] = &w->chunk;
    w->sentence = (Sentence){ .source = w->source, .source_length = 3 };
    w->finder = (Finder){ by_rule, w->chunks, &w->options, 1 };
    w->waited_length = 5;
    memcpy(w->waited, (int[]){ WORD, w->copy[1], WORD, w->copy[0], ID_EOS }, 5 * sizeof *w->waited);
}

/* The translation that has been found becomes the one that is expected. */
static void assert_completed(World *w, const int *found, const int *expected)
{
    int length = 0, expected_length = 0;
    while (found[length++] != ID_EOS) continue;
    while (expected[expected_length++] != ID_EOS) continue;
    Found f = { &w->sentence, 1, 1, xcalloc(1, sizeof *f.best), xcalloc(1, sizeof *f.best_count) };
    f.best[0] = hypothesis_of(found, length, -1);
    f.best_count[0] = 1;
    missing_copies_complete(&w->finder, &f);
    assert_int_equal(f.best[0].length, expected_length);
    assert_memory_equal(f.best[0].ids, expected, (size_t)expected_length * sizeof *expected);
    found_free(&f);
    copies_free(&w->chunk.copies);
}

static void copies_should_be_put_in_where_they_are_most_probable(void **state)
{
    (void)state;
    World w;
    for (int at = 1; at <= 3; at++) {
        world_init(&w);
        w.place[1] = at;
        int expected[] = { w.copy[0], WORD, WORD + 1, ID_EOS, ID_EOS };
        memmove(expected + at + 1, expected + at, (size_t)(4 - at) * sizeof *expected);
        expected[at] = w.copy[1];
        assert_completed(&w, (int[]){ WORD, WORD + 1, ID_EOS }, expected);
    }
    world_init(&w);
    w.place[1] = 9;                                     /* not behind <eos> */
    assert_completed(&w, (int[]){ WORD, w.copy[0], ID_EOS },
                     (int[]){ WORD, w.copy[0], w.copy[1], ID_EOS });
}

static void a_prefix_should_stay_in_front(void **state)
{
    (void)state;
    World w;
    world_init(&w);
    const int prefix[] = { WORD, WORD + 1 };
    w.sentence.target = prefix;
    w.sentence.target_length = 2;
    assert_completed(&w, (int[]){ WORD, WORD + 1, w.copy[1], ID_EOS },
                     (int[]){ WORD, WORD + 1, w.copy[0], w.copy[1], ID_EOS });
}

/* By the sum, whatever the length. */
static void what_waited_should_be_taken_where_it_is_more_probable(void **state)
{
    (void)state;
    World w;
    for (int is_more = 0; is_more < 2; is_more++) {
        world_init(&w);
        w.of_others = -10;
        w.of_waited = is_more ? -9.9 : -10.1;
        w.place[1] = 1;
        const int waited[] = { WORD, w.copy[1], WORD, w.copy[0], ID_EOS };
        const int put_in[] = { w.copy[0], w.copy[1], WORD, ID_EOS };
        assert_completed(&w, (int[]){ WORD, ID_EOS }, is_more ? waited : put_in);
    }
}

static void without_numbers_what_waited_should_be_taken(void **state)
{
    (void)state;
    World w;
    for (int scores = 0; scores < 2; scores++) {
        world_init(&w);
        w.finder.scores = scores;
        w.of_others = scores ? NAN : 0;
        assert_completed(&w, (int[]){ WORD, ID_EOS },
                         (int[]){ WORD, w.copy[1], WORD, w.copy[0], ID_EOS });
    }
}

/* One that the limit of the length ended has no place for more. */
static void what_has_no_end_should_give_way_to_what_waited(void **state)
{
    (void)state;
    World w;
    world_init(&w);
    Found f = { &w.sentence, 1, 1, xcalloc(1, sizeof *f.best), xcalloc(1, sizeof *f.best_count) };
    f.best[0] = hypothesis_of((int[]){ WORD, WORD }, 2, -1);
    f.best_count[0] = 1;
    missing_copies_complete(&w.finder, &f);
    assert_int_equal(f.best[0].length, w.waited_length);
    assert_memory_equal(f.best[0].ids, w.waited, (size_t)w.waited_length * sizeof *w.waited);
    found_free(&f);
    copies_free(&w.chunk.copies);
}

/* What is put in has a score of its own, and each place costs a translation. */
static void of_several_or_long_ones_those_that_waited_should_be_taken(void **state)
{
    (void)state;
    World w;
    int id[80];
    world_init(&w);
    for (int i = 0; i < 80; i++)
        id[i] = i < 79 ? WORD : ID_EOS;
    w.of_others = 0;
    assert_completed(&w, id, (int[]){ WORD, w.copy[1], WORD, w.copy[0], ID_EOS });
    world_init(&w);
    w.options.nbest = 2;
    w.of_others = 0;
    Found f = { &w.sentence, 1, 2, xcalloc(2, sizeof *f.best), xcalloc(1, sizeof *f.best_count) };
    f.best[0] = hypothesis_of((int[]){ WORD, ID_EOS }, 2, -1);
    f.best_count[0] = 1;
    missing_copies_complete(&w.finder, &f);
    assert_int_equal(f.best[0].length, w.waited_length);
    found_free(&f);
    copies_free(&w.chunk.copies);
}

static void nothing_should_be_searched_for_where_nothing_is_missing(void **state)
{
    (void)state;
    World w;
    world_init(&w);
    int prefix[] = { WORD, ID_EOS };
    assert_completed(&w, (int[]){ w.copy[1], w.copy[0], ID_EOS }, (int[]){ w.copy[1], w.copy[0], ID_EOS });
    world_init(&w);
    w.chunk.prefix_ids = prefix;
    w.chunk.prefix_length = 2;
    assert_completed(&w, prefix, prefix);
    assert_int_equal(w.searches, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_should_be_put_in_where_they_are_most_probable),
        cmocka_unit_test(a_prefix_should_stay_in_front),
        cmocka_unit_test(what_waited_should_be_taken_where_it_is_more_probable),
        cmocka_unit_test(without_numbers_what_waited_should_be_taken),
        cmocka_unit_test(what_has_no_end_should_give_way_to_what_waited),
        cmocka_unit_test(of_several_or_long_ones_those_that_waited_should_be_taken),
        cmocka_unit_test(nothing_should_be_searched_for_where_nothing_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
