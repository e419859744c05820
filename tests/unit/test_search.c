/* test_search.c - beam search against naive twins that know one thing only, network_loss: the probability of a
 * translation, computed afresh for every prefix, one sentence at a time.
 */
#include "base/mem.h"
#include "model/network.h"
#include "model/word_memos.h"
#include "nn/gemm.h"
#include "random_pairs.h"
#include "train/evaluation.h"
#include "translate/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A log-probability is a sum over up to 22 words, each out of some ten layers and steps with sums up to 16 long. */
static const double operations = 22 * 160;

enum { SOURCES = 6, LONGEST = 4, LIMIT = 2 * LONGEST + 10 };

/* ---- a network and its sources ---- */

typedef struct {
    Heap            heap;
    Member          member;
    ParameterTable *table;
    Pairs           pairs;
    Sentence        source[SOURCES];
    SearchRules     rules;
    Arena           arena;
} Case;

static Case case_of(const NetworkOptions *options, int words)
{
    Case c = { .member.net = net_new(options, words, words), .table = parameters_new(options, words, words) };
    c.member.w = weights_at(c.table, heap_random(&c.heap, c.table->size));
    c.pairs = random_pairs(&c.heap, 5, SOURCES, LONGEST, words);
    for (int i = 0; i < SOURCES; i++) {
        c.source[i] = sentence_view(&c.pairs, i, 0);
        c.source[i].target = NULL;
        c.source[i].target_length = 0;
    }
    c.rules = (SearchRules){ .beam = 1, .nbest = 1, .normalize = 1, .begin = ID_BEGIN, .end = ID_END,
                             .unknown = ID_UNKNOWN, .first_word = ID_SPECIALS, .ratio = 2, .attention = 1 };
    return c;
}

static Case case_new(int words, int layers)
{
    const NetworkOptions options = { .embedding = 4, .hidden = 3, .layers = layers, .bidirectional = 1 };
    return case_of(&options, words);
}

static void case_free(Case *c)
{
    arena_free(&c->arena);
    parameters_free(c->table);
    heap_free(&c->heap);
}

/* What search_run has found for `count` sources. */
typedef struct { Found *found; int *how_many, count, nbest; } Answer;

static Answer search(const Case *c, const Sentence *sources, int count)
{
    Answer a = { xcalloc((size_t)(count * c->rules.nbest), sizeof *a.found), xcalloc((size_t)count, sizeof *a.how_many),
                 count, c->rules.nbest };
    Arena arena = { 0 };
    search_run(a.found, a.how_many, &c->member, 1, sources, count, &c->rules, &arena);
    arena_free(&arena);
    return a;
}

static Found *found_at(const Answer *a, int source, int k)
{
    assert_true(k < a->how_many[source]);
    return &a->found[source * a->nbest + k];
}

static void answer_free(Answer *a)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->how_many[i]; k++)
            found_free(found_at(a, i, k));
    free(a->found);
    free(a->how_many);
}

/* ---- naive twins ---- */

typedef struct { int ids[LIMIT], length; double log_probability; } Sequence;

/* log P(ids | source), whether they end in <eos> or not. */
static double log_probability(Case *c, const Sentence *source, const int *ids, int length)
{
    Sentence sentence = *source;
    sentence.target = ids;
    sentence.target_length = length;
    const BatchSize size = batch_size(&sentence, 1);
    Batch batch;
    arena_reserve(&c->arena, batch_measure(size) + network_measure(&c->member.net, size, 0));
    batch_build(&batch, &c->arena, &sentence, 1, ID_BEGIN);
    return -network_loss(&c->member.net, &c->member.w, &batch, 0, &c->arena).plain;
}

static int limit_of(const Sentence *source)
{
    return 2 * source->source_length + 10;
}

static int is_complete(const Sequence *s, const Sentence *source)
{
    return s->ids[s->length - 1] == ID_END || s->length == limit_of(source);
}

static Sequence extended(Case *c, const Sentence *source, const Sequence *prefix, int id)
{
    Sequence s = *prefix;
    s.ids[s.length++] = id;
    s.log_probability = log_probability(c, source, s.ids, s.length);
    return s;
}

static double score_of(const Case *c, const Sequence *s)
{
    return s->log_probability / pow(s->length, c->rules.normalize);
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
        unknowns += ids[i] == ID_UNKNOWN;
    return unknowns;
}

