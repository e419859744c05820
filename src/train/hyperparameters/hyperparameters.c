/* hyperparameters.c - see hyperparameters.h. */
#include "train/hyperparameters/hyperparameters.h"

#include "linalg/precision.h"
#include "model/file/model_file.h"

#include <limits.h>
#include <stddef.h>

static const char *const normalizations[] = { "tokens", "steps", NULL };
static const char *const measures[] = { "loss", "bleu", "chrf", "none", NULL };
static const char *const schedules[] = { "constant", "inverse-sqrt", "linear", "cosine", NULL };
static const char *const masks[] = { "token", "sentence", NULL };

#define AT(member) .offset = offsetof(Hyperparameters, member)
#define INTEGER(option, member, least, most) \
    .name = option, .kind = FIELD_INT, AT(member), .low = least, .high = most
#define NUMBER(option, member, least, most) \
    .name = option, .kind = FIELD_REAL, AT(member), .low = least, .high = most

const Field hyperparameter_fields[] = {
    { INTEGER("epochs", epochs, 1, 1000000), .group = "Training", .automatic = 1, .value = "N",
      .common = 1,
      .help = "most passes over the training pairs" },
    { INTEGER("steps", steps, 0, INT_MAX), .value = "N",
      .help = "largest number of updates; 0: no limit" },
    { .name = "time-limit", .kind = FIELD_TIME, AT(time_limit), .low = 0, .high = 1e9,
      .value = "TIME", .common = 1,
      .help = "stop after this time: 90, 6m, 1h30m; 0: never" },
    { INTEGER("ensemble", ensemble, 1, MOST_NETWORKS), .automatic = 1, .value = "N", .common = 1,
      .help = "networks to train one after the other, which translate together; auto: one "
              "for every 10 minutes of --time-limit, at most 3; fewer with many pairs" },
    { INTEGER("right-left", right_left, 0, MOST_NETWORKS - 1), .automatic = 1, .value = "N",
      .help = "of the networks of --ensemble, how many write from right to left, so that both "
              "directions must agree (Liu et al. 2016); auto: 1 of 2 or more, 0 with --truncate; "
              "with --init as many as its model has" },
    { INTEGER("patience", patience, 0, 1000000), .automatic = 1, .value = "N",
      .help = "stop after N validations without improvement; 0: never; auto: 5" },
    { .name = "early-stop", .kind = FIELD_CHOICE, AT(early_stop), .choices = measures,
      .automatic = 1, .value = "MEASURE",
      .help = "measure that chooses the best weights and ends the run; none: all --epochs, and "
              "the last weights; bleu and chrf need many --validate-sentences; auto: none for few "
              "pairs, else loss" },
    { INTEGER("batch", batch, 1, 100000), .automatic = 1, .value = "N", .common = 1,
      .help = "sentence pairs a batch" },
    { INTEGER("batch-tokens", batch_tokens, 0, 1000000), .automatic = 1, .value = "N",
      .help = "tokens a batch, of the longer side of each pair, in place of --batch; 0: by pairs" },
    { INTEGER("accumulate", accumulate, 1, 10000), .value = "N",
      .help = "batches an update; its gradient is the mean over all their tokens" },
    { INTEGER("max-length", max_length, 2, 100000), .value = "N",
      .help = "longest side of a training pair, in tokens; longer pairs are left out" },
    { .name = "truncate", .kind = FIELD_FLAG, AT(truncate),
      .help = "cut longer sides instead of skipping the pair" },
    { NUMBER("learning-rate", rate, 1e-9, 1), .automatic = 1, .value = "RATE", .common = 1,
      .help = "step size of Adam; a network twice as wide needs about half; auto: 0.002" },
    { NUMBER("adam-beta2", beta2, 0, 0.999999), .value = "BETA",
      .help = "share of Adam's mean of squared gradients that an update keeps: a mean over the "
              "last 1 / (1 - BETA) updates" },
    { NUMBER("decay", decay, 0.01, 1), .automatic = 1, .value = "FACTOR",
      .help = "multiply the rate by this after a validation without improvement; auto: 0.5" },
    { .name = "schedule", .kind = FIELD_CHOICE, AT(schedule.kind), .choices = schedules,
      .value = "FORM",
      .help = "course of the rate after the warm-up, by the share of epochs, steps or time that "
              "is done" },
    { NUMBER("warmup", schedule.warmup, 0, 1e9), .automatic = 1, .value = "N",
      .help = "first updates (below 1: first share of the run) in which the rate rises from 0" },
    { NUMBER("cooldown", schedule.cooldown, 0, 1), .value = "SHARE",
      .help = "last share of the run in which the rate of constant and inverse-sqrt falls to 0" },
    { NUMBER("average", average, 0, 0.999999), .automatic = 1, .value = "BETA",
      .help = "save a moving average of the weights with this decay an update; 0: the weights "
              "themselves" },
    { NUMBER("clip", clip, 0, 1e9), .value = "NORM",
      .help = "largest norm of the gradient; 0: no clipping" },
    { NUMBER("weight-decay", weight_decay, 0, 1), .value = "D",
      .help = "each update reduces all matrices by the share RATE * D (AdamW)" },
    { .name = "normalize-loss", .kind = FIELD_CHOICE, AT(normalize), .choices = normalizations,
      .value = "BY",
      .help = "tokens: mean over real target tokens; steps: sum over --max-length (the textbook's)" },
    { NUMBER("dropout", dropout, 0, 0.95), .automatic = 1, .value = "P", .common = 1,
      .help = "share of values dropped between layers" },
    { NUMBER("dropout-embedding", dropout_embedding, 0, 0.95), .automatic = 1, .value = "P",
      .help = "share of values dropped in the word embeddings" },
    { NUMBER("dropout-rise", dropout_rise, 0, 1e6), .automatic = 1, .value = "N",
      .help = "first passes over the training pairs in which --dropout and --dropout-embedding "
              "rise from 0; 0: none" },
    { NUMBER("dropout-recurrent", dropout_recurrent, 0, 0.95), .value = "P",
      .help = "share of values dropped in the recurrent state where a step multiplies it (Gal and "
              "Ghahramani 2016)" },
    { NUMBER("word-dropout-source", word_dropout_source, 0, 0.95), .value = "P",
      .help = "share of the source words whose whole embedding is dropped" },
    { NUMBER("word-dropout-target", word_dropout_target, 0, 0.95), .value = "P",
      .help = "share of the target words whose whole embedding is dropped at the input of the "
              "decoder" },
    { .name = "dropout-mask", .kind = FIELD_CHOICE, AT(dropout_mask), .choices = masks,
      .value = "PER",
      .help = "drop other values for each token, or the same ones in all tokens of a sentence "
              "(variational)" },
    { NUMBER("dropout-attention", dropout_attention, 0, 0.95), .value = "P",
      .help = "share of attention weights dropped" },
    { NUMBER("label-smoothing", label_smoothing, 0, 0.9), .automatic = 1, .value = "E",
      .help = "share of the probability that is spread over all words; auto: 0.1" },
    { NUMBER("r-drop", r_drop, 0, 1000), .automatic = 1, .value = "ALPHA",
      .help = "pass each pair through the network twice, and add to the loss ALPHA times how much "
              "its two predictions differ (Liang et al. 2021); 0: pass it once; auto: 5 below "
              "20,000 pairs, else 0" },
    { NUMBER("sparse-gradient", sparse_gradient, 0, 1), .value = "G",
      .help = "sample gradients below G at the output layer: each becomes 0, G or -G at random, "
              "without bias; 0: keep all as they are" },
    { NUMBER("bpe-dropout", bpe_dropout, 0, 1), .automatic = 1, .value = "P",
      .help = "share of the merges left out at random, so that a word is split in many ways" },
    { NUMBER("copy-words", copy_words, 0, 1), .automatic = 1, .value = "P",
      .help = "share of the known names and numbers, equal on both sides, that become "
              "placeholders (or <unk>, without them), to learn to copy unknown ones; auto: 0.1; 0 "
              "with --tokens symbol" },
    { NUMBER("noise", noise, 0, 1), .automatic = 1, .value = "P",
      .help = "share of the sources that get a typing error, of those that lose their final mark, "
              "and of those that lose their accents; auto: 0.1; 0 with --tokens symbol" },
    { NUMBER("phrases", phrases, 0, 1), .automatic = 1, .value = "P",
      .help = "share of the pairs, drawn anew in each epoch, of which a part is learned in place "
              "of the whole: a phrase and its translation, by a word alignment; auto: 0.05; 0 "
              "with --tokens symbol" },
    { NUMBER("both-directions", both_directions, 0, 1), .automatic = 1, .value = "SHARE",
      .help = "first share of the epochs, steps or time in which half of the pairs, by chance, are "
              "learned from target to source (Ding et al. 2021); 0: none; auto: 0.33 below 60,000 "
              "pairs with one vocabulary, else 0" },
    { INTEGER("validate-every", validate_every, 0, INT_MAX), .automatic = 1, .value = "N",
      .help = "updates between validations; 0: once an epoch" },
    { INTEGER("validate-sentences", validate_sentences, 0, INT_MAX), .automatic = 1, .value = "N",
      .help = "validation sentences translated for BLEU and chrF" },
    { .name = "seed", .kind = FIELD_SEED, AT(seed), .value = "N", .common = 1,
      .help = "seed of all random numbers" },
    { .name = "precision", .kind = FIELD_CHOICE, AT(precision), .choices = learning_precision_names,
      .automatic = 1, .value = "HOW",
      .help = "products in training; bf16 rounds their factors to 8 bits and keeps sums and "
              "weights in 32; it is twice as fast, and auto chooses it where the CPU has it" },
    { INTEGER("threads", threads, 0, 1024), .letter = 't', .value = "N", .common = 1,
      .help = "workers that share each batch; 0: one a core" },
    { .name = NULL }
};

Hyperparameters hyperparameters_defaults(void)
{
    return (Hyperparameters){
        .epochs = 30, .ensemble = 1, .batch = 64, .accumulate = 1, .max_length = 80, .rate = 0.002,
        .beta2 = 0.999, .decay = 0.5,
        .schedule.cooldown = 0.3, .patience = 5, .clip = 1, .dropout = 0.2,
        .dropout_embedding = 0.2, .dropout_rise = 10, .label_smoothing = 0.1,
        .sparse_gradient = 0.02, .copy_words = 0.1, .noise = 0.1, .phrases = 0.05,
        .validate_sentences = 200, .seed = 1,
    };
}
