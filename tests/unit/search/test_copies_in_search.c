/* test_copies_in_search.c - placeholders in the translations of a network that has learned nothing.
 * */
#include "search_case.h"

#include "text/copies.h"

enum { SOURCE = 60, WORDS = ID_SPECIALS + PLACEHOLDERS + 8, FIRST_WORD = ID_SPECIALS + PLACEHOLDERS };

/* The results for a source with placeholders 0, 9 and 2; max_length_ratio 10 leaves room. */
static SearchResult searched(Case *c)
{
    int ids[SOURCE];
    for (int i = 0; i < SOURCE; i++)
        ids[i] = FIRST_WORD + i % 8;
    ids[1] = ID_SPECIALS;
    ids[2] = ID_SPECIALS + 9;
    ids[7] = ID_SPECIALS + 2;
    ids[SOURCE - 1] = ID_EOS;
    const Sentence source = { .source = ids, .source_length = SOURCE };
    const SearchRules rules = { .options = &c->options, .copy = c->copy, .placeholders = 1,
                                .length_limit = { .ratio = 10 } };
    SearchResult r = { .count = 1, .places = c->options.nbest };
    r.best = xcalloc((size_t)r.places, sizeof *r.best);
    r.counts = xcalloc(1, sizeof *r.counts);
    search_run(r.best, r.counts, &c->scorer, 1, &source, 1, &rules, &c->arena);
    return r;
}

/* Those of the source, once at most; returns how many there are. */
static int check_copies(const SearchResult *r)
{
    int copies = 0;
    for (int k = 0; k < r->counts[0]; k++) {
        const Hypothesis *h = hypothesis_at(r, 0, k);
        int seen[PLACEHOLDERS] = { 0 };
        for (int i = 0; i < h->length; i++)
            if (placeholder_bit(h->ids[i])) seen[h->ids[i] - ID_SPECIALS]++;
        for (int i = 0; i < PLACEHOLDERS; i++)
            assert_true(seen[i] <= (i == 0 || i == 9 || i == 2));
        copies += seen[0] + seen[9] + seen[2];
    }
    return copies;
}

/* Searches with many seeds of the network. */
static int run_all(int beam, int sample)
{
    int copies = 0;
    for (int round = 0; round < 5; round++) {
        const NetworkOptions network = { .embedding = 4, .hidden = 3 + round, .layers = 1,
                                         .bidirectional = 1 };
        Case c = case_of(&network, WORDS);
        c.options.beam = c.options.nbest = beam;
        c.options.sample = sample;
        c.options.sampling = (Sampling){ .temperature = 1, .top_p = 1 };
        SearchResult r = searched(&c);
        copies += check_copies(&r);
        result_free(&r);
        case_free(&c);
    }
    return copies;
}

static void placeholders_should_be_those_of_the_source_each_once(void **state)
{
    (void)state;
    int copies = 0;
    for (int beam = 1; beam <= 4; beam++)
        for (int sample = 0; sample < 2; sample++)
            copies += run_all(beam, sample);
    assert_true(copies > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placeholders_should_be_those_of_the_source_each_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