static int may_follow(const Case *c, const Sentence *source, const Sequence *prefix, int id)
{
    if (id == ID_UNKNOWN && c->rules.copies)
        return unknowns_in(prefix->ids, prefix->length) < unknowns_in(source->source, source->source_length);
    return id != ID_PAD && id != ID_BEGIN;
}

/* All words that may follow: <unk>, <eos>, and those behind the special ones. */
static int extend_all(Case *c, const Sentence *source, const Sequence *prefix, Sequence *out)
{
    int count = 0;
    for (int id = 0; id < c->member.net.n.Vt; id++)
        if (may_follow(c, source, prefix, id)) out[count++] = extended(c, source, prefix, id);
    return count;
}

enum { WIDEST = 5, MOST_WORDS = 12 };

/* Beam search as it is told: extend all, keep the best, complete ones give up their place. Returns how many. */
static int naive_beam(Case *c, const Sentence *source, Sequence *complete)
{
    Sequence alive[WIDEST] = { { .length = 0 } }, candidate[WIDEST * MOST_WORDS];
    int living = 1, completed = 0;
    while (living) {
        int candidates = 0, places = c->rules.beam - completed;
        for (int i = 0; i < living; i++)
            candidates += extend_all(c, source, &alive[i], candidate + candidates);
        qsort(candidate, (size_t)candidates, sizeof *candidate, by_probability);
        living = 0;
        for (int i = 0; i < candidates && i < places; i++) {
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

static void assert_found(const Case *c, const Found *found, const Sequence *expected)
{
    const double score = score_of(c, expected);
    assert_int_equal(found->length, expected->length);
    assert_memory_equal(found->ids, expected->ids, (size_t)expected->length * sizeof(int));
    assert_near(&(real){ (real)found->log_probability }, &expected->log_probability, 1, operations);
    assert_near(&(real){ (real)found->score }, &score, 1, operations);
}

static void assert_naive(Case *c)
{
    const int nbest = c->rules.nbest;
    Answer a = search(c, c->source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        Sequence expected[WIDEST];
        int count = naive_beam(c, &c->source[i], expected);
        assert_int_equal(a.how_many[i], count < nbest ? count : nbest);
        for (int k = 0; k < a.how_many[i]; k++)
            assert_found(c, found_at(&a, i, k), &expected[k]);
    }
    answer_free(&a);
}

static void check_beam(int beam, int nbest, int layers, double normalize)
{
    Case c = case_new(9, layers);
    c.member.w.output_bias[ID_END] = (real)1.5;        /* so that there are short and long ones */
    c.rules.beam = beam;
    c.rules.nbest = nbest;
    c.rules.normalize = normalize;
    assert_naive(&c);
    case_free(&c);
}

static void greedy_and_beam_search_should_be_those_of_the_naive_twin(void **state)
{
    (void)state;
    for (double normalize = 0; normalize <= 1; normalize += 0.5) {
        check_beam(1, 1, 1, normalize);
        check_beam(1, 1, 2, normalize);
        check_beam(2, 1, 1, normalize);
        check_beam(3, 3, 2, normalize);
        check_beam(WIDEST, 1, 1, normalize);
        check_beam(WIDEST, 2, 2, normalize);
        check_beam(WIDEST, WIDEST, 1, normalize);
    }
}

static void a_search_should_see_its_own_words_where_the_decoder_attends_to_them(void **state)
{
    (void)state;
    const NetworkOptions options = { .embedding = 4, .hidden = 3, .layers = 1, .encoder = ENCODER_SELF_ATTENTION,
                                     .encoder_attention_layers = 1, .decoder_attention_layers = 2, .heads = 2 };
    for (int beam = 1; beam <= WIDEST; beam++) {
        Case c = case_of(&options, 9);
        c.member.w.output_bias[ID_END] = (real)1.5;
        c.rules.beam = c.rules.nbest = beam;
        assert_naive(&c);
        case_free(&c);
    }
}

/* With <unk> and one word there are 2^12 - 1 translations of up to 12 words that end, and 2^12 that the limit ends. */
static void a_wide_beam_should_find_the_best_of_all_translations(void **state)
{
    (void)state;
    enum { ALL = 8191, BEAM = 4200, BEST = 30 };
    const double normalize[] = { 0, 0.6, 1 };
    Case c = case_new(ID_SPECIALS + 1, 1);
    Sentence source = c.source[0];
    source.source = &(int){ ID_END };
    source.source_length = 1;
    c.member.w.output_bias[ID_END] = -2;       /* else all the best are short */
    Sequence *all = heap_take(&c.heap, ALL, sizeof *all);
    assert_int_equal(enumerate(&c, &source, &(Sequence){ .length = 0 }, all), ALL);
    c.rules.beam = BEAM;
    c.rules.nbest = BEST;
    for (size_t n = 0; n < sizeof normalize / sizeof *normalize; n++) {
        c.rules.normalize = normalize[n];
        Answer a = search(&c, &source, 1);
        sort_by_score(&c, all, ALL, BEST);
        assert_int_equal(a.how_many[0], BEST);
        for (int k = 0; k < BEST; k++)
            assert_found(&c, found_at(&a, 0, k), &all[k]);
        answer_free(&a);
    }
    case_free(&c);
}

/* Only <unk> and <eos> can be written: one translation of each length, and of the longest two. */
static void all_translations_should_be_found_where_they_are_few(void **state)
{
    (void)state;
    Case c = case_new(ID_SPECIALS + 1, 1);
    c.rules.first_word = ID_SPECIALS + 1;
    c.rules.beam = c.rules.nbest = 40;
    Answer a = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++)
        assert_int_equal(a.how_many[i], limit_of(&c.source[i]) + 1);
    answer_free(&a);
    case_free(&c);
}

/* ---- what holds for every answer ---- */

static void assert_well_formed(const Case *c, const Sentence *source, const Found *f)
{
    assert_in_range(f->length, 1, limit_of(source));
    assert_true(f->ids[f->length - 1] == ID_END || f->length == limit_of(source));
    assert_true(f->score == f->log_probability / pow(f->length, c->rules.normalize));
    for (int t = 0; t < f->length; t++) {
        assert_int_not_equal(f->ids[t], ID_PAD);
        assert_int_not_equal(f->ids[t], ID_BEGIN);
        if (t < f->length - 1) assert_int_not_equal(f->ids[t], ID_END);
    }
}

static void assert_attends(const Sentence *source, const Found *f)
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

static int same_ids(const Found *a, const Found *b)
{
    return a->length == b->length && !memcmp(a->ids, b->ids, (size_t)a->length * sizeof(int));
}

static void check_answers(Case *c, int beam, double normalize)
{
    c->rules.beam = c->rules.nbest = beam;
    c->rules.normalize = normalize;
    Answer a = search(c, c->source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        assert_in_range(a.how_many[i], 1, beam);
        for (int k = 0; k < a.how_many[i]; k++) {
            const Found *f = found_at(&a, i, k);
            const double expected = log_probability(c, &c->source[i], f->ids, f->length);
            assert_near(&(real){ (real)f->log_probability }, &expected, 1, operations);
            assert_well_formed(c, &c->source[i], f);
            assert_attends(&c->source[i], f);
            assert_true(!k || found_at(&a, i, k - 1)->score >= f->score);
            for (int other = 0; other < k; other++)
                assert_false(same_ids(found_at(&a, i, other), f));
        }
    }
    answer_free(&a);
}

static void answers_should_be_sorted_distinct_and_as_probable_as_they_say(void **state)
{
    (void)state;
    Case c = case_new(9, 2);
    check_answers(&c, 1, 1);
    check_answers(&c, 4, 0);
    check_answers(&c, 10, 0.6);
    check_answers(&c, 60, 1);       /* more places than there are words */
    case_free(&c);
}

static void special_words_should_never_be_written_however_probable(void **state)
{
    (void)state;
    Case c = case_new(9, 1);
    c.member.w.output_bias[ID_PAD] = c.member.w.output_bias[ID_BEGIN] = 20;
    check_answers(&c, 5, 1);
    case_free(&c);
}

static void a_translation_without_an_end_should_stop_at_the_limit(void **state)
{
    (void)state;
    Case c = case_new(9, 1);
    c.member.w.output_bias[ID_END] = -100;
    c.rules.beam = c.rules.nbest = 3;
    Answer a = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < 3; k++) {
            const Found *f = found_at(&a, i, k);
            assert_int_equal(f->length, limit_of(&c.source[i]));
            assert_int_not_equal(f->ids[f->length - 1], ID_END);
        }
    answer_free(&a);
    case_free(&c);
}

static void the_end_alone_should_be_a_translation(void **state)
{
    (void)state;
    Case c = case_new(9, 1);
    c.member.w.output_bias[ID_END] = 100;
    Answer a = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        assert_int_equal(found_at(&a, i, 0)->length, 1);
        assert_int_equal(found_at(&a, i, 0)->ids[0], ID_END);
    }
    answer_free(&a);
    case_free(&c);
}

