/* data_options.c - see data_options.h. */
#include "cmd/train/data_options.h"

#include "cmd/corpus_files.h"
#include "cmd/train/init.h"

#include <limits.h>
#include <stddef.h>

static const char *const translations[] = { "first", "all", NULL };

#define IN(member) .offset = offsetof(PairOptions, member)
const Field pair_fields[] = {
    { .group = "Corpus", .name = "format", .kind = FIELD_CHOICE, IN(format),
      .choices = corpus_formats, .value = "FORM",
      .help = corpus_format_help,
      .reason = "It is needed only where names do not tell: two TSV files that do not end in .tsv, "
                "or more than two files." },
    { .name = "columns", .kind = FIELD_PAIR, IN(columns), .low = 1, .high = CORPUS_COLUMNS,
      .automatic = 1, .value = "S,T",
      .help = corpus_columns_help,
      .reason = "Downloads often have numbers, scores or addresses before the sentences: a number "
                "before each is --columns 2,4. It is for all files: CORPUS, --valid and --replay.",
      .related = "format valid replay" },
    { .name = "holdout", .kind = FIELD_FLAG, IN(holdout),
      .help = "hold out 1 % of the sources for tests and 1 % for validation",
      .reason = "Scores of sentences that training has seen say nothing. The hash of the source "
                "decides, so that every run and every program holds out the same sentences. Turn "
                "it off to learn from all pairs, and give --valid then.",
      .related = "valid" },
    { .name = "pairs", .kind = FIELD_INT, IN(pairs), .low = 0, .high = INT_MAX, .value = "N",
      .help = "read only the first N pairs; 0: all",
      .reason = "It makes a quick trial on a part of a large corpus.",
      .related = "memory time-limit" },
    { .name = "max-bytes", .kind = FIELD_INT, IN(max_bytes), .low = 1, .high = INT_MAX,
      .value = "N",
      .help = "skip pairs with a longer side",
      .reason = "A side this long is no sentence but a broken file; it would only cost memory.",
      .related = "max-length strict" },
    { .name = "max-ratio", .kind = FIELD_REAL, IN(max_ratio), .low = 0, .high = 1e6, .automatic = 1,
      .value = "R",
      .help = "skip pairs with (longer + 16) / (shorter + 16) bytes above R; 0: keep them; auto: 4; 0 with "
              "--tokens symbol",
      .reason = "Where one side is many times as long as the other they are hardly translations of "
                "each other. The 16 spares short sentences. Raise it for scripts whose letters "
                "take three bytes beside one.",
      .related = "skip-equal skip-duplicates strict dry-run" },
    { .name = "skip-equal", .kind = FIELD_INT, IN(equal_words), .low = 0, .high = INT_MAX,
      .automatic = 1, .value = "N",
      .help = "skip pairs with equal sides of N or more words; 0: keep them; auto: 4; 0 with --tokens symbol",
      .reason = "A sentence that was left untranslated teaches the network to copy. Short ones, "
                "such as names, are often the same in both languages.",
      .related = "max-ratio copy-words placeholders dry-run" },
    { .name = "skip-duplicates", .kind = FIELD_FLAG, IN(skip_duplicates),
      .help = "skip pairs that occurred before",
      .reason = "A pair that occurs many times weighs as much as many pairs and teaches nothing "
                "new.",
      .related = "translations dry-run" },
    { .name = "translations", .kind = FIELD_CHOICE, IN(translations), .choices = translations,
      .value = "WHICH",
      .help = "of several translations of one training source, learn the first, or all",
      .reason = "A network that learns several translations of a source writes a mixture of them. "
                "The first alone gave a higher BLEU, also with all references (data/tried.md).",
      .related = "skip-duplicates dropout" },
    { .name = "strict", .kind = FIELD_FLAG, IN(strict),
      .help = "stop with an error at a line without a tab, with an empty side, invalid UTF-8 or "
              "too many bytes",
      .reason = "In a corpus that is meant to be clean a line that is no pair is a mistake to be "
                "found, not to be left out.",
      .related = "max-bytes" },
    { .name = NULL }
};

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
    if (!c->hyper.phrases || c->own.dry_run || c->own.dump_config) return 0;
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
