/* team.c - networks of a few words, and their updates. */
#include "team.h"

#include "base/mem.h"
#include "random_pairs.h"
#include "train/validation.h"

#include <stdlib.h>

Hyperparameters usual_hyperparameters(void)
{
    Hyperparameters r = hyperparameters_defaults();
    r.dropout = 0.25;
    r.dropout_embedding = 0.3;
    r.dropout_rise = 0;
    r.clip = 0.3;
    r.sparse_gradient = 0.3;
    return r;
}

Team *team_of(const NetworkOptions *options, int workers, size_t slice,
              const Hyperparameters *hyper)
{
    Team *t = xcalloc(1, sizeof *t);
    t->hyper = *hyper;
    t->net = architecture_of(options, WORDS, WORDS);
    t->table = parameters_new(options, WORDS, WORDS);
    t->weights = heap_zeros(&t->heap, t->table->size);
    parameters_init(t->table, t->weights, 3);
    t->pool = pool_new(workers);
    t->updater = updater_new(&t->net, t->table, t->weights, &t->hyper, t->pool,
                             (BatchSize){ .sentences = MOST }, slice, ID_BOS, NULL);
    return t;
}

Team *team_new(int workers, const Hyperparameters *hyper)
{
    const NetworkOptions options = { .embedding = 4, .hidden = 3, .layers = 2, .bidirectional = 1 };
    return team_of(&options, workers, SIZE_MAX, hyper);
}

void team_free(Team *t)
{
    updater_free(t->updater);
    pool_free(t->pool);
    parameters_free(t->table);
    heap_free(&t->heap);
    free(t);
}

void make_batch(Heap *heap, uint64_t seed, Sentence *sentences, int count)
{
    const Pairs pairs = random_pairs(heap, seed, count, LONGEST, WORDS);
    for (int i = 0; i < count; i++)
        sentences[i] = sentence_view(&pairs, i, i);
    for (int i = 1; i < count; i += 2)
        if (sentences[i].target_length > 1) sentences[i].target_length--;
    batch_sort(sentences, count);
}

Update learn(Team *t, const Sentence *sentences, int count, long step)
{
    updater_begin(t->updater, step, PASSES);
    updater_add(t->updater, sentences, count);
    return updater_step(t->updater, 0.01);
}

Update update(Team *t, uint64_t seed, int count, long step)
{
    Sentence sentences[MOST];
    make_batch(&t->heap, seed, sentences, count);
    return learn(t, sentences, count, step);
}
