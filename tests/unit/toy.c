/* toy.c - eight sentences and what is needed to learn them. */
#include "toy.h"

#include "base/mem.h"
#include "learn_lines.h"
#include "line_examples.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *toy_sources[TOY_PAIRS] = {
    "I am calm.", "You are calm.", "He is here.", "She is here.",
    "The cat sleeps.", "Where is the cat?", "Thank you.", "Good night!",
};
const char *toy_targets[TOY_PAIRS] = {
    "Je suis calme.", "Vous êtes calme.", "Il est ici.", "Elle est ici.",
    "Le chat dort.", "Où est le chat ?", "Merci.", "Bonne nuit !",
};

static void weights_new(Model *m, uint64_t seed)
{
    m->table = parameters_new(&m->network, tokenizer_size(m->source), tokenizer_size(m->target));
    m->weights = xaligned(m->table->size, sizeof *m->weights);
    parameters_init(m->table, m->weights, seed);
}

static Model model_new(int tokens, uint64_t seed)
{
    Model m = { .network = network_original(), .text = text_defaults(),
                .training = cJSON_CreateObject() };
    m.network.embedding = m.network.hidden = 16;
    m.text.tokens = tokens;
    m.text.vocabulary = 80;
    m.source = learn_lines(&m.text, toy_sources, TOY_PAIRS);
    m.target = learn_lines(&m.text, toy_targets, TOY_PAIRS);
    weights_new(&m, seed);
    return m;
}

static Hyperparameters toy_hyperparameters(void)
{
    Hyperparameters r = hyperparameters_defaults();
    r.batch = TOY_PAIRS;
    r.epochs = 1000000;
    r.steps = 9;
    r.rate = 0.02;
    r.schedule.cooldown = 0;
    r.dropout = r.dropout_embedding = r.label_smoothing = 0;
    r.patience = 0;
    return r;
}

static void examples_new(Toy *toy, const ExampleOptions *options)
{
    line_examples(&toy->train, toy_sources, toy_targets, TOY_PAIRS, toy->model.source,
                  toy->model.target, options, 1 << 20);
    example_pairs(&toy->train, &toy->pairs);
}

Toy *toy_new(Scratch *scratch, int tokens, int workers)
{
    Toy *toy = xcalloc(1, sizeof *toy);
    toy->hyper = toy_hyperparameters();
    toy->model = model_new(tokens, toy->hyper.seed);
    toy->model_path = xstrdup(scratch_path(scratch, "model"));
    toy->state_path = xstrdup(scratch_path(scratch, "model.state"));
    examples_new(toy, &(ExampleOptions){ .max_length = INT_MAX });
    toy->training = (Training){
        .model = &toy->model, .hyper = &toy->hyper, .train = &toy->train, .valid = &toy->valid,
        .text = &toy->text,
        .pool = pool_new(workers), .model_path = toy->model_path, .state_path = toy->state_path,
        .save_every = 1e9,
        .corpus_hash = 42, .requests = &toy->requests,
    };
    return toy;
}

void toy_free(Toy *toy)
{
    pool_free(toy->training.pool);
    segments_free(&toy->text);
    pairs_free(&toy->valid);
    pairs_free(&toy->pairs);
    examples_free(&toy->train);
    free(toy->state_path);
    free(toy->model_path);
    model_free(&toy->model);
    free(toy);
}

static void weights_renew(Toy *toy)
{
    free(toy->model.weights);
    parameters_free(toy->model.table);
    weights_new(&toy->model, toy->hyper.seed);
}

void toy_network(Toy *toy, const NetworkOptions *options)
{
    toy->model.network = *options;
    weights_renew(toy);
}

void toy_share_vocabulary(Toy *toy)
{
    Model *m = &toy->model;
    const char *lines[2 * TOY_PAIRS];
    memcpy(lines, toy_sources, sizeof toy_sources);
    memcpy(lines + TOY_PAIRS, toy_targets, sizeof toy_targets);
    pairs_free(&toy->pairs);
    examples_free(&toy->train);
    tokenizer_free(m->source);
    tokenizer_free(m->target);
    m->source = m->target = learn_lines(&m->text, lines, 2 * TOY_PAIRS);
    examples_new(toy, &(ExampleOptions){ .max_length = INT_MAX, .both_directions = 1 });
    weights_renew(toy);
}

void toy_validate(Toy *toy)
{
    const char *targets[TOY_PAIRS];
    for (size_t i = 0; i < TOY_PAIRS; i++)
        targets[i] = toy_targets[(i + 1) % TOY_PAIRS];
    const Corpus corpus = { .source = toy_sources, .target = targets, .count = TOY_PAIRS };
    pairs_encode(&toy->valid, &corpus, model_source(&toy->model), model_target(&toy->model),
                 INT_MAX);
    segments_init(&toy->text, &corpus);
}

static void ignore_update(void *context, const UpdateReport *report)
{
    (void)context;
    (void)report;
}

static void ignore_validation(void *context, const ValidationReport *report)
{
    (void)context;
    (void)report;
}

void toy_trouble(void *context, const char *text)
{
    (void)context;
    fail_msg("%s", text);
}

const TrainingEvents toy_no_events = { .updated = ignore_update, .validated = ignore_validation,
                                      .troubled = toy_trouble };

void toy_run(Toy *toy, const TrainingEvents *events)
{
    Err e;
    if (trainer_run(&toy->training, events ? events : &toy_no_events, &toy->ending, &toy->progress,
                    &e))
        fail_msg("%s", e.text);
}

void toy_refused(Toy *toy, Err *e)
{
    assert_int_equal(trainer_run(&toy->training, &toy_no_events, &toy->ending, &toy->progress, e),
                     -1);
}