static void attention_should_be_kept_for_those_who_ask(void **state)
{
    (void)state;
    Case c = case_new(9, 1);
    Answer with = search(&c, c.source, SOURCES);
    c.rules.attention = 0;
    Answer without = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        assert_null(found_at(&without, i, 0)->attention);
        assert_true(same_ids(found_at(&without, i, 0), found_at(&with, i, 0)));
    }
    answer_free(&with);
    answer_free(&without);
    case_free(&c);
}

/* ---- copies ---- */

/* Source i gets i % 3 <unk>; the network would write nothing else. */
static Case case_of_unknowns(void)
{
    Case c = case_new(9, 1);
    for (int i = 0; i < SOURCES; i++) {
        int *ids = heap_take(&c.heap, LONGEST, sizeof *ids);
        for (int t = 0; t < LONGEST; t++)
            ids[t] = t < i % 3 ? ID_UNKNOWN : t == LONGEST - 1 ? ID_END : ID_SPECIALS + t;
        c.source[i].source = ids;
        c.source[i].source_length = LONGEST;
    }
    c.member.w.output_bias[ID_UNKNOWN] = 9;
    c.rules.copies = 1;
    return c;
}

static void no_more_unknowns_should_be_written_than_the_source_has(void **state)
{
    (void)state;
    for (int beam = 1; beam <= WIDEST; beam++) {
        Case c = case_of_unknowns();
        c.rules.beam = c.rules.nbest = beam;
        assert_naive(&c);
        Answer a = search(&c, c.source, SOURCES);
        for (int i = 0; i < SOURCES; i++)
            for (int k = 0; k < a.how_many[i]; k++) {
                const Found *f = found_at(&a, i, k);
                assert_in_range(unknowns_in(f->ids, f->length), beam == 1 ? i % 3 : 0, i % 3);
            }
        answer_free(&a);
        case_free(&c);
    }
}

