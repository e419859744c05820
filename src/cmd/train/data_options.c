/* data_options.c - see data_options.h. */
#include "cmd/train/data_options.h"

#include "cmd/train/init.h"

/* --memory in bytes: more training pairs than that go to a file. */
static size_t bytes_of(double megabytes)
{
    return (size_t)(megabytes * 1e6);
}

/* Word pairs to learn to find phrases from, in a quarter of the memory. Every process has them all,
 * so that what is learned does not depend on their number. Most stand in many sentences, so that one
 * takes some 10 bytes. */
static size_t sample_size(const Config *c, size_t memory)
{
    enum { MOST = 8000000, BYTES_A_WORD_PAIR = 16 };
    const size_t room = memory / 4 / BYTES_A_WORD_PAIR;
    if (c->hyper.phrases <= 0 || c->own.dry_run || c->own.dump_config) return 0;
    return room < MOST ? room : MOST;
}

DataOptions data_options(const Config *c, const BitextFiles *files, const char *folder)
{
    enum { BYTES_A_HASH = 32, SHARE_OF_HASHES = 8 };        /* of pairs, and as many of sources */
    const size_t memory = bytes_of(c->own.memory), hashes = memory / BYTES_A_HASH / SHARE_OF_HASHES;
    const Model *base = c->init ? &c->init->model : &(Model){ 0 };
    return (DataOptions){
        .base = { model_source(base), model_target(base) },
        .files = *files, .valid = c->own.valid, .replay = c->own.replay,
        .holdout = c->pairs.holdout,
        .cleaning = { .max_bytes = c->pairs.max_bytes, .max_ratio = c->pairs.max_ratio,
                      .strict = c->pairs.strict,
                      .equal_words = c->pairs.equal_words, .max_pairs = c->pairs.pairs,
                      .duplicates = c->pairs.skip_duplicates ? hashes : 0 },
        .first_only = c->pairs.translations == TRANSLATIONS_FIRST ? hashes : 0,
        .sample = sample_size(c, memory),
        .memory = memory, .folder = folder, .workers = c->hyper.threads, .text = c->text,
    };
}
