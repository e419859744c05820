/* search_options.c - the options as tables, their defaults, and what follows from them. */
#include "search/search_options.h"

#include "linalg/precision.h"
#include "text/tokenizer/tokenizer.h"

#include <math.h>
#include <stddef.h>

#define AT(field) .offset = offsetof(SearchOptions, field)
const Field search_fields[] = {
    { .group = "Search", .name = "beam", .kind = FIELD_INT, AT(beam), .low = 1, .high = 100,
      .automatic = 1, .value = "N",
      .help = "hypotheses kept at every step; 1: greedy search; auto: what the model says, else 5",
      .common = 1 },
    { .name = "beam-threshold", .kind = FIELD_REAL, AT(beam_threshold), .low = 0, .high = 1000,
      .automatic = 1, .value = "T",
      .help = "give up hypotheses whose log-probability is more than T below the best, or with "
              "--nbest N below the Nth best; with networks of both directions 1.5 T; 0: none; auto: "
              "what the model says, else 2" },
    { .name = "nbest", .kind = FIELD_INT, AT(nbest), .low = 1, .high = 100, .value = "N",
      .help = "translations of each line, at most --beam; fewer where no more are found",
      .common = 1 },
    { .name = "normalize", .kind = FIELD_REAL, AT(normalize), .low = 0, .high = 10,
      .automatic = 1, .value = "A",
      .help = "divide log-probabilities by length^A before they are compared: a higher A prefers "
              "longer translations; auto: what attn train found for the model, else 1" },
    { .name = "repeats", .kind = FIELD_INT, AT(repeats), .low = 0, .high = REPEATS_MOST,
      .automatic = 1, .value = "N",
      .help = "repeat the same tokens at most N times in a row; 0: no limit; auto: what the model "
              "says, else 3" },
    { .name = "batch", .kind = FIELD_INT, AT(batch), .low = 1, .high = 10000, .value = "N",
      .help = "sentences translated together; the translations are the same with any number" },
    { .name = "split", .kind = FIELD_FLAG, AT(split),
      .help = "cut a line where it has more tokens than the examples that the model learned from, at "
              "ends of sentences if it can; off: only where it is too long for any" },
    { .name = "replace-unknown", .kind = FIELD_FLAG, AT(replace_unknown),
      .help = "in models of words: replace <unk> by the source word with the highest attention; "
              "other models always do" },
    { .name = "precision", .kind = FIELD_CHOICE, AT(precision), .choices = precision_names,
      .automatic = 1, .value = "HOW",
      .help = "products of the network: of 32-bit numbers (float), or with factors rounded to bfloat16 (bf16) or "
              "8-bit integers (int8); auto: int8 where there are kernels for it, else float, and float for the "
              "loss and for scores of given translations", .common = 1 },
    { .name = NULL }
};

const Field sampling_fields[] = {
    { .group = "Sampling", .name = "sample", .kind = FIELD_FLAG, AT(sample),
      .help = "choose each word at random, by its probability, instead of searching; --nbest N "
              "gives N translations" },
    { .name = "temperature", .kind = FIELD_REAL, AT(sampling.temperature), .low = 0.01, .high = 100,
      .value = "T",
      .help = "divide the logits by T: below 1 likely words become likelier, above 1 rarer" },
    { .name = "top-k", .kind = FIELD_INT, AT(sampling.top_k), .low = 0, .high = VOCABULARY_MOST,
      .value = "K", .help = "choose among the K most probable words; 0: among all" },
    { .name = "top-p", .kind = FIELD_REAL, AT(sampling.top_p), .low = 0, .high = 1, .value = "P",
      .help = "choose among the fewest words with a total probability of P; 0: take the most "
              "probable" },
    { .name = "seed", .kind = FIELD_SEED, AT(seed), .value = "N",
      .help = "seed of the random numbers" },
    { .name = NULL }
};

SearchOptions search_defaults(void)
{
    return (SearchOptions){ .beam = 5, .beam_threshold = 2, .nbest = 1, .normalize = 1,
                            .repeats = 3, .batch = 64, .split = 1,
                            .sampling = { .temperature = 1, .top_p = 1 }, .seed = 1,
                            .attention = 1, .probabilities = 1 };
}

int search_precision(void)
{
    return precision_is_fast(PRECISION_INT8) ? PRECISION_INT8 : PRECISION_FLOAT;
}

int search_places(const SearchOptions *options)
{
    return options->nbest + options->extra;
}

double search_score(const SearchOptions *options, double log_probability, int length)
{
    return log_probability / pow(length, options->normalize);
}

int search_is_stopped(const SearchOptions *options)
{
    return options->stop && atomic_load_explicit(options->stop, memory_order_relaxed);
}