static void attention_should_be_kept_where_there_is_something_to_copy(void **state)
{
    (void)state;
    Case c = case_of_unknowns();
    Answer with = search(&c, c.source, SOURCES);
    c.rules.attention = 0;
    Answer without = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        const Found *f = found_at(&without, i, 0);
        if (!(i % 3)) assert_null(f->attention);
        else assert_memory_equal(f->attention, found_at(&with, i, 0)->attention,
                                 (size_t)(f->length * LONGEST) * sizeof *f->attention);
    }
    answer_free(&with);
    answer_free(&without);
    case_free(&c);
}

/* ---- batches ---- */

static void assert_same_found(const Found *a, const Found *b, int width)
{
    assert_true(same_ids(a, b));
    assert_near(&(real){ (real)a->log_probability }, &b->log_probability, 1, operations);
    for (int i = 0; i < a->length * width; i++)
        assert_true(fabsf(a->attention[i] - b->attention[i]) < 1e-5f);
}

static void a_batch_should_translate_as_its_sentences_one_by_one(void **state)
{
    (void)state;
    Case c = case_new(9, 2);
    c.rules.beam = 4;
    c.rules.nbest = 3;
    Answer together = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        Answer alone = search(&c, &c.source[i], 1);
        assert_int_equal(alone.how_many[0], together.how_many[i]);
        for (int k = 0; k < alone.how_many[0]; k++)
            assert_same_found(found_at(&together, i, k), found_at(&alone, 0, k), c.source[i].source_length);
        answer_free(&alone);
    }
    answer_free(&together);
    case_free(&c);
}

/* ---- given words ---- */

/* Source i is given i words, of which the last is <eos> where `complete`. */
static void give(Case *c, int complete)
{
    for (int i = 0; i < SOURCES; i++) {
        int *ids = heap_take(&c->heap, SOURCES, sizeof *ids);
        for (int t = 0; t < i; t++)
            ids[t] = ID_SPECIALS + (i + t) % 3;
        if (complete) ids[i] = ID_END;
        c->source[i].target = ids;
        c->source[i].target_length = i + complete;
    }
}

