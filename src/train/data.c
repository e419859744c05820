/* data.c - read, split, learn the tokenizers, encode. */
#include "train/data.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Indices into a corpus. */
typedef struct { size_t *pair, count; } Chosen;

/* Validation pairs are cut to so many tokens a side: a file of documents must not ask for all memory. */
enum { LONGEST_VALID = 1000 };

/* The part that a source of the corpus falls to. */
static Part part_of(const DataOptions *options, const char *source)
{
    if (!options->holdout) return PART_TRAIN;
    Part part = corpus_part(source);
    return part == PART_VALID && options->valid ? PART_TRAIN : part;
}

static Chosen choose(const Corpus *corpus, const DataOptions *options, Part part)
{
    Chosen chosen = { xmalloc(corpus->count, sizeof *chosen.pair), 0 };
    for (size_t i = 0; i < corpus->count; i++)
        if (part_of(options, corpus->source[i]) == part) chosen.pair[chosen.count++] = i;
    return chosen;
}

static Chosen choose_all(const Corpus *corpus)
{
    Chosen chosen = { xmalloc(corpus->count, sizeof *chosen.pair), corpus->count };
    for (size_t i = 0; i < corpus->count; i++)
        chosen.pair[i] = i;
    return chosen;
}

int data_read(Data *data, const DataOptions *options, Err *e)
{
    *data = (Data){ 0 };
    if (corpus_read(&data->corpus, options->first, options->second, &options->corpus, e)) return -1;
    if (!options->valid) return 0;
    CorpusOptions all = options->corpus;
    all.max_pairs = 0;
    return corpus_read(&data->valid_corpus, options->valid, NULL, &all, e);
}

static Tokenizer *learn(const TextOptions *options, const char **lines, const Chosen *chosen)
{
    Words words = { 0 };
    Lexicon seen = { 0 };
    for (size_t i = 0; i < chosen->count; i++) {
        const char *line = lines[chosen->pair[i]];
        tokenizer_split(options, line, strlen(line), &words);
        for (size_t k = 0, length; k < words.count; k++) {
            const char *word = words_at(&words, k, &length);
            lexicon_count(&seen, word, length, 1);
        }
    }
    Tokenizer *t = tokenizer_learn(options, &(WordCounts){ &seen, seen.tally }, 1, NULL);
    lexicon_free(&seen);
    words_free(&words);
    return t;
}

static void prepare_validation(Data *data, const DataOptions *options)
{
    const Corpus *corpus = options->valid ? &data->valid_corpus : &data->corpus;
    Chosen chosen = options->valid ? choose_all(corpus) : choose(corpus, options, PART_VALID);
    long dropped = 0;
    pairs_encode(&data->valid, corpus, chosen.pair, chosen.count, data->source, data->target, LONGEST_VALID, 1,
                 &dropped);
    segments_group(&data->text, corpus, chosen.pair, chosen.count);
    segments_thin(&data->text, (size_t)options->valid_segments);
    data->part[PART_VALID] = chosen.count;
    free(chosen.pair);
}

int data_prepare(Data *data, const DataOptions *options, Err *e)
{
    Chosen train = choose(&data->corpus, options, PART_TRAIN), test = choose(&data->corpus, options, PART_TEST);
    data->part[PART_TRAIN] = train.count;
    data->part[PART_TEST] = test.count;
    free(test.pair);
    data->source = learn(&options->text, data->corpus.source, &train);
    data->target = learn(&options->text, data->corpus.target, &train);
    pairs_encode(&data->train, &data->corpus, train.pair, train.count, data->source, data->target,
                 options->max_length, options->truncate, &data->dropped);
    free(train.pair);
    prepare_validation(data, options);
    if (data->train.count) return 0;
    if (!data->part[PART_TRAIN])
        return err(e, "%s: all %zu pairs belong to the held-out parts; add pairs, or use --no-holdout", options->first,
                   data->corpus.count);
    return err(e, "%s: all %zu training pairs are longer than %d tokens; raise --max-length", options->first,
               data->part[PART_TRAIN], options->max_length);
}

void data_free(Data *data)
{
    tokenizer_free(data->source);
    tokenizer_free(data->target);
    corpus_free(&data->corpus);
    corpus_free(&data->valid_corpus);
    pairs_free(&data->train);
    pairs_free(&data->valid);
    segments_free(&data->text);
}
