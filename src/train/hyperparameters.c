/* hyperparameters.c - see hyperparameters.h. */
#include "train/hyperparameters.h"

#include "linalg/precision.h"

#include <limits.h>
#include <stddef.h>

static const char *const normalizations[] = { "tokens", "steps", NULL };
static const char *const measures[] = { "loss", "bleu", "chrf", NULL };
static const char *const masks[] = { "token", "sentence", NULL };

#define AT(member) .offset = offsetof(Hyperparameters, member)
const Field hyperparameter_fields[] = {
    { .group = "Training", .name = "epochs", .kind = FIELD_INT, AT(epochs), .low = 1,
      .high = 1000000, .automatic = 1, .value = "N",
      .help = "largest number of passes over the training pairs" },
    { .name = "steps", .kind = FIELD_INT, AT(steps), .low = 0, .high = INT_MAX, .value = "N",
      .help = "largest number of updates; 0: no limit" },
    { .name = "time-limit", .kind = FIELD_TIME, AT(time_limit), .low = 0, .high = 1e9,
      .value = "TIME", .help = "stop after this time: 90, 6m, 1h30m, 2d; 0: no limit" },
    { .name = "patience", .kind = FIELD_INT, AT(patience), .low = 0, .high = 1000000, .value = "N",
      .help = "stop after N validations without improvement; 0: never" },
    { .name = "early-stop", .kind = FIELD_CHOICE, AT(early_stop), .choices = measures,
      .value = "MEASURE",
      .help = "measure that chooses the best weights; bleu and chrf need many "
              "--validate-sentences" },
    { .name = "batch", .kind = FIELD_INT, AT(batch), .low = 1, .high = 100000, .automatic = 1,
      .value = "N", .help = "sentence pairs a batch" },
    { .name = "batch-tokens", .kind = FIELD_INT, AT(batch_tokens), .low = 0, .high = 1000000,
      .automatic = 1, .value = "N",
      .help = "tokens a batch, of the longer side of each pair, in place of --batch; 0: by pairs" },
    { .name = "accumulate", .kind = FIELD_INT, AT(accumulate), .low = 1, .high = 10000,
      .value = "N", .help = "batches an update; its gradient is the mean over all their tokens" },
    { .name = "max-length", .kind = FIELD_INT, AT(max_length), .low = 2, .high = 100000,
      .value = "N", .help = "longest side of a training pair, in tokens" },
    { .name = "truncate", .kind = FIELD_FLAG, AT(truncate),
      .help = "cut longer sides instead of skipping the pair" },
    { .name = "learning-rate", .kind = FIELD_REAL, AT(rate), .low = 1e-9, .high = 1, .automatic = 1,
      .value = "RATE", .help = "step size of Adam; auto: 0.002" },
    { .name = "decay", .kind = FIELD_REAL, AT(decay), .low = 0.01, .high = 1, .value = "FACTOR",
      .help = "multiply the rate by this after a validation without improvement" },
    { .name = "schedule", .kind = FIELD_CHOICE, AT(schedule.kind), .choices = schedule_names,
      .value = "FORM",
      .help = "course of the rate after the warm-up, by the share of epochs, steps or time that is "
              "done" },
    { .name = "warmup", .kind = FIELD_REAL, AT(schedule.warmup), .low = 0, .high = 1e9,
      .automatic = 1, .value = "N",
      .help = "first updates (below 1: first share of the run) in which the rate rises from 0" },
    { .name = "cooldown", .kind = FIELD_REAL, AT(schedule.cooldown), .low = 0, .high = 1,
      .value = "SHARE",
      .help = "last share of the run in which the rate of constant and inverse-sqrt falls to 0" },
    { .name = "average", .kind = FIELD_REAL, AT(average), .low = 0, .high = 0.999999,
      .automatic = 1, .value = "BETA",
      .help = "save a moving average of the weights with this decay an update; 0: the weights "
              "themselves" },
    { .name = "clip", .kind = FIELD_REAL, AT(clip), .low = 0, .high = 1e9, .value = "NORM",
      .help = "largest norm of the gradient; 0: no clipping" },
    { .name = "weight-decay", .kind = FIELD_REAL, AT(weight_decay), .low = 0, .high = 1,
      .value = "D", .help = "each update reduces all matrices by the share RATE * D (AdamW)" },
    { .name = "normalize-loss", .kind = FIELD_CHOICE, AT(normalize), .choices = normalizations,
      .value = "BY",
      .help = "tokens: mean over real target tokens; steps: sum over --max-length (the "
              "textbook's)" },
    { .name = "dropout", .kind = FIELD_REAL, AT(dropout), .low = 0, .high = 0.95, .automatic = 1,
      .value = "P", .help = "share of values dropped between layers and in the deep readout" },
    { .name = "dropout-embedding", .kind = FIELD_REAL, AT(dropout_embedding), .low = 0,
      .high = 0.95, .automatic = 1,
      .value = "P", .help = "share of values dropped in the word embeddings" },
    { .name = "dropout-recurrent", .kind = FIELD_REAL, AT(dropout_recurrent), .low = 0,
      .high = 0.95, .value = "P",
      .help = "share of values dropped in the recurrent state where a step multiplies it" },
    { .name = "word-dropout-source", .kind = FIELD_REAL, AT(word_dropout_source), .low = 0,
      .high = 0.95, .value = "P",
      .help = "share of the source words whose whole embedding is dropped" },
    { .name = "word-dropout-target", .kind = FIELD_REAL, AT(word_dropout_target), .low = 0,
      .high = 0.95, .value = "P",
      .help = "share of the target words whose whole embedding is dropped at the input of the "
              "decoder" },
    { .name = "dropout-mask", .kind = FIELD_CHOICE, AT(dropout_mask), .choices = masks,
      .value = "PER",
      .help = "drop other values for each token, or the same ones in all tokens of a sentence "
              "(variational)" },
    { .name = "dropout-attention", .kind = FIELD_REAL, AT(dropout_attention), .low = 0,
      .high = 0.95, .value = "P", .help = "share of attention weights dropped" },
    { .name = "label-smoothing", .kind = FIELD_REAL, AT(label_smoothing), .low = 0, .high = 0.9,
      .automatic = 1,
      .value = "E", .help = "share of the probability that is spread over all words; auto: 0.1" },
    { .name = "sparse-gradient", .kind = FIELD_REAL, AT(sparse_gradient), .low = 0, .high = 1,
      .value = "G",
      .help = "sample gradients below G at the output layer: each becomes 0, G or -G at random, "
              "without bias; 0: keep all as they are" },
    { .name = "bpe-dropout", .kind = FIELD_REAL, AT(bpe_dropout), .low = 0, .high = 1,
      .automatic = 1, .value = "P",
      .help = "share of the merges left out at random, so that a word is split in many ways" },
    { .name = "copy-words", .kind = FIELD_REAL, AT(copy_words), .low = 0, .high = 1, .value = "P",
      .help = "share of the known names and numbers, equal on both sides, that become placeholders "
              "(or <unk>, without them), to learn to copy unknown ones" },
    { .name = "noise", .kind = FIELD_REAL, AT(noise), .low = 0, .high = 1, .value = "P",
      .help = "share of the sources that get a typing error, of those that lose their final mark, "
              "and of those that lose their accents" },
    { .name = "validate-every", .kind = FIELD_INT, AT(validate_every), .low = 0, .high = INT_MAX,
      .automatic = 1, .value = "N",
      .help = "updates between validations; 0: once an epoch" },
    { .name = "validate-sentences", .kind = FIELD_INT, AT(validate_sentences), .low = 0,
      .high = INT_MAX,
      .automatic = 1, .value = "N", .help = "validation sentences translated for BLEU and chrF" },
    { .name = "seed", .kind = FIELD_SEED, AT(seed), .value = "N",
      .help = "seed of all random numbers; the same seed and threads give the same model" },
    { .name = "precision", .kind = FIELD_CHOICE, AT(precision),
      .choices = learning_precision_names, .automatic = 1, .value = "HOW",
      .help = "products in training; bf16 rounds their factors to 8 bits and keeps sums and "
              "weights in 32; it is twice as fast, and auto chooses it where the CPU has it" },
    { .name = "threads", .letter = 't', .alias = "jobs", .kind = FIELD_INT, AT(threads), .low = 0,
      .high = 1024, .value = "N",
      .help = "workers that share each batch, of all processes; 0: one a core" },
    { .name = NULL }
};

Hyperparameters hyperparameters_defaults(void)
{
    return (Hyperparameters){
        .epochs = 30, .batch = 64, .accumulate = 1, .max_length = 80, .rate = 0.002, .decay = 0.5,
        .schedule.cooldown = 0.3, .patience = 5, .clip = 1, .dropout = 0.2,
        .dropout_embedding = 0.2, .label_smoothing = 0.1, .sparse_gradient = 0.02,
        .copy_words = 0.1, .noise = 0.1, .validate_sentences = 200, .seed = 1,
    };
}
