/* defaults.c - powers of the size of the corpus, through the best values found for one corpus; and
 * what follows from other choices.
 */
#include "train/hyperparameters/defaults.h"

#include "base/real.h"
#include "base/system/environment.h"
#include "linalg/precision.h"
#include "model/decoder/decoder_type.h"
#include "model/prepacked_weights.h"
#include "train/update/updater.h"
#include "train/validation.h"

#include <limits.h>
#include <math.h>

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
static const Rule width = { 1.0 / 4, 1.0 / WIDTH_STEP, NARROWEST, WIDEST };
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
    n.tie = shared && network_can_tie(&settled) ? TIE_ALL : TIE_NONE;
    return n;
}

/* Updates per epoch with the chosen batches; an estimate if they are counted by tokens. */
static double updates(const CorpusSize *size, const Hyperparameters *asked,
                      const Hyperparameters *usual)
{
    const int batch = chosen(asked->batch, usual->batch);
    const int tokens = chosen(asked->batch_tokens, usual->batch_tokens);
    const double words = fmax(size->source_words, size->target_words);
    return (tokens ? words / tokens : size->pairs / batch) / asked->accumulate;
}

/* Updates between two validations: an epoch (0), unless that is so short that a validation, of few
 * sentences besides, measures chance rather than learning (each one that is no better costs half
 * the learning rate, or ends the run), or so long that a run has too few of them. */
static int validate_every(double epoch)
{
    enum { LEAST = 200, MOST = 5000 };
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
    /* A user who chooses the pairs per batch does not want them counted by tokens. */
    if (asked->batch != FIELD_AUTO) h.batch_tokens = 0;
    h.validate_every = validate_every(updates(size, asked, &h));
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
    if (size->is_sequence) h.noise = h.phrases = h.copy_words = 0;
    /* A BLEU or chrF that chooses weights needs more sentences than one that is only reported. */
    if (asked->early_stop == STOP_BLEU || asked->early_stop == STOP_CHRF)
        h.validate_sentences = CHOOSING_SENTENCES;
    return h;
}

/* data/results/quality.md has the measurements. */
Hyperparameters hyperparameters_to_continue(const CorpusSize *size, const Hyperparameters *asked)
{
    Hyperparameters h = hyperparameters_for(size, asked, 0);
    h.rate /= 4;
    h.epochs = 5;
    h.dropout_rise = 0;
    h.r_drop = 0;
    h.early_stop = STOP_LOSS;
    return h;
}

/* ---- memory ---- */

MemoryEstimate memory_estimate(const NetworkOptions *options, int source_vocabulary,
                               int target_vocabulary, BatchSize share, const Pairs *valid,
                               const Hyperparameters *hyper, Crew crew)
{
    const int blocks = updater_blocks(hyper) + crew.own + hyper->ensemble - 1;
    ParameterTable *table = parameters_new(options, source_vocabulary, target_vocabulary);
    const Architecture net = architecture_of(options, source_vocabulary, target_vocabulary);
    const double update = crew.own * (double)updater_measure(&net, share, hyper, crew.all);
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

int memory_estimate_check(const MemoryEstimate *estimate, Err *e)
{
    const double all = estimate->weights + estimate->batch, mega = 1e6;
    const char *limit = "";
    const double available = available_memory(&limit);
    const char *lower = estimate->weights > estimate->batch
                        ? "--hidden, --embedding, --layers or --vocabulary"
                        : "--batch, --batch-tokens or --max-length";
    if (all <= available) return 0;
    return err(e, "out of memory: training needs %.0f MB (%.0f for weights, moments and gradients, "
                  "%.0f for the largest batch), and %s leaves %.0f MB; lower %s",
               ceil(all / mega), ceil(estimate->weights / mega), ceil(estimate->batch / mega),
               limit, floor(available / mega), lower);
}

/* ---- within a limit ---- */

/* A batch in which every sentence is as long as it may be. */
static BatchSize longest_batch(const Hyperparameters *hyper)
{
    const double all = hyper->batch_tokens ? hyper->batch_tokens
                                           : (double)hyper->batch * hyper->max_length;
    const int tokens = (int)fmin(all, INT_MAX);
    const int sentences = (int)fmax(1, tokens / hyper->max_length);
    return (BatchSize){ sentences, hyper->max_length, tokens, hyper->max_length, tokens };
}

/* The vocabulary is not learned yet; whole words without a limit count as none. */
static double bytes_of(const NetworkOptions *network, const CorpusSize *size,
                       const TextOptions *text, const Hyperparameters *hyper)
{
    const int words = (int)fmax(1, text_vocabulary(text, size->pairs));
    const MemoryEstimate estimate = memory_estimate(network, words, words, longest_batch(hyper),
                                                    NULL, hyper, (Crew){ 0, 1, 1 });
    return estimate.weights + estimate.batch;
}

static NetworkOptions settled(const CorpusSize *size, const NetworkOptions *asked, int shared,
                              int widest)
{
    const NetworkOptions usual = network_for(size, asked, shared, widest);
    NetworkOptions n = *asked;
    fields_settle(network_fields, &n, &usual);
    return n;
}

LimitedNetwork network_within(const CorpusSize *size, const NetworkOptions *asked,
                              const TextOptions *text, const Hyperparameters *hyper, double bytes)
{
    LimitedNetwork limited = { settled(size, asked, text->shared, WIDEST), 0, 0 };
    limited.worth = limited.network.hidden;
    limited.needs = bytes_of(&limited.network, size, text, hyper);
    double needs = limited.needs;
    for (int widest = WIDEST - WIDTH_STEP; widest >= NARROWEST && needs > bytes;
         widest -= WIDTH_STEP) {
        limited.network = settled(size, asked, text->shared, widest);
        needs = bytes_of(&limited.network, size, text, hyper);
    }
    return limited;
}
