/* test_search.c - beam search against naive twins that know one thing only, network_loss: the
 * probability of a translation, computed afresh for every prefix, one sentence at a time. Other
 * options of a search are tested in test_search_rules.c, what its results must not depend on and numbers
 * that fail in test_search_batches.c.
 */
#include "search/expansion.h"
#include "search_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- naive twins ---- */

static int limit_of(const Sentence *source)
{
    return source->target_length + 2 * source->source_length + 10;
}

static int is_complete(const Sequence *s, const Sentence *source)
{
    return s->ids[s->length - 1] == ID_EOS || s->length == limit_of(source);
}

static double score_of(const Case *c, const Sequence *s)
{
    return s->log_probability / pow(s->length, c->options.normalize);
}

static int by_probability(const void *a, const void *b)
{
    const Sequence *x = a, *y = b;
    return (x->log_probability < y->log_probability) - (x->log_probability > y->log_probability);
}

/* Best score first; a selection sort of the first `most`. */
static void sort_by_score(const Case *c, Sequence *list, int count, int most)
{
    for (int k = 0; k < most && k < count; k++)
        for (int i = k + 1; i < count; i++)
            if (score_of(c, &list[i]) > score_of(c, &list[k])) {
                const Sequence kept = list[k];
                list[k] = list[i];
                list[i] = kept;
            }
}

static int unknowns_in(const int *ids, int length)
{
    int unknowns = 0;
    for (int i = 0; i < length; i++)
        unknowns += ids[i] == ID_UNK;
    return unknowns;
}

static int may_follow(const Case *c, const Sentence *source, const Sequence *prefix, int id)
{
    if (prefix->length < source->target_length) return id == source->target[prefix->length];
    if (id == ID_UNK && c->rules.copy)
        return unknowns_in(prefix->ids, prefix->length)
             < unknowns_in(source->source, source->source_length);
    return id != ID_PAD && id != ID_BOS;
}

/* All words that may follow: <unk>, <eos>, and those behind the special ones. */
static int extend_all(Case *c, const Sentence *source, const Sequence *prefix, Sequence *out)
{
    int count = 0;
    for (int id = 0; id < c->scorer.net.n.Vt; id++)
        if (may_follow(c, source, prefix, id)) out[count++] = extended(c, source, prefix, id);
    return count;
}

enum { MOST_WORDS = 12 };

/* How many of the best, sorted, are not by more than beam_threshold below the nbest-th. */
static int kept_by_threshold(const Case *c, const Sequence *best, int count)
{
    const int nbest = c->options.nbest;
    int kept = count;
    while (c->options.beam_threshold > 0 && kept > nbest
           && best[kept - 1].log_probability
                  < best[nbest - 1].log_probability - c->options.beam_threshold)
        kept--;
    return kept;
}

/* Beam search by its definition: extend all, keep the best; complete ones give up their place.
 * Returns how many. */
static int naive_beam(Case *c, const Sentence *source, Sequence *complete)
{
    Sequence alive[WIDEST] = { { .length = 0 } }, candidate[WIDEST * MOST_WORDS];
    int living = 1, completed = 0;
    while (living) {
        int candidates = 0, places = c->options.beam - completed;
        for (int i = 0; i < living; i++)
            candidates += extend_all(c, source, &alive[i], candidate + candidates);
        qsort(candidate, (size_t)candidates, sizeof *candidate, by_probability);
        living = 0;
        const int kept = kept_by_threshold(c, candidate, candidates < places ? candidates : places);
        for (int i = 0; i < kept; i++) {
            if (is_complete(&candidate[i], source)) complete[completed++] = candidate[i];
            else alive[living++] = candidate[i];
        }
    }
    sort_by_score(c, complete, completed, completed);
    return completed;
}

/* Every translation there is. Returns how many. */
static int enumerate(Case *c, const Sentence *source, const Sequence *prefix, Sequence *complete)
{
    Sequence next[MOST_WORDS];
    int count = 0, choices = extend_all(c, source, prefix, next);
    for (int i = 0; i < choices; i++) {
        if (is_complete(&next[i], source)) complete[count++] = next[i];
        else count += enumerate(c, source, &next[i], complete + count);
    }
    return count;
}