static void a_translation_should_begin_with_the_words_it_was_given(void **state)
{
    (void)state;
    for (int beam = 1; beam <= WIDEST; beam += 2) {
        Case c = case_new(9, 2);
        give(&c, 0);
        c.rules.beam = c.rules.nbest = beam;
        Answer a = search(&c, c.source, SOURCES);
        for (int i = 0; i < SOURCES; i++)
            for (int k = 0; k < a.how_many[i]; k++) {
                const Found *f = found_at(&a, i, k);
                const double expected = log_probability(&c, &c.source[i], f->ids, f->length);
                assert_near(&(real){ (real)f->log_probability }, &expected, 1, operations);
                assert_memory_equal(f->ids, c.source[i].target, (size_t)i * sizeof(int));
                assert_true(f->length > i);
            }
        answer_free(&a);
        case_free(&c);
    }
}

/* What greedy search writes by itself it writes, too, when the first words are given. */
static void given_words_should_lead_where_the_same_words_lead_when_found(void **state)
{
    (void)state;
    Case c = case_new(9, 1);
    Answer found = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        c.source[i].target = found_at(&found, i, 0)->ids;
        c.source[i].target_length = found_at(&found, i, 0)->length / 2;
    }
    Answer again = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        const Found *f = found_at(&found, i, 0), *g = found_at(&again, i, 0);
        assert_memory_equal(f->ids, g->ids, (size_t)f->length * sizeof(int));
    }
    answer_free(&found);
    answer_free(&again);
    case_free(&c);
}

static void a_complete_target_should_be_scored_word_by_word(void **state)
{
    (void)state;
    Case c = case_new(9, 2);
    give(&c, 1);
    c.rules.beam = 3;
    Answer a = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        const Found *f = found_at(&a, i, 0);
        double sum = 0;
        assert_int_equal(a.how_many[i], 1);
        assert_int_equal(f->length, i + 1);
        assert_memory_equal(f->ids, c.source[i].target, (size_t)f->length * sizeof(int));
        for (int t = 0; t < f->length; t++) {
            const double expected = log_probability(&c, &c.source[i], f->ids, t + 1);
            sum += f->log_probabilities[t];
            assert_near(&(real){ (real)sum }, &expected, 1, operations);
        }
    }
    answer_free(&a);
    case_free(&c);
}

/* ---- alternatives ---- */

/* The probability of each of all words behind those before it. */
static void alternatives_should_be_the_most_probable_words_at_each_position(void **state)
{
    (void)state;
    enum { WORDS = 9, MOST = 4 };
    Case c = case_new(WORDS, 1);
    c.rules.beam = 2;
    c.rules.alternatives = MOST;
    Answer a = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        const Found *f = found_at(&a, i, 0);
        Sequence prefix = { .length = 0 };
        for (int t = 0; t < f->length; t++) {
            const Choice *choice = f->alternatives + t * MOST;
            int above = 0;
            for (int id = 0; id < WORDS; id++)
                above += extended(&c, &c.source[i], &prefix, id).log_probability - prefix.log_probability
                         > choice[MOST - 1].log_probability + 1e-5;
            assert_true(above < MOST);
            for (int k = 0; k < MOST; k++) {
                const double expected = extended(&c, &c.source[i], &prefix, choice[k].id).log_probability;
                const double told = prefix.log_probability + choice[k].log_probability;
                assert_near(&(real){ (real)told }, &expected, 1, operations);
                assert_true(!k || choice[k].log_probability <= choice[k - 1].log_probability);
            }
            prefix = extended(&c, &c.source[i], &prefix, f->ids[t]);
        }
    }
    answer_free(&a);
    case_free(&c);
}

/* ---- ensembles ---- */

