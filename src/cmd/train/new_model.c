/* new_model.c - see new_model.h. */
#include "cmd/train/new_model.h"

#include "base/mem.h"
#include "cmd/train/init.h"

#include <string.h>

Model new_model(const Config *c, Data *d)
{
    Model m = { .network = c->network, .text = d->learned, .source = d->source,
                .target = d->target, .source_lexicon = d->lexicon[LANGUAGE_SOURCE],
                .target_lexicon = d->lexicon[LANGUAGE_TARGET],
                .length_limit = d->train.length_limit, .longest = d->train.longest,
                .normalize = c->init ? c->init->model.normalize : 0 };
    d->source = d->target = NULL;
    d->lexicon[LANGUAGE_SOURCE] = d->lexicon[LANGUAGE_TARGET] = NULL;
    m.table = parameters_new(&m.network, tokenizer_size(m.source), tokenizer_size(m.target));
    m.weights = xaligned_raw(m.table->size, sizeof *m.weights);
    return m;
}

uint64_t network_seed(const Config *c, int network)
{
    return c->hyper.seed + (uint64_t)network;
}

/* The first network of the ensemble that writes from right to left. */
static int first_right_left(const Config *c)
{
    return c->hyper.ensemble - c->hyper.right_left;
}

/* The network of --init from which this one goes on: one of its direction, in turn. */
static int base_network(const Config *c, const Model *base, int network)
{
    const int others = model_networks(base) - base->right_left, at = network - first_right_left(c);
    return at < 0 ? network % others : others + at % base->right_left;
}

static void set_weights(const Config *c, Model *m, int network)
{
    const Model *base = c->init ? &c->init->model : NULL;
    memset(m->weights, 0, m->table->size * sizeof *m->weights);
    if (!base) parameters_init(m->table, m->weights, network_seed(c, network));
    else parameters_extend(m->table, m->weights, base->table,
                           model_weights(base, base_network(c, base, network)));
}

void begin_network(const Config *c, Model *m, int network)
{
    m->right_left = network >= first_right_left(c);
    set_weights(c, m, network);
}