static void assert_hypothesis(const Case *c, const Hypothesis *h, const Sequence *expected)
{
    const double score = score_of(c, expected);
    assert_int_equal(h->length, expected->length);
    assert_memory_equal(h->ids, expected->ids, (size_t)expected->length * sizeof(int));
    assert_near(&(real){ (real)h->log_probability }, &expected->log_probability, 1, operations);
    assert_near(&(real){ (real)h->score }, &score, 1, operations);
}

static void assert_naive(Case *c)
{
    const int places = search_places(&c->options);
    Found a = search_all(c);
    for (int i = 0; i < SOURCES; i++) {
        Sequence expected[WIDEST];
        int count = naive_beam(c, &c->source[i], expected);
        assert_int_equal(a.count[i], count < places ? count : places);
        for (int k = 0; k < a.count[i]; k++)
            assert_hypothesis(c, hypothesis_at(&a, i, k), &expected[k]);
    }
}

static void check(const NetworkOptions *kind, SearchOptions options)
{
    Case c = case_of(kind, 9);
    c.scorer.w.output_bias[ID_EOS] = (real)1.5;        /* so that there are short and long ones */
    options.attention = options.probabilities = 1;
    c.options = options;
    assert_naive(&c);
    case_free(&c);
}

static const NetworkOptions one_layer = { .embedding = 4, .hidden = 3, .layers = 1, .bidirectional = 1 };
static const NetworkOptions two_layers = { .embedding = 4, .hidden = 3, .layers = 2, .bidirectional = 1 };

UNIT_TEST(greedy_and_beam_search_should_be_those_of_the_naive_twin)
{
    for (double normalize = 0; normalize <= 1; normalize += 0.5) {
        check(&one_layer, (SearchOptions){ .beam = 1, .nbest = 1, .normalize = normalize });
        check(&two_layers, (SearchOptions){ .beam = 1, .nbest = 1, .normalize = normalize });
        check(&one_layer, (SearchOptions){ .beam = 2, .nbest = 1, .normalize = normalize });
        check(&two_layers, (SearchOptions){ .beam = 3, .nbest = 3, .normalize = normalize });
        check(&two_layers, (SearchOptions){ .beam = WIDEST, .nbest = 2, .normalize = normalize });
        check(&one_layer, (SearchOptions){ .beam = WIDEST, .nbest = WIDEST, .normalize = normalize });
    }
}

UNIT_TEST(a_translation_should_begin_with_its_prefix)
{
    for (int beam = 1; beam <= WIDEST; beam += 2)
        for (int complete = 0; complete <= 1; complete++) {
            Case c = case_new(9, 2);
            give_prefix(&c, complete);
            c.options.beam = c.options.nbest = beam;
            assert_naive(&c);
            case_free(&c);
        }
}

/* Thresholds at which all, some and none of the hypotheses but the best are given up. With `extra` those that are left
 * beside the best are returned, too. */
UNIT_TEST(a_threshold_should_give_up_what_is_far_below)
{
    for (double threshold = 1.0 / 64; threshold < 16; threshold *= 1.7)
        for (int nbest = 1; nbest <= WIDEST; nbest += 2)
            check(&one_layer, (SearchOptions){ .beam = WIDEST, .nbest = nbest, .extra = (WIDEST - nbest) / 2,
                                               .beam_threshold = threshold, .normalize = 1 });
    for (int beam = 2; beam <= WIDEST; beam++)
        check(&one_layer, (SearchOptions){ .beam = beam, .nbest = 1, .extra = beam / 2, .normalize = 1 });
}

