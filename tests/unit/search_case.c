/* search_case.c - see search_case.h. */
#include "search_case.h"

#include "model/network.h"
#include "train/validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Case case_of(const NetworkOptions *options, int words)
{
    Case c = { .scorer.net = architecture_of(options, words, words),
               .table = parameters_new(options, words, words) };
    c.scorer.w = weights_at(c.table, heap_random(&c.heap, c.table->size));
    c.pairs = random_pairs(&c.heap, 5, SOURCES, LONGEST, words);
    for (int i = 0; i < SOURCES; i++) {
        c.source[i] = sentence_view(&c.pairs, i, 0);
        c.source[i].target = NULL;
        c.source[i].target_length = 0;
    }
    c.options = (SearchOptions){ .beam = 1, .nbest = 1, .normalize = 1, .attention = 1, .probabilities = 1 };
    return c;
}

Case case_new(int words, int layers)
{
    const NetworkOptions options = { .embedding = 4, .hidden = 3, .layers = layers,
                                     .bidirectional = 1 };
    return case_of(&options, words);
}

void case_free(Case *c)
{
    arena_free(&c->arena);
    parameters_free(c->table);
    heap_free(&c->heap);
}

void give_prefix(Case *c, int complete)
{
    for (int i = 0; i < SOURCES; i++) {
        int *ids = heap_take(&c->heap, SOURCES, sizeof *ids);
        for (int t = 0; t < i; t++)
            ids[t] = ID_SPECIALS + (i + t) % 3;
        if (complete) ids[i] = ID_EOS;
        c->source[i].target = ids;
        c->source[i].target_length = i + complete;
    }
}

SearchResult search_with(const Case *c, const Scorer *scorer, int scorers, const Sentence *sources,
                         int count)
{
    const int places = search_places(&c->options);
    const SearchRules rules = { .options = &c->options, .copy = c->copy, .length_limit = c->length_limit,
                                .first = c->first };
    SearchResult r = { .count = count, .places = places };
    Arena arena = { 0 };
    r.best = xcalloc((size_t)(count * places), sizeof *r.best);
    r.counts = xcalloc((size_t)count, sizeof *r.counts);
    search_run(r.best, r.counts, scorer, scorers, sources, count, &rules, &arena);
    arena_free(&arena);
    return r;
}

SearchResult search(const Case *c, const Sentence *sources, int count)
{
    return search_with(c, &c->scorer, 1, sources, count);
}

Hypothesis *hypothesis_at(const SearchResult *r, int source, int k)
{
    assert_true(k < r->counts[source]);
    return &r->best[source * r->places + k];
}

void result_free(SearchResult *r)
{
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->counts[i]; k++)
            hypothesis_free(hypothesis_at(r, i, k));
    free(r->best);
    free(r->counts);
}

double log_probability(Case *c, const Sentence *source, const int *ids, int length)
{
    Sentence sentence = *source;
    sentence.target = ids;
    sentence.target_length = length;
    const BatchSize size = batch_size(&sentence, 1);
    Batch batch;
    arena_reserve(&c->arena, batch_measure(size) + network_measure(&c->scorer.net, size, 0));
    batch_build(&batch, &c->arena, &sentence, 1, ID_BOS);
    const Pass pass = pass_of_batch(&c->scorer.net, &c->scorer.w, &batch);
    return -network_loss(&pass, 0, &c->arena).plain;
}

Sequence extended(Case *c, const Sentence *source, const Sequence *prefix, int id)
{
    Sequence s = *prefix;
    s.ids[s.length++] = id;
    s.log_probability = log_probability(c, source, s.ids, s.length);
    return s;
}

int same_ids(const Hypothesis *a, const Hypothesis *b)
{
    return a->length == b->length && !memcmp(a->ids, b->ids, (size_t)a->length * sizeof(int));
}

void assert_same_hypothesis(const Hypothesis *a, const Hypothesis *b, int width)
{
    assert_true(same_ids(a, b));
    assert_near(&(real){ (real)a->log_probability }, &b->log_probability, 1, operations);
    for (int i = 0; i < a->length * width; i++)
        assert_true(fabsf(a->attention[i] - b->attention[i]) < 1e-5f);
}
