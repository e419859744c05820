/* hyperparameters.c - the table of all settings; what follows from the size of a corpus: powers of
 * it, through the best values found for one corpus; and the memory that they take.
 */
#include "train/hyperparameters.h"

#include "base/real.h"
#include "base/system/environment.h"
#include "linalg/precision.h"
#include "model/decoder/decoder_type.h"
#include "model/file/model_file.h"
#include "model/prepacked_weights.h"
#include "train/update/updater.h"
#include "train/validation.h"

#include <limits.h>
#include <math.h>
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
      .help = "stop after this time: 90, 6m, 1.5h; 0: never" },
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
      .help = "tokens a batch, of the longer side of each pair, in place of --batch; 0: by pairs; "
              "auto: 1024 for lines of more than 20 words, else 0" },
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
      .help = "tokens: mean over real target tokens; steps: sum over --max-length (textbooks)" },
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
              "with --tokens symbol, sentencepiece, whitespace" },
    { NUMBER("noise", noise, 0, 1), .automatic = 1, .value = "P",
      .help = "share of the sources that get a typing error, of those that lose their final mark, "
              "and of those that lose their accents; auto: 0.1; 0 as of --copy-words" },
    { NUMBER("phrases", phrases, 0, 1), .automatic = 1, .value = "P",
      .help = "share of the pairs, drawn anew in each epoch, of which a part is learned in place "
              "of the whole: a phrase and its translation, by a word alignment; auto: 0.05; 0 as of "
              "--copy-words" },
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

/* ---- What suits a corpus ---- */

/* Pairs in the training part of the eng-fra corpus of tatoeba.org. For this number the rules give
 * the values of hyperparameters_defaults and network_defaults. */
static const double usual_pairs = 114489;

/* Fewer than that are learned to the end of their epochs (data/results/scaling.md). */
static const double few_pairs = 60000;

/* How the best value of an option depends on the number of pairs, between `least` and `most`. It is
 * rounded to steps of 1 / `fine`, because it is a rule of thumb, and people read its numbers. */
typedef struct { double power, fine, least, most; } Rule;

/* Few pairs need more dropout rather than a narrower network: with 2,000 pairs a network 128 wide
 * had a loss of 3.41 with dropout 0.3 and 3.50 with 0.15, one 64 wide 3.54 and 3.63
 * (data/results/scaling.md has later measurements of the rules). That dropout needs more passes,
 * and that more than the usual number of pairs make more width worth it, are guesses. */
static const Rule width = { 1.0 / 4, 1.0 / WIDTH_STEP, WIDTH_LEAST, WIDTH_MOST };
static const Rule dropout = { -1.0 / 6, 20, 0.05, 0.5 };
static const Rule passes = { -1.0 / 6, 1.0 / 10, 10, 200 };

static double follow(Rule rule, double usual, double pairs)
{
    const double value = usual * pow(fmax(pairs, 1) / usual_pairs, rule.power);
    return fmin(fmax(round(value * rule.fine) / rule.fine, rule.least), rule.most);
}

static int chosen(int asked, int usual)
{
    return asked == FIELD_AUTO ? usual : asked;
}

/* Encoder, decoder and output layer have one embedding if they have the same words (Press and Wolf
 * 2017), unless the output layer has another width. */
NetworkOptions network_for(const CorpusSize *size, const NetworkOptions *asked, int shared,
                           int widest)
{
    NetworkOptions n = network_defaults(), settled = *asked;
    n.hidden = min_int(widest, (int)follow(width, n.hidden, size->pairs));
    n.embedding = min_int(widest, (int)follow(width, n.embedding, size->pairs));
    if (!decoder_types[asked->decoder]->step) n.readout = READOUT_SIMPLE;
    fields_settle(network_fields, &settled, &n);
    if (asked->tie == FIELD_AUTO)
        settled.tie = shared && network_can_tie(&settled) ? TIE_ALL : TIE_NONE;
    return settled;
}

/* Of such pairs the usual batch has four times as many tokens as of short ones, and fewer updates
 * pass in the same time (data/results/scaling.md). */
static int has_long_lines(const CorpusSize *size)
{
    enum { LONG = 20 };
    return fmax(size->source_words, size->target_words) > LONG * size->pairs;
}