UNIT_TEST(a_search_should_see_its_own_words_where_the_decoder_attends_to_them)
{
    const NetworkOptions kinds[] = {
        { .embedding = 4, .hidden = 3, .layers = 1, .encoder = ENCODER_SELF_ATTENTION,
          .encoder_attention_layers = 1, .decoder_attention_layers = 2, .heads = 2 },
        { .embedding = 4, .hidden = 3, .layers = 1, .encoder = ENCODER_SELF_ATTENTION,
          .encoder_attention_layers = 1, .decoder = DECODER_SELF_ATTENTION,
          .decoder_attention_layers = 2, .heads = 2, .readout = READOUT_SIMPLE },
        { .embedding = 4, .hidden = 3, .layers = 1, .decoder = DECODER_SELF_ATTENTION,
          .decoder_attention_layers = 1, .heads = 4, .readout = READOUT_SIMPLE,
          .norm = NORM_PRE, .positions = POSITIONS_LEARNED, .attention_positions = 3 },
        { .embedding = 4, .hidden = 3, .layers = 1, .encoder = ENCODER_SELF_ATTENTION,
          .encoder_attention_layers = 1, .decoder = DECODER_SELF_ATTENTION, .decoder_attention_layers = 2,
          .heads = 2, .readout = READOUT_SIMPLE, .decoder_recurrence = RECURRENCE_SSRU, .zero_start = 1,
          .positions = POSITIONS_MARIAN, .source_end = SOURCE_END_NONE },
    };
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (int beam = 1; beam <= WIDEST; beam++)
            check(&kinds[kind], (SearchOptions){ .beam = beam, .nbest = beam, .normalize = 1 });
}

/* With <unk> and one word there are 2^12 - 1 translations of up to 12 words that end, and 2^12 that
 * the limit ends. */
UNIT_TEST(a_wide_beam_should_find_the_best_of_all_translations)
{
    enum { ALL = 8191, BEAM = 4200, BEST = 30 };
    const double normalize[] = { 0, 0.6, 1 };
    Case c = case_new(ID_SPECIALS + 1, 1);
    Sentence source = c.source[0];
    source.source = &(int){ ID_EOS };
    source.source_length = 1;
    c.scorer.w.output_bias[ID_EOS] = -2;       /* else all the best are short */
    Sequence *all = heap_take(&c.heap, ALL, sizeof *all);
    assert_int_equal(enumerate(&c, &source, &(Sequence){ .length = 0 }, all), ALL);
    c.options.beam = BEAM;
    c.options.nbest = BEST;
    for (size_t n = 0; n < sizeof normalize / sizeof *normalize; n++) {
        c.options.normalize = normalize[n];
        Found a = search(&c, &source, 1);
        sort_by_score(&c, all, ALL, BEST);
        assert_int_equal(a.count[0], BEST);
        for (int k = 0; k < BEST; k++)
            assert_hypothesis(&c, hypothesis_at(&a, 0, k), &all[k]);
    }
    case_free(&c);
}

/* Only <unk> and <eos> can be written: one translation of each length, and of the longest two. */
UNIT_TEST(all_translations_should_be_found_where_they_are_few)
{
    Case c = case_new(ID_SPECIALS + 1, 1);
    c.scorer.w.output_bias[ID_SPECIALS] = FORBIDDEN;
    c.options.beam = c.options.nbest = 40;
    Found a = search_all(&c);
    for (int i = 0; i < SOURCES; i++)
        assert_int_equal(a.count[i], limit_of(&c.source[i]) + 1);
    case_free(&c);
}

