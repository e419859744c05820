/* search_options.c - the options as tables, their defaults, and what follows from them. */
#include "search/search_options.h"

#include "linalg/precision.h"
#include "text/tokenizer/tokenizer.h"

#include <math.h>
#include <stddef.h>

#define AT(field) .offset = offsetof(SearchOptions, field)
const Field search_fields[] = {
    { .group = "Search", .name = "beam", .kind = FIELD_INT, AT(beam), .low = 1, .high = 100,
      .value = "N", .help = "hypotheses kept at every step; 1: greedy search",
      .common = 1,
      .reason = "More hypotheses find better translations and take more time. 5 is worth 1 to 2 "
                "BLEU over greedy search (data/results/quality.md).",
      .related = "nbest normalize sample precision" },
    { .name = "beam-threshold", .kind = FIELD_REAL, AT(beam_threshold), .low = 0, .high = 1000,
      .value = "T",
      .help = "give up hypotheses whose log-probability is more than T below the best; 0: none",
      .reason = "They next to never win, and cost as much as the others. 2 saves half of the time, "
                "changes at most 6 translations in 1,000, and no BLEU (data/results/speed.md). With "
                "--nbest N the Nth best counts; with networks of both directions T is half as "
                "much again.",
      .related = "beam nbest" },
    { .name = "nbest", .kind = FIELD_INT, AT(nbest), .low = 1, .high = 100, .value = "N",
      .help = "translations of each line, at most --beam; fewer where no more are found",
      .common = 1,
      .reason = "They are alternatives to choose from, or to be ranked by another program.",
      .related = "beam sample json" },
    { .name = "normalize", .kind = FIELD_REAL, AT(normalize), .low = 0, .high = 10,
      .automatic = 1, .value = "A",
      .help = "divide log-probabilities by length^A before they are compared; auto: the model's, "
              "else 1",
      .reason = "Every word lowers the probability, so that a search without this prefers short "
                "translations. 0 compares plain probabilities, higher values prefer longer ones. "
                "attn train keeps in the model with which A translations of the validation part "
                "are as long as their references.",
      .related = "beam nbest" },
    { .name = "repeats", .kind = FIELD_INT, AT(repeats), .low = 0, .high = REPEATS_MOST,
      .value = "N", .help = "repeat the same tokens at most N times in a row; 0: no limit",
      .reason = "A network that loses its way says the same again and again.",
      .related = "beam" },
    { .name = "batch", .kind = FIELD_INT, AT(batch), .low = 1, .high = 10000, .value = "N",
      .help = "sentences translated together",
      .reason = "More sentences at a time are faster and take more memory. The translations are "
                "the same.",
      .related = "threads beam" },
    { .name = "split", .kind = FIELD_FLAG, AT(split),
      .help = "cut a line where it has more tokens than the examples that the model learned from, at "
              "ends of sentences if it can; off: only where it is too long for any",
      .reason = "A network translates longer lines than it has learned badly. Of a model that doesn't know "
                "the length of its examples each sentence is translated by itself. Turn it off where "
                "each line is one sentence whatever its punctuation, as bergamot-translator does with "
                "--ssplit-mode sentence.",
      .related = "batch" },
    { .name = "replace-unknown", .kind = FIELD_FLAG, AT(replace_unknown),
      .help = "in models of words: replace <unk> by the source word with the highest attention; "
              "other models always do",
      .reason = "A word that the vocabulary lacks is mostly a name, and the source word that the "
                "network looks at is then its translation.",
      .related = "beam" },
    { .name = "precision", .kind = FIELD_CHOICE, AT(precision), .choices = precision_names,
      .automatic = 1, .value = "HOW",
      .help = "products of the network: of 32-bit numbers (float), or with factors rounded to bfloat16 (bf16) or "
              "8-bit integers (int8); auto: int8 where there are kernels for it, else float, and float for the "
              "loss and for scores of given translations",
      .common = 1,
      .reason = "8-bit integers are more than twice as fast as 32-bit numbers, and bfloat16 lies between; neither cost "
                "BLEU that was more than chance (data/results/speed.md). Logits have 8 bits with both. float has the "
                "probabilities that training has.",
      .related = "batch threads beam" },
    { .name = NULL }
};

const Field sampling_fields[] = {
    { .group = "Sampling", .name = "sample", .kind = FIELD_FLAG, AT(sample),
      .help = "choose each word at random, by its probability, instead of searching; --nbest N "
              "gives N translations",
      .reason = "It shows what else the network holds for possible, and gives many different "
                "translations of one sentence, as back-translation wants them.",
      .related = "temperature top-k top-p seed nbest beam" },
    { .name = "temperature", .kind = FIELD_REAL, AT(sampling.temperature), .low = 0.01, .high = 100,
      .value = "T",
      .help = "divide the logits by T: below 1 likely words become likelier, above 1 rarer",
      .reason = "Below 1 there are fewer mistakes and less variety.",
      .related = "sample top-k top-p" },
    { .name = "top-k", .kind = FIELD_INT, AT(sampling.top_k), .low = 0, .high = VOCABULARY_MOST,
      .value = "K", .help = "choose among the K most probable words; 0: among all",
      .reason = "It leaves out the many improbable words that together are drawn now and then.",
      .related = "sample top-p temperature" },
    { .name = "top-p", .kind = FIELD_REAL, AT(sampling.top_p), .low = 0, .high = 1, .value = "P",
      .help = "choose among the fewest words with a total probability of P; 0: take the most "
              "probable",
      .reason = "It leaves out improbable words where the network is sure, and keeps many where it "
                "is not.",
      .related = "sample top-k temperature" },
    { .name = "seed", .kind = FIELD_SEED, AT(seed), .value = "N",
      .help = "seed of the random numbers",
      .reason = "The same seed draws the same translations, whatever the number of threads.",
      .related = "sample" },
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
