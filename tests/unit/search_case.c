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
        c.source[i].without_end = options->source_end;
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
    search_memory_free(&c->memory);
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

Found search(Case *c, const Sentence *sources, int count)
{
    c->rules.options = &c->options;
    return search_run(&c->scorer, 1, sources, count, &c->rules, &c->memory);
}

Found search_all(Case *c)
{
    return search(c, c->source, SOURCES);
}

Found search_with(Case *c, const Scorer *scorer, int scorers)
{
    c->rules.options = &c->options;
    return search_run(scorer, scorers, c->source, SOURCES, &c->rules, &c->memory);
}

Hypothesis *hypothesis_at(const Found *found, int source, int k)
{
    assert_true(k < found->count[source]);
    return &found->best[source * found->places + k];
}

double log_probability(Case *c, const Sentence *source, const int *ids, int length)
{
    Sentence sentence = *source;
    sentence.target = ids;
    sentence.target_length = length;
    const BatchSize size = batch_size(&sentence, 1);
    Batch batch;
    Arena *arena = &c->memory.arena;
    arena_reserve(arena, network_measure(&c->scorer.net, size, 0));
    batch_build(&batch, arena, &sentence, 1, ID_BOS);
    const Pass pass = pass_of_batch(&c->scorer.net, &c->scorer.w, &batch);
    return -network_loss(&pass, 0, arena).plain;
}

Sequence extended(Case *c, const Sentence *source, const Sequence *prefix, int id)
{
    Sequence s = *prefix;
    s.ids[s.length++] = id;
    s.log_probability = log_probability(c, source, s.ids, s.length);
    return s;
}

void assert_same_hypothesis(const Hypothesis *a, const Hypothesis *b, int width)
{
    assert_true(hypothesis_same_ids(a, b));
    assert_near(&(real){ (real)a->log_probability }, &b->log_probability, 1, operations);
    for (int i = 0; i < a->length * width; i++)
        assert_true(fabsf(a->attention[i] - b->attention[i]) < 1e-5f);
}