/* However probable: what must not be written, no end, the end alone. */
UNIT_TEST(extreme_probabilities_should_change_no_rule)
{
    static const struct { int id; real bias; } cases[] = {
        { ID_PAD, 20 }, { ID_BOS, 20 }, { ID_EOS, -100 }, { ID_EOS, 100 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c = case_new(9, 1);
        c.scorer.w.output_bias[cases[i].id] = cases[i].bias;
        c.options.beam = c.options.nbest = 3;
        assert_naive(&c);
        case_free(&c);
    }
}

/* ---- what is kept ---- */

static void assert_attends(const Sentence *source, const Hypothesis *f)
{
    for (int t = 0; t < f->length; t++) {
        const double one = 1;
        real sum = 0;
        for (int s = 0; s < source->source_length; s++) {
            const float alpha = f->attention[t * source->source_length + s];
            assert_true(alpha >= 0 && alpha <= 1);
            sum += (real)alpha;
        }
        /* stored as float, whatever real is */
        assert_all_near("sum of a row", &sum, &one, 1, 0, LONGEST * 0x1p-23, __FILE__, __LINE__);
    }
}

UNIT_TEST(attention_should_be_kept_only_if_it_is_wanted)
{
    Case c = case_new(9, 2);
    c.options.beam = c.options.nbest = 4;
    const Found with = search_all(&c);
    c.options.attention = 0;
    const Found without = search_all(&c);
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < with.count[i]; k++) {
            assert_attends(&c.source[i], hypothesis_at(&with, i, k));
            assert_null(hypothesis_at(&without, i, k)->attention);
            assert_true(hypothesis_same_ids(hypothesis_at(&without, i, k), hypothesis_at(&with, i, k)));
        }
    case_free(&c);
}

/* Greedy search returns 0 where it leaves probabilities out, so that nothing else is taken for
 * one. */
UNIT_TEST(translations_should_not_depend_on_whether_probabilities_are_asked_for)
{
    for (int beam = 1; beam <= 3; beam += 2) {
        Case c = case_new(11, 1);
        c.options.beam = beam;
        Found scored = search_all(&c);
        c.options.probabilities = 0;
        Found plain = search_all(&c);
        for (int i = 0; i < SOURCES; i++) {
            const Hypothesis *a = hypothesis_at(&plain, i, 0), *b = hypothesis_at(&scored, i, 0);
            assert_int_equal(a->length, b->length);
            assert_memory_equal(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
            assert_true(a->log_probability == (beam == 1 ? 0 : b->log_probability));
            assert_true(b->log_probability < 0);
        }
        case_free(&c);
    }
}

/* ---- copies ---- */

/* Source i gets i % 3 <unk>; the network would write nothing else. */
static Case case_of_unknowns(void)
{
    Case c = case_new(9, 1);
    for (int i = 0; i < SOURCES; i++) {
        int *ids = heap_take(&c.heap, LONGEST, sizeof *ids);
        for (int t = 0; t < LONGEST; t++)
            ids[t] = t < i % 3 ? ID_UNK : t == LONGEST - 1 ? ID_EOS : ID_SPECIALS + t;
        c.source[i].source = ids;
        c.source[i].source_length = LONGEST;
    }
    c.scorer.w.output_bias[ID_UNK] = 9;
    c.rules.copy = COPY_UNKNOWN;
    return c;
}

UNIT_TEST(no_more_unknowns_should_be_written_than_the_source_has)
{
    for (int beam = 1; beam <= WIDEST; beam++) {
        Case c = case_of_unknowns();
        c.options.beam = c.options.nbest = beam;
        assert_naive(&c);
        Found a = search_all(&c);
        for (int i = 0; i < SOURCES; i++)
            for (int k = 0; k < a.count[i]; k++) {
                const Hypothesis *f = hypothesis_at(&a, i, k);
                assert_in_range(unknowns_in(f->ids, f->length), beam == 1 ? i % 3 : 0, i % 3);
            }
        case_free(&c);
    }
}

UNIT_TEST(attention_should_be_kept_where_there_is_something_to_copy)
{
    Case c = case_of_unknowns();
    Found with = search_all(&c);
    c.options.attention = 0;
    Found without = search_all(&c);
    for (int i = 0; i < SOURCES; i++) {
        const Hypothesis *f = hypothesis_at(&without, i, 0);
        if (!(i % 3)) assert_null(f->attention);
        else assert_memory_equal(f->attention, hypothesis_at(&with, i, 0)->attention,
                                 (size_t)(f->length * LONGEST) * sizeof *f->attention);
    }
    case_free(&c);
}

int main(void) { return run_unit_tests(); }