/* Updates between two validations: an epoch (0), unless that is so short that a validation, of few
 * sentences besides, measures chance rather than learning (each one that is no better costs half
 * the learning rate, or ends the run), or so long that a run has too few of them. The updates of an
 * epoch are an estimate if batches are counted by tokens. */
static int validate_every(const CorpusSize *size, const Hyperparameters *asked,
                          const Hyperparameters *usual)
{
    enum { LEAST = 200, MOST = 5000 };
    const int batch = chosen(asked->batch, usual->batch);
    const int tokens = chosen(asked->batch_tokens, usual->batch_tokens);
    const double words = fmax(size->source_words, size->target_words);
    const double epoch = (tokens ? words / tokens : size->pairs / batch) / asked->accumulate;
    return epoch < LEAST ? LEAST : epoch > MOST ? MOST : 0;
}

/* Within a time: one network hardly gets better after ten minutes of the usual corpus or a little
 * more, and of a larger one after as many times that; several do (data/results/quality.md). Without
 * a limit, few pairs take no longer with two networks than many with one, and gain most. */
static int ensemble_for(const CorpusSize *size, const Hyperparameters *asked)
{
    const double most_usual = 150000, most = 3;
    const double seconds = 600 * fmax(1, size->pairs / most_usual);
    if (asked->time_limit > 0) return (int)fmax(1, fmin(most, floor(asked->time_limit / seconds)));
    return size->pairs < few_pairs && asked->epochs == FIELD_AUTO && !asked->steps ? 2 : 1;
}

Hyperparameters hyperparameters_for(const CorpusSize *size, const Hyperparameters *asked,
                                    int shared)
{
    enum { CHOOSING_SENTENCES = 1000 };
    const int is_small = size->pairs < few_pairs;
    Hyperparameters h = hyperparameters_defaults();
    h.epochs = (int)follow(passes, h.epochs, size->pairs);
    h.dropout = follow(dropout, h.dropout, size->pairs);
    h.dropout_embedding = h.dropout;
    h.precision = precision_is_fast(PRECISION_BF16) ? PRECISION_BF16 : PRECISION_FLOAT;
    if (has_long_lines(size) && asked->batch == FIELD_AUTO)
        h.batch_tokens = (int)fmax(1024, asked->max_length);
    h.validate_every = validate_every(size, asked, &h);
    /* Of so few pairs the loss on others soon rises, while translations still get better until the
     * schedule's end; and so few validation sentences measure little (data/results/scaling.md).
     * Whoever asks for patience or for a rate that follows validations wants them to decide. */
    if (is_small && asked->patience == FIELD_AUTO && !(asked->decay > 0)) h.early_stop = STOP_NONE;
    /* Twice the time is worth 1.1 BLEU with 2,000 pairs, 1.7 with 10,000, and 0.1 with 50,000
     * (data/results/scaling.md). */
    if (size->pairs < 20000) h.r_drop = 5;
    h.ensemble = ensemble_for(size, asked);
    h.right_left = chosen(asked->ensemble, h.ensemble) > 1 && !asked->truncate;
    /* What the other direction teaches costs no time. It is worth 0.9 BLEU with 2,000 pairs, 0.9
     * chrF with 50,000 (data/results/scaling.md), and no BLEU with more (data/tried.md). */
    if (shared && is_small) h.both_directions = 0.33;
    if (size->lacks_words) h.noise = h.phrases = h.copy_words = 0;
    /* A BLEU or chrF that chooses weights needs more sentences than one that is only reported. */
    if (asked->early_stop == STOP_BLEU || asked->early_stop == STOP_CHRF)
        h.validate_sentences = CHOOSING_SENTENCES;
    return h;
}

/* A transformer forgets at the rate of a recurrent network, and it learns little with more dropout
 * than it has learned with, mostly 0.1 (data/results/quality.md). People go on from OPUS-MT's, which
 * are 512 wide, with 0.00002 to 0.00005 (the course of Hugging Face, the default of its trainer);
 * one half as wide takes twice as much, as with Adam always (Yang et al. 2021, "Tuning Large Neural
 * Networks via Zero-Shot Hyperparameter Transfer"). */
static void continue_transformer(const NetworkOptions *network, Hyperparameters *h)
{
    const double suits = 0.00005, wide = 512;
    h->rate = suits * wide / network->embedding;
    h->dropout = h->dropout_embedding = 0.1;
}

