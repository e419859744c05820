/* preset.c - configurations of published models: options and their values, as a user would write
 * them, in strings of words. */
#include "cmd/train/config.h"

#include <stdio.h>
#include <string.h>

/* Newer options that no preset uses, whatever their defaults become; set before those of the
 * preset. */
static const char plain[] =
    "shared-vocabulary off  tie none  layer-norm off  truecase off  placeholders off  noise 0  "
    "weight-decay 0  adam-beta2 0.999  word-dropout-source 0  word-dropout-target 0  "
    "dropout-mask token  dropout-rise 0  dropout-recurrent 0  r-drop 0  ensemble 1  "
    "right-left 0  both-directions 0  bidirectional-layers 0  residual-from 2  "
    "encoder recurrent  encoder-attention-layers 0  decoder-attention-layers 0  heads 4  "
    "feed-forward 0  norm post  positions sinusoidal  dropout-attention 0  hard-attention none  "
    "sparse-gradient 0  translations all  hard-positions 1  hard-gradient straight-through  "
    "activation relu  norm-epsilon 0  embedding-scale root  embedding-norm off  source-end eos  "
    "zero-start off  decoder-recurrence none  alignment-layer 0  alignment-head 0  ";

/* Dive into Deep Learning, "Bahdanau Attention": the model and the numbers of the textbook's
 * table. */
static const char d2l[] =
    "tokens word  lowercase on  min-frequency 2  vocabulary 0  pairs 600  holdout off  "
    "max-length 10  truncate on  embedding 32  hidden 32  layers 2  residual off  "
    "bidirectional off  cell gru  decoder bahdanau  attention additive  attention-width 0  "
    "attention-positions 0  attention-window 10  readout simple  start last  batch 64  "
    "batch-tokens 0  accumulate 1  normalize-loss steps  learning-rate 0.005  schedule constant  "
    "warmup 0  cooldown 0  decay 1  clip 1  average 0  epochs 250  early-stop loss  patience 0  "
    "dropout 0.1  dropout-embedding 0  label-smoothing 0  bpe-dropout 0  copy-words 0  "
    "phrases 0  validate-every 0  validate-sentences 200  precision float  max-bytes 10000  "
    "max-ratio 0  skip-equal 0  skip-duplicates off  strict off  ";

/* The configuration whose speed is compared: BiGRU 256, attention GRU 256, 8,000 words a side,
 * batch 64. */
static const char bench[] =
    "tokens word  lowercase on  min-frequency 1  vocabulary 8000  pairs 0  holdout on  "
    "max-length 50  truncate off  max-bytes 10000  max-ratio 4  skip-equal 4  "
    "skip-duplicates on  strict off  embedding 256  hidden 256  layers 1  residual off  "
    "bidirectional on  cell gru  decoder bahdanau  attention additive  attention-width 0  "
    "attention-positions 0  attention-window 10  readout deep  start project  batch 64  "
    "batch-tokens 0  accumulate 1  normalize-loss tokens  learning-rate 0.001  "
    "schedule constant  warmup 0  cooldown 0.3  decay 0.5  clip 1  average 0  epochs 30  "
    "early-stop loss  patience 5  dropout 0.1  dropout-embedding 0.1  label-smoothing 0  "
    "bpe-dropout 0  copy-words 0  phrases 0  validate-every 0  validate-sentences 200  "
    "precision float  ";

/* What is no part of a network, as attn train has it by itself: the pairs that are learned, how
 * their text is prepared, one embedding for both languages, the gradient of the output layer. */
#define USUAL_TEXT \
    "shared-vocabulary auto  tie auto  truecase auto  placeholders auto  noise auto  " \
    "phrases auto  translations first  sparse-gradient 0.02  "

/* Luong, Pham and Manning (2015), in the size of a laptop: two layers of LSTM in one direction,
 * attention after the step, input feeding. Layer normalisation, one embedding, the scale of the
 * score and dropout that rises are not of the paper (data/results/systems.md). */
static const char luong[] = USUAL_TEXT
    "cell lstm  layers 2  residual off  bidirectional off  start last  decoder luong  "
    "attention scaled-general  readout simple  embedding 256  hidden 256  layer-norm on  "
    "dropout 0.2  dropout-rise 10  ";

/* Wu et al. (2016) with the depth of the paper and the width of a laptop. Adam alone, and dropout
 * that rises, are not of the paper (data/results/systems.md). */
static const char gnmt[] = USUAL_TEXT
    "cell lstm  layers 8  residual on  residual-from 3  bidirectional on  "
    "bidirectional-layers 1  start project  decoder gnmt  attention additive  readout simple  "
    "embedding 256  hidden 256  learning-rate 0.001  warmup 500  clip 5  dropout 0.2  "
    "dropout-rise 10  ";

/* Vaswani et al. (2017), table 3, base: six layers a side, width 512, eight heads, the learning
 * rate's peak of equation 3 after 4,000 updates of 25,000 tokens. */
static const char transformer[] = USUAL_TEXT
    "encoder self-attention  encoder-attention-layers 6  decoder self-attention  "
    "decoder-attention-layers 6  embedding 512  heads 8  feed-forward 2048  readout simple  "
    "batch-tokens 25000  learning-rate 0.0007  schedule inverse-sqrt  adam-beta2 0.98  "
    "warmup 4000  cooldown 0  decay 1  clip 0  dropout 0.1  dropout-embedding 0.1  "
    "label-smoothing 0.1  ";

/* What both below share; data/results/systems.md says why rate and dropout are not the paper's. */
#define SMALL_ATTENTION \
    "decoder self-attention  decoder-attention-layers 3  norm pre  embedding 256  heads 4  " \
    "feed-forward 1024  readout simple  learning-rate 0.001  schedule constant  warmup 500  " \
    "dropout 0.25  dropout-embedding 0.25  dropout-rise 10  label-smoothing 0.1  "

/* The same for some 100,000 pairs and a laptop: half as deep, half as wide, with normalisation
 * before each part, which takes a higher rate and a shorter warm-up. */
static const char transformer_small[] = USUAL_TEXT SMALL_ATTENTION
    "encoder self-attention  encoder-attention-layers 3  ";

/* Its decoder behind a recurrent encoder in both directions, as in Chen et al. (2018), "The Best of
 * Both Worlds", section 6. */
static const char hybrid[] = USUAL_TEXT SMALL_ATTENTION "hidden 256  layer-norm on  ";

const char *const preset_names[] = {
    "none", "d2l", "bench", "luong", "gnmt", "transformer", "transformer-small", "hybrid",
    NULL
};
static const char *const presets[] = {
    "", d2l, bench, luong, gnmt, transformer, transformer_small, hybrid
};

static int apply(const char *settings, const OptionSet *sets, Err *e)
{
    char name[64], value[64];
    int length;
    for (; sscanf(settings, "%63s %63s%n", name, value, &length) == 2; settings += length) {
        const Option option = options_find(sets, name, strlen(name));
        if (!option.field)
            return err(e, "the preset names an option --%s that does not exist", name);
        if (field_set(option.field, option.object, value, e)) return -1;
    }
    return 0;
}

int preset_apply(int preset, const OptionSet *sets, Err *e)
{
    if (!*presets[preset]) return 0;
    return apply(plain, sets, e) || apply(presets[preset], sets, e) ? -1 : 0;
}
