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
      .help = "most passes over the training pairs",
      .reason = "It is a limit: --patience usually stops before it, and --time-limit in a time "
                "you can plan. The learning rate falls to 0 towards the limit that is reached "
                "first, so a shorter limit is better than a run that is cut off by hand.",
      .related = "steps time-limit patience cooldown schedule" },
    { INTEGER("steps", steps, 0, INT_MAX), .value = "N",
      .help = "largest number of updates; 0: no limit",
      .reason = "It is a limit that does not depend on the machine or on the size of the corpus, "
                "for comparisons.",
      .related = "epochs time-limit validate-every" },
    { .name = "time-limit", .kind = FIELD_TIME, AT(time_limit), .low = 0, .high = 1e9,
      .value = "TIME", .common = 1,
      .help = "stop after this time: 90, 6m, 1h30m; 0: never",
      .reason = "It gives the best model for the minutes you have: the learning rate is planned "
                "to fall to 0 when the time is up. The clock decides, so two runs are not the "
                "same to the last bit. What comes then takes seconds: a last validation, and a "
                "look at how long translations are.",
      .related = "epochs steps cooldown resume" },
    { INTEGER("ensemble", ensemble, 1, MOST_NETWORKS), .automatic = 1, .value = "N", .common = 1,
      .help = "networks to train, which translate together; auto: by time and pairs",
      .reason = "auto is one for every 10 minutes of --time-limit, at most 3, and with more than "
                "150,000 pairs for as many times that; without a limit 2 for fewer than 60,000 "
                "pairs, else 1; with --init as many as its model has. They are trained one after "
                "the other, with --seed and the next seeds; --time-limit is that of all, --epochs "
                "and --steps are those of each. The mean of several networks chooses better words "
                "than one that learns longer: it is worth 1.5 BLEU or more, and a beam takes 4 "
                "(two) to 8 times (three) as long (data/results/quality.md).",
      .related = "right-left time-limit seed epochs steps" },
    { INTEGER("right-left", right_left, 0, MOST_NETWORKS - 1), .automatic = 1, .value = "N",
      .help = "of the networks of --ensemble, how many write from right to left; auto: 1 of 2 or "
              "more, 0 with --truncate; with --init as many as its model has",
      .reason = "A beam chooses the first words without the last ones, and from right to left it "
                "is the other way round: both rarely prefer the same mistake. So each direction "
                "finds translations, and all networks agree on one of them (Liu et al. 2016; "
                "Sennrich, Haddow and Birch 2016). Such a network in place of one from left to "
                "right is worth 0.5 BLEU, and a beam takes twice as long "
                "(data/results/quality.md). Greedy search leaves it out.",
      .related = "ensemble" },
    { INTEGER("patience", patience, 0, 1000000), .automatic = 1, .value = "N",
      .help = "stop after N validations without improvement; 0: never; auto: 5",
      .reason = "A network that no longer gets better begins to learn the training pairs by "
                "heart. With few validation sentences the loss goes up and down by chance: be "
                "more patient.",
      .related = "valid validate-every early-stop decay" },
    { .name = "early-stop", .kind = FIELD_CHOICE, AT(early_stop), .choices = measures,
      .automatic = 1, .value = "MEASURE",
      .help = "measure that chooses the best weights and ends the run; none: all --epochs, and "
              "the last weights; bleu and chrf need many --validate-sentences; auto: none for few "
              "pairs, else loss",
      .reason = "The loss is the least noisy measure. BLEU and chrF are what you want in the end, "
                "but need a thousand sentences to be more than chance. Of few pairs the loss soon "
                "rises, while translations still get better (data/results/scaling.md).",
      .related = "patience validate-sentences validate-every" },
    { INTEGER("batch", batch, 1, 100000), .automatic = 1, .value = "N", .common = 1,
      .help = "sentence pairs a batch",
      .reason = "More pairs in an update make a better gradient and more use of several machines; "
                "fewer make more updates in the same time. With 32, BLEU was 37.9 for 38.2 to 38.5 "
                "of three seeds with 64 (data/ablation.md).",
      .related = "batch-tokens accumulate learning-rate threads" },
    { INTEGER("batch-tokens", batch_tokens, 0, 1000000), .automatic = 1, .value = "N",
      .help = "tokens a batch, of the longer side of each pair, in place of --batch; 0: by pairs",
      .reason = "Batches are then of about equal work, however long the sentences are, as in the "
                "Transformer's recipe. A batch whose activations take more than 3 GB is computed "
                "in slices, which changes nothing but last bits.",
      .related = "batch accumulate max-length learning-rate" },
    { INTEGER("accumulate", accumulate, 1, 10000), .value = "N",
      .help = "batches an update; its gradient is the mean over all their tokens",
      .reason = "It gives the gradient of a large batch in the memory of a small one.",
      .related = "batch batch-tokens learning-rate" },
    { INTEGER("max-length", max_length, 2, 100000), .value = "N",
      .help = "longest side of a training pair, in tokens",
      .reason = "Memory grows with the longest sentence. Longer pairs are left out of training; "
                "translation has no such limit, because it cuts longer lines.",
      .related = "truncate batch-tokens max-bytes memory" },
    { .name = "truncate", .kind = FIELD_FLAG, AT(truncate),
      .help = "cut longer sides instead of skipping the pair",
      .reason = "Textbooks do it. The ends of long sentences then have no translation.",
      .related = "max-length" },
    { NUMBER("learning-rate", rate, 1e-9, 1), .automatic = 1, .value = "RATE", .common = 1,
      .help = "step size of Adam; auto: 0.002",
      .reason = "It is the most important number. With one too high the loss jumps, or is no "
                "number; with one too low it falls slowly. A network twice as wide needs about "
                "half of it, and a larger batch allows more.",
      .related = "hidden batch schedule warmup clip decay adam-beta2" },
    { NUMBER("adam-beta2", beta2, 0, 0.999999), .value = "BETA",
      .help = "share of Adam's mean of squared gradients that an update keeps",
      .reason = "The mean is over the last 1 / (1 - BETA) updates. A shorter one notices sooner "
                "that gradients have grown, as they do in a warm-up; the Transformer's is 0.98.",
      .related = "learning-rate warmup clip" },
    { NUMBER("decay", decay, 0.01, 1), .automatic = 1, .value = "FACTOR",
      .help = "multiply the rate by this after a validation without improvement; auto: 0.5",
      .reason = "A lower rate finds what a higher one jumps over. 1 leaves the rate to the "
                "schedule.",
      .related = "learning-rate patience schedule" },
    { .name = "schedule", .kind = FIELD_CHOICE, AT(schedule.kind), .choices = schedules,
      .value = "FORM",
      .help = "course of the rate after the warm-up, by the share of epochs, steps or time that "
              "is done",
      .reason = "A constant rate that cools down at the end was better than the others in the "
                "ablation (data/ablation.md). inverse-sqrt is the Transformer's.",
      .related = "warmup cooldown decay learning-rate epochs steps time-limit" },
    { NUMBER("warmup", schedule.warmup, 0, 1e9), .automatic = 1, .value = "N",
      .help = "first updates (below 1: first share of the run) in which the rate rises from 0",
      .reason = "Networks of self-attention, and deep ones, diverge when they start at the full "
                "rate.",
      .related = "schedule learning-rate norm" },
    { NUMBER("cooldown", schedule.cooldown, 0, 1), .value = "SHARE",
      .help = "last share of the run in which the rate of constant and inverse-sqrt falls to 0",
      .reason = "A rate that falls to 0 lets the weights settle (Hägele et al. 2024).",
      .related = "schedule epochs steps time-limit" },
    { NUMBER("average", average, 0, 0.999999), .automatic = 1, .value = "BETA",
      .help = "save a moving average of the weights with this decay an update; 0: the weights "
              "themselves",
      .reason = "The mean of the last weights is often a little better than the last; where the "
                "rate cools down to 0 there is little left to gain (data/tried.md).",
      .related = "cooldown schedule validate-every" },
    { NUMBER("clip", clip, 0, 1e9), .value = "NORM",
      .help = "largest norm of the gradient; 0: no clipping",
      .reason = "One strange batch then cannot throw the weights far away.",
      .related = "learning-rate normalize-loss" },
    { NUMBER("weight-decay", weight_decay, 0, 1), .value = "D",
      .help = "each update reduces all matrices by the share RATE * D (AdamW)",
      .reason = "It keeps weights small. No gain was seen in the ablation (data/ablation.md).",
      .related = "dropout learning-rate" },
    { .name = "normalize-loss", .kind = FIELD_CHOICE, AT(normalize), .choices = normalizations,
      .value = "BY",
      .help = "tokens: mean over real target tokens; steps: sum over --max-length (the textbook's)",
      .reason = "steps is the textbook's loss, for its table; it makes the gradient larger by the "
                "length.",
      .related = "clip learning-rate max-length" },
    { NUMBER("dropout", dropout, 0, 0.95), .automatic = 1, .value = "P", .common = 1,
      .help = "share of values dropped between layers",
      .reason = "Values of the deep readout are dropped too. It keeps the network from learning "
                "the pairs by heart: the fewer pairs, the more is needed. With too much of it the "
                "training loss stays high too.",
      .related = "dropout-rise dropout-embedding dropout-recurrent dropout-mask label-smoothing "
                 "hidden epochs" },
    { NUMBER("dropout-embedding", dropout_embedding, 0, 0.95), .automatic = 1, .value = "P",
      .help = "share of values dropped in the word embeddings",
      .reason = "It does the same for the words themselves; it pays in long trainings, and costs "
                "in short ones (data/tried.md).",
      .related = "dropout-rise dropout dropout-mask word-dropout-source word-dropout-target" },
    { NUMBER("dropout-rise", dropout_rise, 0, 1e6), .automatic = 1, .value = "N",
      .help = "first passes over the training pairs in which --dropout and --dropout-embedding "
              "rise from 0; 0: none",
      .reason = "Nothing is learned by heart in the first passes, where dropout only slows "
                "learning down (data/tried.md).",
      .related = "dropout dropout-embedding epochs" },
    { NUMBER("dropout-recurrent", dropout_recurrent, 0, 0.95), .value = "P",
      .help = "share of values dropped in the recurrent state where a step multiplies it",
      .reason = "It reaches the connections from step to step, which --dropout leaves alone (Gal "
                "and Ghahramani 2016).",
      .related = "dropout dropout-mask" },
    { NUMBER("word-dropout-source", word_dropout_source, 0, 0.95), .value = "P",
      .help = "share of the source words whose whole embedding is dropped",
      .reason = "It helped where there are only a few thousand pairs (Sennrich and Zhang 2019); "
                "with more it cost BLEU in the ablation (data/ablation.md).",
      .related = "word-dropout-target dropout-embedding" },
    { NUMBER("word-dropout-target", word_dropout_target, 0, 0.95), .value = "P",
      .help = "share of the target words whose whole embedding is dropped at the input of the "
              "decoder",
      .reason = "It forces the decoder to look at the source rather than at the words it has just "
                "written.",
      .related = "word-dropout-source dropout-embedding" },
    { .name = "dropout-mask", .kind = FIELD_CHOICE, AT(dropout_mask), .choices = masks,
      .value = "PER",
      .help = "drop other values for each token, or the same ones in all tokens of a sentence "
              "(variational)",
      .reason = "One mask for a whole sentence keeps recurrent states whole in time (Gal and "
                "Ghahramani 2016).",
      .related = "dropout dropout-embedding dropout-recurrent" },
    { NUMBER("dropout-attention", dropout_attention, 0, 0.95), .value = "P",
      .help = "share of attention weights dropped",
      .reason = "It is for networks of self-attention (Vaswani et al. 2017).",
      .related = "dropout encoder-attention-layers decoder-attention-layers" },
    { NUMBER("label-smoothing", label_smoothing, 0, 0.9), .automatic = 1, .value = "E",
      .help = "share of the probability that is spread over all words; auto: 0.1",
      .reason = "A network that is never quite sure generalises better and searches better; the "
                "printed loss of training is higher by it.",
      .related = "dropout sparse-gradient" },
    { NUMBER("r-drop", r_drop, 0, 1000), .automatic = 1, .value = "ALPHA",
      .help = "pass each pair through the network twice, and add to the loss ALPHA times how much "
              "its two predictions differ; 0: pass it once; auto: 5 below 20,000 pairs, else 0",
      .reason = "Two passes drop different values, so a network whose predictions agree depends "
                "on none of them (R-Drop, Liang et al. 2021). An update takes nearly twice as "
                "long, and where pairs are few that pays (data/results/scaling.md).",
      .related = "dropout dropout-embedding label-smoothing epochs" },
    { NUMBER("sparse-gradient", sparse_gradient, 0, 1), .value = "G",
      .help = "sample gradients below G at the output layer: each becomes 0, G or -G at random, "
              "without bias; 0: keep all as they are",
      .reason = "Nearly all of the output layer's work is for words that are all but impossible. "
                "Sampling saves it, right on average, at no cost that was seen (data/tried.md).",
      .related = "vocabulary clip label-smoothing" },
    { NUMBER("bpe-dropout", bpe_dropout, 0, 1), .automatic = 1, .value = "P",
      .help = "share of the merges left out at random, so that a word is split in many ways",
      .reason = "The network sees words cut in many ways and learns their parts (Provilkov et al. "
                "2020). It needs many more epochs.",
      .related = "tokens epochs" },
    { NUMBER("copy-words", copy_words, 0, 1), .automatic = 1, .value = "P",
      .help = "share of the known names and numbers, equal on both sides, that become "
              "placeholders (or <unk>, without them), to learn to copy unknown ones; auto: 0.1; 0 "
              "with --tokens symbol",
      .reason = "The network learns from known names what to do with unknown ones: to copy them.",
      .related = "placeholders noise" },
    { NUMBER("noise", noise, 0, 1), .automatic = 1, .value = "P",
      .help = "share of the sources that get a typing error, of those that lose their final mark, "
              "and of those that lose their accents; auto: 0.1; 0 with --tokens symbol",
      .reason = "Text that people type has mistakes. Sentences with swapped and doubled letters "
                "keep most of their translation's quality (data/results/quality.md: what people "
                "type).",
      .related = "copy-words" },
    { NUMBER("phrases", phrases, 0, 1), .automatic = 1, .value = "P",
      .help = "share of the pairs, drawn anew in each epoch, of which a part is learned in place "
              "of the whole: a phrase and its translation, by a word alignment; auto: 0.05; 0 "
              "with --tokens symbol",
      .reason = "People type a cup of tea, and corpora have sentences: without phrases the "
                "network makes sentences of all it gets (data/results/quality.md: what people "
                "type).",
      .related = "noise copy-words" },
    { NUMBER("both-directions", both_directions, 0, 1), .automatic = 1, .value = "SHARE",
      .help = "first share of the epochs, steps or time in which half of the pairs, by chance, "
              "are learned from target to source; 0: none; auto: 0.33 below 60,000 pairs with one "
              "vocabulary, else 0",
      .reason = "The words of both languages are learned as source and as target, which is worth "
                "most where pairs are few (bidirectional training, Ding et al. 2021, who learn "
                "both directions of all pairs; data/results/scaling.md). It needs one vocabulary.",
      .related = "shared-vocabulary tie epochs steps time-limit" },
    { INTEGER("validate-every", validate_every, 0, INT_MAX), .automatic = 1, .value = "N",
      .help = "updates between validations; 0: once an epoch",
      .reason = "Rare validations find the best weights less exactly; frequent ones take time.",
      .related = "patience early-stop valid decay" },
    { INTEGER("validate-sentences", validate_sentences, 0, INT_MAX), .automatic = 1, .value = "N",
      .help = "validation sentences translated for BLEU and chrF",
      .reason = "Translating takes longer than computing the loss, so a few hundred sentences "
                "must do.",
      .related = "early-stop show-every validate-every" },
    { .name = "seed", .kind = FIELD_SEED, AT(seed), .value = "N", .common = 1,
      .help = "seed of all random numbers",
      .reason = "The same seed and threads give the same model. Another seed gives another model; "
                "how far apart their scores are says how much a difference of options means. An "
                "ensemble of N networks takes N seeds from this one on.",
      .related = "threads ensemble" },
    { .name = "precision", .kind = FIELD_CHOICE, AT(precision), .choices = learning_precision_names,
      .automatic = 1, .value = "HOW",
      .help = "products in training; bf16 rounds their factors to 8 bits and keeps sums and "
              "weights in 32; it is twice as fast, and auto chooses it where the CPU has it",
      .reason = "bf16 trained 1.6 times as fast as float in the speed comparison, and cost no "
                "BLEU in the ablation (data/results/speed.md). float gives the same bytes on more "
                "machines.",
      .related = "exchange threads" },
    { INTEGER("threads", threads, 0, 1024), .letter = 't', .value = "N", .common = 1,
      .help = "workers that share each batch; 0: one a core",
      .reason = "The workers are those of all processes together. As many as there are cores is "
                "fastest. Another number gives other last bits, because sums are in another order.",
      .related = "batch seed exchange" },
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