static void an_ensemble_should_choose_by_the_mean_of_its_probabilities(void **state)
{
    (void)state;
    Case c = case_new(9, 1), other = case_new(9, 2);
    for (size_t i = 0; i < other.table->size; i++)
        *(real *)(other.member.w.source_embedding + i) *= (real)-1.25;
    give(&c, 1);
    const Member both[] = { c.member, other.member };
    Arena arena = { 0 };
    Found found[SOURCES];
    int how_many[SOURCES];
    c.rules.alternatives = 1;
    search_run(found, how_many, both, 2, c.source, SOURCES, &c.rules, &arena);
    for (int i = 0; i < SOURCES; i++) {
        double one = 0, two = 0;
        for (int t = 0; t <= i; t++) {
            const double first = log_probability(&c, &c.source[i], found[i].ids, t + 1);
            const double second = log_probability(&other, &c.source[i], found[i].ids, t + 1);
            const double expected = log((exp(first - one) + exp(second - two)) / 2);
            assert_near(&(real){ (real)found[i].log_probabilities[t] }, &expected, 1, operations);
            one = first;
            two = second;
        }
        found_free(&found[i]);
    }
    arena_free(&arena);
    case_free(&c);
    case_free(&other);
}

static void twins_should_translate_as_one_of_them(void **state)
{
    (void)state;
    Case c = case_new(9, 2);
    c.rules.beam = c.rules.nbest = 3;
    const Member twins[] = { c.member, c.member };
    Answer alone = search(&c, c.source, SOURCES);
    Found found[SOURCES * 3];
    int how_many[SOURCES];
    Arena arena = { 0 };
    search_run(found, how_many, twins, 2, c.source, SOURCES, &c.rules, &arena);
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < how_many[i]; k++) {
            assert_same_found(&found[i * 3 + k], found_at(&alone, i, k), c.source[i].source_length);
            found_free(&found[i * 3 + k]);
        }
    arena_free(&arena);
    answer_free(&alone);
    case_free(&c);
}

/* ---- drawing ---- */

static Case case_of_chance(int samples)
{
    Case c = case_new(9, 1);
    c.member.w.output_bias[ID_END] = 1;
    c.rules.sample = 1;
    c.rules.sampling = (Sampling){ .temperature = 1, .top_p = 1 };
    c.rules.beam = c.rules.nbest = samples;
    c.rules.seed = 7;
    return c;
}

/* 40,000 draws of the first word: the share of each is its probability; within five standard deviations. */
static void words_should_be_drawn_as_often_as_they_are_probable(void **state)
{
    (void)state;
    enum { DRAWS = 4000, RUNS = 10, WORDS = 9 };
    Case c = case_of_chance(DRAWS);
    double times[WORDS] = { 0 }, allowed = 0, p[WORDS];
    for (int run = 0; run < RUNS; run++) {
        c.rules.first = (uint64_t)run;
        Answer a = search(&c, c.source, 1);
        assert_int_equal(a.how_many[0], DRAWS);
        for (int k = 0; k < DRAWS; k++)
            times[found_at(&a, 0, k)->ids[0]]++;
        answer_free(&a);
    }
    for (int id = 0; id < WORDS; id++) {
        p[id] = exp(log_probability(&c, &c.source[0], &id, 1));
        if (id != ID_PAD && id != ID_BEGIN) allowed += p[id];
    }
    for (int id = 0; id < WORDS; id++) {
        const double share = id == ID_PAD || id == ID_BEGIN ? 0 : p[id] / allowed, n = DRAWS * RUNS;
        assert_true(fabs(times[id] - n * share) <= 5 * sqrt(n * share * (1 - share)));
    }
    case_free(&c);
}

static void what_is_drawn_should_not_depend_on_the_batch(void **state)
{
    (void)state;
    Case c = case_of_chance(3);
    for (int i = 0; i < SOURCES; i++)
        c.source[i].number = i;
    Answer together = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++) {
        Sentence alone = c.source[i];
        c.rules.first = (uint64_t)i;
        alone.number = 0;
        Answer a = search(&c, &alone, 1);
        for (int k = 0; k < 3; k++) {
            const Found *f = found_at(&a, 0, k);
            const double expected = log_probability(&c, &alone, f->ids, f->length);
            assert_true(same_ids(f, found_at(&together, i, k)));
            assert_near(&(real){ (real)f->log_probability }, &expected, 1, operations);
        }
        c.rules.first = 0;
        answer_free(&a);
    }
    c.rules.seed = 8;
    Answer others = search(&c, c.source, SOURCES);
    int same = 0;
    for (int i = 0; i < SOURCES; i++)
        same += same_ids(found_at(&others, i, 0), found_at(&together, i, 0));
    assert_true(same < SOURCES);
    answer_free(&others);
    answer_free(&together);
    case_free(&c);
}

