/* network_case.c - see network_case.h. */
#include "network_case.h"

#include <string.h>

enum { BEGIN = 2, END = 3, LONGEST = 5 };

typedef struct { int source_length, target_length, source[LONGEST], target[LONGEST]; } Pair;

/* In the order that batch_build expects; the order of the sources is different. */
static const Pair pairs[SENTENCES] = {
    { 2, 4, { 4, END }, { 6, 4, 6, END } },
    { 4, 3, { 5, 7, 5, END }, { 5, 4, END } },
    { 1, 3, { END }, { 5, 0, END } },
    { 5, 1, { 6, 4, 1, 6, END }, { END } },
};

static Sentence sentence_of(int i)
{
    return (Sentence){ pairs[i].source, pairs[i].target, pairs[i].source_length,
                       pairs[i].target_length, i, 0 };
}

static int target_tokens(void)
{
    int count = 0;
    for (int i = 0; i < SENTENCES; i++)
        count += pairs[i].target_length;
    return count;
}

Case network_case_new(const NetworkOptions *options, int source_words, int target_words)
{
    Case c = { .net = architecture_of(options, source_words, target_words),
               .table = parameters_new(options, source_words, target_words) };
    c.block = heap_random(&c.heap, c.table->size);
    c.dblock = heap_zeros(&c.heap, c.table->size);
    c.w = weights_at(c.table, c.block);
    c.dw = weights_at(c.table, c.dblock);
    c.criterion.scale = 1.0 / target_tokens();
    return c;
}

void network_case_free(Case *c)
{
    arena_free(&c->memory);
    arena_free(&c->batch_memory);
    parameters_free(c->table);
    heap_free(&c->heap);
}

static Batch batch_of(Case *c, const Sentence *of, int count)
{
    Batch batch;
    Sentence sentences[2 * SENTENCES];
    BatchSize size = batch_size(of, count);
    for (int i = 0; i < count; i++) {
        sentences[i] = of[i];
        sentences[i].without_end = c->net.options.source_end;
    }
    arena_reserve(&c->batch_memory, batch_measure(size));
    batch_build(&batch, &c->batch_memory, sentences, count, BEGIN);
    return batch;
}

/* R-Drop's batch: each sentence twice, one after the other, with numbers of their own. */
static int repeat(Sentence *twice, const Sentence *sentences, int count)
{
    for (int i = 0; i < 2 * count; i++) {
        twice[i] = sentences[i / 2];
        twice[i].number = 2 * sentences[i / 2].number + i % 2;
    }
    return 2 * count;
}

Loss gradient(Case *c, const Sentence *sentences, int count)
{
    Sentence twice[2 * SENTENCES];
    if (c->criterion.r_drop > 0) {
        count = repeat(twice, sentences, count);
        sentences = twice;
    }
    Batch batch = batch_of(c, sentences, count);
    arena_reserve(&c->memory, network_measure(&c->net, batch.size, 1) - batch_measure(batch.size));
    Pass pass = pass_of_batch(&c->net, &c->w, &batch);
    pass.gradients = &c->dw;
    pass.noise = &c->noise;
    return network_gradient(&pass, &c->criterion, &c->memory);
}

int choose(Sentence *sentences, int first, int step)
{
    int count = 0;
    for (int i = first; i < SENTENCES; i += step)
        sentences[count++] = sentence_of(i);
    return count;
}

Loss gradient_of_all(Case *c)
{
    Sentence sentences[SENTENCES];
    return gradient(c, sentences, choose(sentences, 0, 1));
}

Batch batch_of_all(Case *c)
{
    Sentence sentences[SENTENCES];
    return batch_of(c, sentences, choose(sentences, 0, 1));
}

Loss loss_of_all(Case *c)
{
    const Batch batch = batch_of_all(c);
    arena_reserve(&c->memory, network_measure(&c->net, batch.size, 0) - batch_measure(batch.size));
    Pass pass = pass_of_batch(&c->net, &c->w, &batch);
    pass.noise = &c->noise;
    return network_loss(&pass, c->criterion.smoothing, &c->memory);
}

void assert_same_loss(Loss got, Loss expected)
{
    const double numbers[] = { expected.smoothed, expected.plain };
    const real both[] = { (real)got.smoothed, (real)got.plain };
    assert_near(both, numbers, 2, operations);
}

NetworkOptions network_case_small(int layers)
{
    return (NetworkOptions){ .embedding = 4, .hidden = 3, .attention_width = 5,
                             .attention_positions = 4, .attention_window = 1, .layers = layers };
}

void check_kind(Check check, const NetworkOptions *options)
{
    Err e;
    if (network_check(options, &e)) return;
    Case c = network_case_new(options, SOURCE_WORDS,
                              options->tie == TIE_ALL ? SOURCE_WORDS : TARGET_WORDS);
    c.criterion.smoothing = 0.1;
    check(&c);
    network_case_free(&c);
}

NetworkOptions kind_of(const char *options)
{
    NetworkOptions kind = network_case_small(1);
    kind.heads = kind.hard_positions = 1;
    kind.residual_from = 2;
    while (*options) {
        Err e = { "" };
        char value[32] = "";
        const size_t name = strcspn(options, "="), length = strcspn(options + name + 1, " ");
        const Field *field = fields_find(network_fields, options, name);
        strncat(value, options + name + 1, length);
        if (!field || field_set(field, &kind, value, &e)) fail_msg("%s: %s", options, e.text);
        options += name + 1 + length;
        options += *options == ' ';
    }
    return kind;
}

void check_kinds(Check check, const char *const *kinds)
{
    for (; *kinds; kinds++) {
        const NetworkOptions options = kind_of(*kinds);
        check_kind(check, &options);
    }
}

/* With dropout: the masks depend on key, place and token alone, so the loss is still a function.
 * Only the gradient has R-Drop's; forward alone takes a third of its time. */
static double objective(void *context)
{
    Case *c = context;
    const Loss loss = c->criterion.r_drop > 0 ? gradient_of_all(c) : loss_of_all(c);
    return c->criterion.scale * loss.smoothed;
}

void check_differences(Case *c)
{
    gradient_of_all(c);
    c->dw = weights_at(c->table, heap_zeros(&c->heap, c->table->size));  /* the objective's */
    for (int i = 0; i < c->table->count; i++) {
        const Parameter *p = &c->table->row[i];
        assert_central_differences(p->name, c->dblock + p->at, c->block + p->at, parameter_count(p),
                                   objective, c, operations, __FILE__, __LINE__);
    }
}
