/* test_copies_in_search.c - placeholders in the translations of a network that has learned nothing.
 * */
#include "search_case.h"

#include "text/copies.h"

/* The source has SOURCE words; so many words of a translation wait for its copies
 * (forbidden_words.h). */
enum { SOURCE = 60, PATIENCE = SOURCE + SOURCE / 4 + 4 };

enum { WORDS = ID_SPECIALS + PLACEHOLDERS + 8, FIRST_WORD = ID_SPECIALS + PLACEHOLDERS };

/* The results for a source with placeholders 0, 9 and 2; max_length_ratio 10 leaves room. */
static SearchResult searched(Case *c, int strict)
{
    int ids[SOURCE];
    for (int i = 0; i < SOURCE; i++)
        ids[i] = FIRST_WORD + i % 8;
    ids[1] = ID_SPECIALS;
    ids[2] = ID_SPECIALS + 9;
    ids[7] = ID_SPECIALS + 2;
    ids[SOURCE - 1] = ID_EOS;
    const Sentence source = { .source = ids, .source_length = SOURCE };
    const SearchRules rules = { .options = &c->options, .copy = c->copy, .placeholders = 1 };
    c->options.strict_copies = strict;
    SearchResult r = { .count = 1, .places = c->options.nbest };
    r.best = xcalloc((size_t)r.places, sizeof *r.best);
    r.counts = xcalloc(1, sizeof *r.counts);
    search_run(r.best, r.counts, &c->scorer, 1, &source, 1, &rules, &c->arena);
    return r;
}

/* How many hypotheses end in time, and how many of these have each placeholder of the source once;
 * none has another one, or one twice. */
static void count_copies(const SearchResult *r, int *ended, int *complete)
{
    for (int k = 0; k < r->counts[0]; k++) {
        const Hypothesis *h = hypothesis_at(r, 0, k);
        int seen[PLACEHOLDERS] = { 0 };
        for (int i = 0; i < h->length; i++)
            if (placeholder_bit(h->ids[i])) seen[h->ids[i] - ID_SPECIALS]++;
        for (int i = 0; i < PLACEHOLDERS; i++)
            assert_true(seen[i] <= (i == 0 || i == 9 || i == 2));
        const int is_ended = h->ids[h->length - 1] == ID_EOS && h->length <= PATIENCE;
        *ended += is_ended;
        *complete += is_ended && seen[0] && seen[9] && seen[2];
    }
}

/* Searches with many seeds of the network; strict: no translation ends without all placeholders. */
static void run_all(int beam, int sample, int strict, int *ended, int *complete)
{
    for (int round = 0; round < 5; round++) {
        const NetworkOptions network = { .embedding = 4, .hidden = 3 + round, .layers = 1,
                                         .bidirectional = 1 };
        Case c = case_of(&network, WORDS);
        c.options.beam = c.options.nbest = beam;
        c.options.sample = sample;
        c.options.sampling = (Sampling){ .temperature = 1, .top_p = 1 };
        c.options.max_length_ratio = 10;
        SearchResult r = searched(&c, strict);
        count_copies(&r, ended, complete);
        result_free(&r);
        case_free(&c);
    }
}

static void a_strict_translation_should_have_each_placeholder_once(void **state)
{
    (void)state;
    for (int beam = 1; beam <= 4; beam++)
        for (int sample = 0; sample < 2; sample++) {
            int ended = 0, complete = 0;
            run_all(beam, sample, 1, &ended, &complete);
            assert_int_equal(ended, complete);
            assert_true(!sample || ended > 0);
        }
}

static void another_may_end_without_them(void **state)
{
    (void)state;
    int ended = 0, complete = 0;
    run_all(4, 1, 0, &ended, &complete);
    assert_true(ended > complete);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strict_translation_should_have_each_placeholder_once),
        cmocka_unit_test(another_may_end_without_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