/* Greedy search tells 0 where it leaves probabilities out, so that nobody takes something else for one. */
static void what_is_found_should_not_depend_on_whether_probabilities_are_asked_for(void **state)
{
    (void)state;
    for (int beam = 1; beam <= 3; beam += 2) {
        Case c = case_new(11, 1);
        c.rules.beam = beam;
        Answer scored = search(&c, c.source, SOURCES);
        c.rules.scoreless = 1;
        Answer plain = search(&c, c.source, SOURCES);
        for (int i = 0; i < SOURCES; i++) {
            const Found *a = found_at(&plain, i, 0), *b = found_at(&scored, i, 0);
            assert_int_equal(a->length, b->length);
            assert_memory_equal(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
            assert_true(a->log_probability == (beam == 1 ? 0 : b->log_probability));
            assert_true(b->log_probability < 0);
        }
        answer_free(&scored);
        answer_free(&plain);
        case_free(&c);
    }
}

/* A thousand words, so that there are many blocks; loops and <unk> to forbid, and a word that was given. */
static void what_is_found_should_not_depend_on_a_screen_and_memos(void **state)
{
    (void)state;
    static const int given[] = { ID_SPECIALS + 3 };
    for (int deep = 0; deep < 2; deep++) {
        const NetworkOptions options = { .embedding = 4, .hidden = 3, .layers = 1 + deep, .bidirectional = 1,
                                         .readout = deep ? READOUT_DEEP : READOUT_SIMPLE };
        Case c = case_of(&options, 1000);
        c.rules.scoreless = c.rules.copies = 1;
        c.rules.repeats = 2;
        c.source[1].target = given;
        c.source[1].target_length = 1;
        Answer all = search(&c, c.source, SOURCES);
        const Sizes *n = &c.member.net.n;
        c.member.screen = screen_always(PRECISION_FLOAT, c.member.w.output_weight, n->O, c.member.w.output_bias, n->O,
                                        n->Vt);
        c.member.w.words = word_memos_new(&c.member.net);
        for (int times = 0; times < 2; times++) {
            Answer screened = search(&c, c.source, SOURCES);
            for (int i = 0; i < SOURCES; i++) {
                const Found *a = found_at(&all, i, 0), *b = found_at(&screened, i, 0);
                assert_int_equal(a->length, b->length);
                assert_memory_equal(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
                if (gemm_is_fastest())
                    assert_memory_equal(a->attention, b->attention,
                                        (size_t)(a->length * c.source[i].source_length) * sizeof *a->attention);
            }
            answer_free(&screened);
        }
        answer_free(&all);
        screen_free(c.member.screen);
        word_memos_free(&c.member.w.words);
        case_free(&c);
    }
}

static void drawing_from_the_best_word_alone_should_be_greedy_search(void **state)
{
    (void)state;
    const Sampling surest[] = { { 1, 1, 1 }, { 1, 0, 1e-6 }, { 0.01, 0, 1 } };
    Case c = case_new(9, 2);
    Answer greedy = search(&c, c.source, SOURCES);
    c.rules.sample = 1;
    for (size_t s = 0; s < sizeof surest / sizeof *surest; s++) {
        c.rules.sampling = surest[s];
        Answer drawn = search(&c, c.source, SOURCES);
        for (int i = 0; i < SOURCES; i++)
            assert_same_found(found_at(&drawn, i, 0), found_at(&greedy, i, 0), c.source[i].source_length);
        answer_free(&drawn);
    }
    answer_free(&greedy);
    case_free(&c);
}

/* ---- length and loops ---- */

static void the_limit_should_follow_from_the_ratio_and_what_was_given(void **state)
{
    (void)state;
    Case c = case_new(9, 1);
    give(&c, 0);
    c.member.w.output_bias[ID_END] = -100;
    c.rules.ratio = 0.6;
    Answer a = search(&c, c.source, SOURCES);
    for (int i = 0; i < SOURCES; i++)
        assert_int_equal(found_at(&a, i, 0)->length, i + 10 + (int)(0.6 * c.source[i].source_length));
    answer_free(&a);
    case_free(&c);
}

/* The most often that one to LONGEST_LOOP ids follow themselves, and themselves. */
static int most_repeats(const int *ids, int length)
{
    int most = 1;
    for (int period = 1; period <= LONGEST_LOOP; period++)
        for (int from = 0; from + period <= length; from++) {
            int times = 1;
            while (from + (times + 1) * period <= length
                   && !memcmp(ids + from, ids + from + times * period, (size_t)period * sizeof *ids))
                times++;
            if (times > most) most = times;
        }
    return most;
}

/* A network that loves one word, and one that has two to alternate. */
static void no_words_should_follow_themselves_more_often_than_allowed(void **state)
{
    (void)state;
    for (int loved = 1; loved <= 2; loved++)
        for (int repeats = 0; repeats <= 3; repeats++) {
            Case c = case_new(9, 1);
            c.rules.repeats = repeats;
            c.rules.beam = c.rules.nbest = 2;
            c.member.w.output_bias[ID_END] = c.member.w.output_bias[ID_UNKNOWN] = -100;
            for (int i = 0; i < loved; i++)
                c.member.w.output_bias[ID_SPECIALS + i] = 20;
            Answer a = search(&c, c.source, SOURCES);
            for (int i = 0; i < SOURCES; i++)
                for (int k = 0; k < 2; k++) {
                    const Found *f = found_at(&a, i, k);
                    const int own = most_repeats(c.source[i].source, c.source[i].source_length);
                    const int most = most_repeats(f->ids, f->length);
                    if (repeats) assert_in_range(most, 1, own > repeats ? own : repeats);
                    else if (loved == 1 && !k) assert_int_equal(most, f->length);
                }
            answer_free(&a);
            case_free(&c);
        }
}

static void what_the_source_repeats_may_be_repeated(void **state)
{
    (void)state;
    Case c = case_new(9, 1);
    int ids[] = { 5, 6, 5, 6, 5, 6, 5, 6, 5, 6, ID_END };
    c.source[0].source = ids;
    c.source[0].source_length = sizeof ids / sizeof *ids;
    c.rules.repeats = 1;
    c.member.w.output_bias[ID_END] = -100;
    c.member.w.output_bias[ID_SPECIALS] = 20;
    Answer a = search(&c, c.source, 1);
    assert_int_equal(most_repeats(found_at(&a, 0, 0)->ids, found_at(&a, 0, 0)->length), 5);
    answer_free(&a);
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_and_beam_search_should_be_those_of_the_naive_twin),
        cmocka_unit_test(a_search_should_see_its_own_words_where_the_decoder_attends_to_them),
        cmocka_unit_test(a_wide_beam_should_find_the_best_of_all_translations),
        cmocka_unit_test(all_translations_should_be_found_where_they_are_few),
        cmocka_unit_test(answers_should_be_sorted_distinct_and_as_probable_as_they_say),
        cmocka_unit_test(special_words_should_never_be_written_however_probable),
        cmocka_unit_test(a_translation_without_an_end_should_stop_at_the_limit),
        cmocka_unit_test(the_end_alone_should_be_a_translation),
        cmocka_unit_test(attention_should_be_kept_for_those_who_ask),
        cmocka_unit_test(no_more_unknowns_should_be_written_than_the_source_has),
        cmocka_unit_test(attention_should_be_kept_where_there_is_something_to_copy),
        cmocka_unit_test(a_translation_should_begin_with_the_words_it_was_given),
        cmocka_unit_test(given_words_should_lead_where_the_same_words_lead_when_found),
        cmocka_unit_test(a_complete_target_should_be_scored_word_by_word),
        cmocka_unit_test(alternatives_should_be_the_most_probable_words_at_each_position),
        cmocka_unit_test(an_ensemble_should_choose_by_the_mean_of_its_probabilities),
        cmocka_unit_test(twins_should_translate_as_one_of_them),
        cmocka_unit_test(words_should_be_drawn_as_often_as_they_are_probable),
        cmocka_unit_test(what_is_drawn_should_not_depend_on_the_batch),
        cmocka_unit_test(what_is_found_should_not_depend_on_whether_probabilities_are_asked_for),
        cmocka_unit_test(what_is_found_should_not_depend_on_a_screen_and_memos),
        cmocka_unit_test(drawing_from_the_best_word_alone_should_be_greedy_search),
        cmocka_unit_test(the_limit_should_follow_from_the_ratio_and_what_was_given),
        cmocka_unit_test(no_words_should_follow_themselves_more_often_than_allowed),
        cmocka_unit_test(what_the_source_repeats_may_be_repeated),
        cmocka_unit_test(a_batch_should_translate_as_its_sentences_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
