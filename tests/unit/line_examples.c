/* line_examples.c - words to numbers to examples to ids. */
#include "line_examples.h"

#include "base/mem.h"
#include "scratch.h"

static int add_words(const TextOptions *options, const char *line, StringTable *words, Ids *numbers)
{
    Words split = { 0 };
    tokenizer_split(&(Tokenizer){ .options = *options }, line, strlen(line), &split);
    for (size_t i = 0; i < split.count; i++) {
        ids_add(numbers, string_table_add(words, words_at(&split, i)));
    }
    int count = (int)split.count;
    words_free(&split);
    return count;
}

void line_examples(Examples *x, const char *const *sources, const char *const *targets,
                   size_t count, const Tokenizer *source, const Tokenizer *target,
                   const ExampleOptions *options, size_t memory)
{
    static const Lexicon *const none[LANGUAGES] = { NULL };
    line_examples_with(x, sources, targets, count, source, target, none, options, memory);
}

void line_examples_with(Examples *x, const char *const *sources, const char *const *targets,
                        size_t count, const Tokenizer *source, const Tokenizer *target,
                        const Lexicon *const lexicon[LANGUAGES], const ExampleOptions *options,
                        size_t memory)
{
    Err e;
    StringTable words = { 0 };
    Ids numbers = { 0 };
    PairStore *store = store_new(memory, "/tmp", (Portion){ 0, 1 });
    for (size_t i = 0; i < count; i++) {
        numbers.count = 0;
        int m = add_words(&source->options, sources[i], &words, &numbers);
        int n = add_words(&target->options, targets[i], &words, &numbers);
        if (store_add(store, &(Record){ numbers.id, numbers.id + m, m, n }, &e))
            fail_msg("%s", e.text);
    }
    WordKinds kinds = { 0 };
    WordForms forms;
    word_kinds_extend(&kinds, &words);
    word_forms_init(&forms, &words, &kinds, &source->options, lexicon);
    if (examples_init(x, store, &forms, source, target, options, &e)) fail_msg("%s", e.text);
    ids_free(&numbers);
}

void example_pairs(const Examples *x, Pairs *pairs)
{
    Err e;
    Examples plain = *x;
    Ids source = { 0 }, target = { 0 };
    plain.options.bpe_dropout = plain.options.copy_words = 0;
    *pairs = (Pairs){ .source_at = xcalloc(x->count + 1, sizeof *pairs->source_at),
                      .target_at = xcalloc(x->count + 1, sizeof *pairs->target_at) };
    for (int k = 0; k < store_shards(x->store); k++) {
        const Shard *shard = store_load(x->store, k, &e);
        if (!shard) fail_msg("%s", e.text);
        for (size_t i = 0; i < shard->count; i++) {
            Record pair = shard_record(shard, i);
            examples_add(&plain, &pair, (Visit){ .key = 1 }, &source, &target);
            pairs->source_at[++pairs->count] = source.count;
            pairs->target_at[pairs->count] = target.count;
        }
    }
    pairs->source = source.id;
    pairs->target = target.id;
}
