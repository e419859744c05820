/* search_case.c - see search_case.h. */
#include "search_case.h"

#include "model/network.h"
#include "train/validation_loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Case case_of(const NetworkOptions *options, int words)
{
    Case c = { .member.net = architecture_of(options, words, words), .table = parameters_new(options, words, words) };
    c.member.w = weights_at(c.table, heap_random(&c.heap, c.table->size));
    c.pairs = random_pairs(&c.heap, 5, SOURCES, LONGEST, words);
    for (int i = 0; i < SOURCES; i++) {
        c.source[i] = sentence_view(&c.pairs, i, 0);
        c.source[i].target = NULL;
        c.source[i].target_length = 0;
    }
    c.rules = (SearchRules){ .beam = 1, .nbest = 1, .normalize = 1, .begin = ID_BOS, .end = ID_EOS,
                             .unknown = ID_UNK, .first_word = ID_SPECIALS, .ratio = 2, .attention = 1 };
    return c;
}

Case case_new(int words, int layers)
{
    const NetworkOptions options = { .embedding = 4, .hidden = 3, .layers = layers, .bidirectional = 1 };
    return case_of(&options, words);
}

void case_free(Case *c)
{
    arena_free(&c->arena);
    parameters_free(c->table);
    heap_free(&c->heap);
}

void give(Case *c, int complete)
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

TranslatedLine search(const Case *c, const Sentence *sources, int count)
{
    TranslatedLine a = { xcalloc((size_t)(count * c->rules.nbest), sizeof *a.found), xcalloc((size_t)count, sizeof *a.how_many),
                 count, c->rules.nbest };
    Arena arena = { 0 };
    search_run(a.found, a.how_many, &c->member, 1, sources, count, &c->rules, &arena);
    arena_free(&arena);
    return a;
}

Hypothesis *found_at(const TranslatedLine *a, int source, int k)
{
    assert_true(k < a->how_many[source]);
    return &a->found[source * a->nbest + k];
}

void format_free(TranslatedLine *a)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->how_many[i]; k++)
            hypothesis_free(found_at(a, i, k));
    free(a->found);
    free(a->how_many);
}

double log_probability(Case *c, const Sentence *source, const int *ids, int length)
{
    Sentence sentence = *source;
    sentence.target = ids;
    sentence.target_length = length;
    const BatchSize size = batch_size(&sentence, 1);
    Batch batch;
    arena_reserve(&c->arena, batch_measure(size) + network_measure(&c->member.net, size, 0));
    batch_build(&batch, &c->arena, &sentence, 1, ID_BOS);
    return -network_loss(&c->member.net, &c->member.w, &batch, 0, &c->arena).plain;
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

void assert_same_found(const Hypothesis *a, const Hypothesis *b, int width)
{
    assert_true(same_ids(a, b));
    assert_near(&(real){ (real)a->log_probability }, &b->log_probability, 1, operations);
    for (int i = 0; i < a->length * width; i++)
        assert_true(fabsf(a->attention[i] - b->attention[i]) < 1e-5f);
}
