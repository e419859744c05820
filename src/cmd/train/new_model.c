/* new_model.c - see new_model.h. */
#include "cmd/train/new_model.h"

#include "cmd/train/init.h"

#include <string.h>

Model new_model(const Config *c, Data *d, Processes *processes)
{
    Model m = { .network = c->network, .text = d->learned, .source = d->source,
                .target = d->target, .source_lexicon = d->lexicon[LANGUAGE_SOURCE],
                .target_lexicon = d->lexicon[LANGUAGE_TARGET],
                .normalize = c->init ? c->init->model.normalize : 0 };
    d->source = d->target = NULL;
    d->lexicon[LANGUAGE_SOURCE] = d->lexicon[LANGUAGE_TARGET] = NULL;
    m.table = parameters_new(&m.network, tokenizer_size(m.source), tokenizer_size(m.target));
    m.weights = processes_block(processes, m.table->size);
    return m;
}

void new_model_free(Model *m, Processes *processes)
{
    processes_free_block(processes, m->weights, m->table->size);
    m->weights = NULL;
    model_free(m);
}

uint64_t network_seed(const Config *c, int network)
{
    return c->hyper.seed + (uint64_t)network;
}

static void set_weights(const Config *c, Model *m, int network)
{
    const Model *base = c->init ? &c->init->model : NULL;
    memset(m->weights, 0, m->table->size * sizeof *m->weights);
    if (!base) parameters_init(m->table, m->weights, network_seed(c, network));
    else parameters_extend(m->table, m->weights, base->table,
                           model_weights(base, network % model_networks(base)));
}

void first_weights(const Config *c, Model *m, int network, Processes *processes)
{
    if (processes_fills(processes)) set_weights(c, m, network);
    processes_meet(processes);
}