/* data/results/quality.md has the measurements. */
Hyperparameters hyperparameters_to_continue(const CorpusSize *size, const Hyperparameters *asked,
                                            const NetworkOptions *network)
{
    Hyperparameters h = hyperparameters_for(size, asked, 0);
    h.rate /= 4;
    h.epochs = 5;
    h.dropout_rise = 0;
    h.r_drop = 0;
    h.early_stop = STOP_LOSS;
    if (!decoder_types[network->decoder]->step) continue_transformer(network, &h);
    return h;
}

/* ---- Memory ---- */

MemoryEstimate memory_estimate(const NetworkOptions *options, int source_vocabulary,
                               int target_vocabulary, BatchSize share, const Pairs *valid,
                               const Hyperparameters *hyper, Crew crew)
{
    const int blocks = updater_blocks(hyper) + crew.own + hyper->ensemble - 1;
    ParameterTable *table = parameters_new(options, source_vocabulary, target_vocabulary);
    const Architecture net = architecture_of(options, source_vocabulary, target_vocabulary);
    const double update = crew.own * (double)updater_measure(&net, share, hyper,
                                                               updater_slice(crew.all));
    double validation = 0;      /* copies of the weights, and a batch for each worker */
    if (valid && valid->count)
        validation = (double)prepacked_weights_measure(table, PRECISION_FLOAT, PREPACKED_TO_USE)
                     + crew.own * (double)validation_loss_measure(&net, valid, hyper->batch);
    const MemoryEstimate estimate = {
        .weights = (double)table->size * sizeof(real) * blocks,
        .batch = (double)updater_measure_shared(table, hyper) + fmax(update, validation),
    };
    parameters_free(table);
    return estimate;
}

int memory_estimate_check(const MemoryEstimate *estimate, int is_given, Err *e)
{
    const double all = estimate->weights + estimate->batch, mega = 1e6;
    const char *limit = "";
    const double available = available_memory(&limit);
    const char *lower = is_given ? "--threads, --batch, --batch-tokens or --max-length"
                        : estimate->weights > estimate->batch
                        ? "--hidden, --embedding, --layers or --vocabulary"
                        : "--batch, --batch-tokens or --max-length";
    if (all <= available) return 0;
    return err(e, "out of memory: training needs %.0f MB (%.0f for weights, moments and gradients, "
                  "%.0f for the largest batch), and %s leaves %.0f MB; lower %s",
               ceil(all / mega), ceil(estimate->weights / mega), ceil(estimate->batch / mega),
               limit, floor(available / mega), lower);
}

/* For a batch in which every sentence is as long as it may be. The vocabulary is not learned yet;
 * whole words without a limit count as none. */
static double bytes_of(const NetworkOptions *network, const CorpusSize *size,
                       const TextOptions *text, const Hyperparameters *hyper)
{
    const int words = (int)fmax(1, text_vocabulary(text, size->pairs)), longest = hyper->max_length;
    const double all = hyper->batch_tokens ? hyper->batch_tokens : (double)hyper->batch * longest;
    const int tokens = (int)fmin(all, INT_MAX), sentences = (int)fmax(1, tokens / longest);
    const BatchSize batch = { sentences, longest, tokens, longest, tokens };
    const MemoryEstimate estimate = memory_estimate(network, words, words, batch, NULL, hyper,
                                                    (Crew){ 0, 1, 1 });
    return estimate.weights + estimate.batch;
}

LimitedNetwork network_within(const CorpusSize *size, const NetworkOptions *asked,
                              const TextOptions *text, const Hyperparameters *hyper, double bytes)
{
    LimitedNetwork limited = { network_for(size, asked, text->shared, WIDTH_MOST), 0, 0 };
    limited.worth = limited.network.hidden;
    limited.needs = bytes_of(&limited.network, size, text, hyper);
    double needs = limited.needs;
    for (int widest = WIDTH_MOST - WIDTH_STEP; widest >= WIDTH_LEAST && needs > bytes;
         widest -= WIDTH_STEP) {
        limited.network = network_for(size, asked, text->shared, widest);
        needs = bytes_of(&limited.network, size, text, hyper);
    }
    return limited;
}
