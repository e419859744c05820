/* test_hypothesis.c - the words of a hypothesis in the other order, and which word of the source each <unk> stands for. */
#include "search/hypothesis.h"
#include "test.h"
#include "text/tokenizer/tokenizer.h"

enum { UNK = ID_UNK, END = ID_EOS, WORD = ID_SPECIALS, MOST = 4 };

UNIT_TEST(a_hypothesis_should_be_reversed_with_all_that_is_known_of_its_words)
{
    int ids[] = { 7, 8, 9, ID_EOS };
    double p[] = { -1, -2, -3, -4 };
    float attention[] = { 0.1f, 0.9f, 0.2f, 0.8f, 0.3f, 0.7f, 0.4f, 0.6f };
    Alternative alternatives[] = { { 1, -1 }, { 2, -2 }, { 3, -3 }, { 4, -4 } };
    Hypothesis h = { .length = 4, .ids = ids, .log_probabilities = p, .attention = attention,
                     .alternatives = alternatives };
    hypothesis_reverse(&h, 2, 1);
    assert_memory_equal(ids, ((int[]){ 9, 8, 7, ID_EOS }), sizeof ids);
    assert_memory_equal(p, ((double[]){ -3, -2, -1, -4 }), sizeof p);
    assert_memory_equal(attention,
                        ((float[]){ 0.3f, 0.7f, 0.2f, 0.8f, 0.1f, 0.9f, 0.4f, 0.6f }),
                        sizeof attention);
    for (int i = 0; i < 4; i++)
        assert_int_equal(alternatives[i].id, ((int[]){ 3, 2, 1, 4 })[i]);
    h = (Hypothesis){ .length = 2, .ids = ids, .log_probabilities = p };
    hypothesis_reverse(&h, 2, 1);           /* without <eos>; nothing else is kept */
    assert_memory_equal(ids, ((int[]){ 8, 9, 7, ID_EOS }), sizeof ids);
}

/* The attention of each word to each of the source; expected: of each <unk>. */
typedef struct {
    CopyFrom from;
    int      source[MOST], source_length, ids[MOST], length;
    float    attention[MOST * MOST];
    int      expected[MOST], unknowns;
} Copying;

UNIT_TEST(an_unknown_should_stand_for_what_it_attends_to_most)
{
    static const Copying cases[] = {
        { COPY_UNKNOWN, { UNK, WORD, UNK, END }, 4, { UNK, WORD, UNK, END }, 4,
          { .1f, .6f, .2f, .1f,   0, 1, 0, 0,   .3f, .3f, .2f, .2f,   0, 0, 0, 1 }, { 2, 0 }, 2 },
        { COPY_UNKNOWN, { UNK, UNK, END }, 3, { UNK, UNK, UNK, END }, 4,                /* none twice */
          { .1f, .9f, 0,   .1f, .9f, 0,   .5f, .5f, 0,   0, 0, 1 }, { 1, 0, -1 }, 3 },
        { COPY_UNKNOWN, { WORD, UNK, UNK, END }, 4, { UNK, UNK }, 2,                    /* equal weights */
          { 1, 0, 0, 0,   1, 0, 0, 0 }, { 1, 2 }, 2 },
        { COPY_ANY, { WORD, UNK, END }, 3, { UNK, UNK, UNK, END }, 4,                   /* but the end */
          { .3f, .1f, .6f,   .9f, .1f, 0,   .1f, .2f, .7f,   0, 0, 1 }, { 0, 0, 1 }, 3 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Copying *c = &cases[i];
        const Hypothesis h = { .ids = (int *)c->ids, .length = c->length, .attention = (float *)c->attention };
        Region region = { 0 };
        assert_memory_equal(unknown_replacements(&h, c->source, c->source_length, c->from, &region), c->expected,
                            (size_t)c->unknowns * sizeof(int));
        region_free(&region);
    }
}

int main(void) { return run_unit_tests(); }
