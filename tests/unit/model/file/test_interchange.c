/* test_interchange.c - a model file that PyTorch trained and wrote (scripts/make-reference): text
 * to ids, ids to log P, text to text, all as scripts/attn_torch.py computes them from
 * the same file.
 */
#include "base/mem.h"
#include "base/system/pool.h"
#include "model/file/model_file.h"
#include "model/network.h"
#include "reference.h"
#include "translate/translator.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* A logit is computed in some twenty steps, with sums of up to 36 terms. */
static const double operations = 720;

typedef struct {
    cJSON *reference;
    Model  model;
} Tiny;

static int tiny_setup(void **state)
{
    Err e = { "" };
    Tiny *tiny = xcalloc(1, sizeof *tiny);
    *state = tiny;
    tiny->reference = reference_open("tiny");
    if (model_load(&tiny->model, "tests/data/reference/tiny.safetensors", &e))
        fail_msg("%s", e.text);
    return 0;
}

static int tiny_teardown(void **state)
{
    Tiny *tiny = *state;
    model_free(&tiny->model);
    cJSON_Delete(tiny->reference);
    free(tiny);
    return 0;
}

static size_t count_of(const Tiny *tiny, const char *key)
{
    return (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(tiny->reference, key));
}

static const char *text_of(const Tiny *tiny, const char *key, size_t i)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(tiny->reference, key);
    const char *text = cJSON_GetStringValue(cJSON_GetArrayItem(list, (int)i));
    assert_non_null(text);
    return text;
}

/* ---- one pair ---- */

typedef struct {
    Ids     source, target;
    Architecture     net;
    Weights w;
    Arena   memory;
    Batch   batch;
} Case;

static Case case_new(const Tiny *tiny, size_t pair)
{
    const Model *m = &tiny->model;
    const char *source = text_of(tiny, "sources", pair), *target = text_of(tiny, "targets", pair);
    Case c = { .net = architecture_of(&m->network, tokenizer_size(m->source),
                                      tokenizer_size(m->target)),
               .w = weights_at(m->table, m->weights) };
    tokenizer_encode(m->source, source, strlen(source), &c.source, NULL);
    tokenizer_encode(m->target, target, strlen(target), &c.target, NULL);
    ids_add(&c.source, ID_EOS);
    ids_add(&c.target, ID_EOS);
    const Sentence sentence = { c.source.id, c.target.id, (int)c.source.count, (int)c.target.count,
                                0, 0 };
    arena_reserve(&c.memory, 1 << 22);
    batch_build(&c.batch, &c.memory, &sentence, 1, ID_BOS);
    return c;
}

static void case_free(Case *c)
{
    ids_free(&c->source);
    ids_free(&c->target);
    arena_free(&c->memory);
}

static void assert_ids(const Tiny *tiny, const char *key, const Ids *ids)
{
    Heap heap = { 0 };
    const int *expected = reference_ints(&heap, tiny->reference, key, ids->count);
    assert_memory_equal(ids->id, expected, ids->count * sizeof *expected);
    heap_free(&heap);
}

static void text_should_become_the_ids_that_the_script_makes_of_it(void **state)
{
    Tiny *tiny = *state;
    Case c = case_new(tiny, 0);
    assert_ids(tiny, "source", &c.source);
    assert_ids(tiny, "target", &c.target);
    case_free(&c);
}

static void probabilities_of_translations_should_be_those_of_pytorch(void **state)
{
    Tiny *tiny = *state;
    Heap heap = { 0 };
    const size_t count = count_of(tiny, "scores");
    const double *expected = reference_doubles(&heap, tiny->reference, "scores", count);
    for (size_t i = 0; i < count; i++) {
        Case c = case_new(tiny, i);
        const Pass pass = pass_of_batch(&c.net, &c.w, &c.batch);
        Loss loss = network_loss(&pass, 0, &c.memory);
        assert_near(&(real){ (real)-loss.plain }, &expected[i], 1, operations);
        case_free(&c);
    }
    heap_free(&heap);
}

static void assert_attention(const Tiny *tiny, const Translation *t)
{
    Heap heap = { 0 };
    const size_t count = (size_t)(t->chunk->hypothesis->length * t->chunk->source_length);
    const double *expected = reference_doubles(&heap, tiny->reference, "attention", count);
    real *weights = heap_zeros(&heap, count);
    for (size_t i = 0; i < count; i++)
        weights[i] = t->chunk->hypothesis->attention[i];
    assert_all_near("attention", weights, expected, count, operations, FLT_EPSILON, __FILE__,
                    __LINE__);
    heap_free(&heap);
}

/* Sentences it has learned, and others: with unknown characters, and without an end (PyTorch's
 * loops go on). */
static void greedy_translations_and_their_attention_should_be_those_of_pytorch(void **state)
{
    Tiny *tiny = *state;
    Heap heap = { 0 };
    const size_t count = count_of(tiny, "lines");
    const char **lines = heap_take(&heap, count, sizeof *lines);
    SearchOptions greedy = search_defaults();
    greedy.beam = greedy.nbest = 1;
    greedy.repeats = 0;
    for (size_t i = 0; i < count; i++)
        lines[i] = text_of(tiny, "lines", i);

    Pool *pool = pool_new(1);
    Translator *translator = translator_new(&tiny->model, 1, &greedy, pool);
    Translations all = translator_run(translator, lines, NULL, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(all.line[i].count, 1);
        assert_string_equal(all.line[i].hypothesis[0].text, text_of(tiny, "translations", i));
        if (i == 0) assert_attention(tiny, &all.line[i]);
    }
    translations_free(&all);
    translator_free(translator);
    pool_free(pool);
    heap_free(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_should_become_the_ids_that_the_script_makes_of_it),
        cmocka_unit_test(probabilities_of_translations_should_be_those_of_pytorch),
        cmocka_unit_test(greedy_translations_and_their_attention_should_be_those_of_pytorch),
    };
    return cmocka_run_group_tests(tests, tiny_setup, tiny_teardown);
}
