/* defaults.c - powers of the size of the corpus, through what was found for the one that most was tried on; and what
 * other choices ask for.
 */
#include "train/defaults.h"

#include "linalg/precision.h"

#include <math.h>

/* The training part of the eng-fra corpus of tatoeba.org. What a rule gives for it is what hyperparameters_defaults and
 * network_defaults say. */
static const double usual_pairs = 114489;

/* How the best value of an option goes with the number of pairs, between `least` and `most`: in steps of 1 / `fine`, for
 * it is a rule of thumb, and people read its numbers. */
typedef struct { double power, fine, least, most; } Rule;

/* Few pairs want no narrower network but more dropout: of 2,000 pairs a network 128 wide came to a loss of 3.41 with
 * dropout 0.3 and 3.50 with 0.15, one 64 wide to 3.54 and 3.63 (README, Results). That dropout wants more passes, and that
 * more than the usual number of pairs earn more width, are guesses. */
static const Rule width = { 1.0 / 4, 1.0 / 64, 256, 1024 };
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

/* One embedding for all that reads and writes the same words (Press and Wolf 2017), unless the output layer has another
 * width. */
static int tie_for(const NetworkOptions *asked, const NetworkOptions *usual, int shared)
{
    const int fits = asked->readout != READOUT_SIMPLE
                     || chosen(asked->embedding, usual->embedding) == chosen(asked->hidden, usual->hidden);
    return shared && fits ? TIE_ALL : TIE_NONE;
}

NetworkOptions network_for(const CorpusSize *size, const NetworkOptions *asked, int shared)
{
    NetworkOptions n = network_defaults();
    n.hidden = (int)follow(width, n.hidden, size->pairs);
    n.embedding = (int)follow(width, n.embedding, size->pairs);
    n.tie = tie_for(asked, &n, shared);
    return n;
}

/* Updates an epoch, with the batches that were asked for: about so many where they are counted by tokens. */
static double updates(const CorpusSize *size, const Hyperparameters *asked, const Hyperparameters *usual)
{
    const int batch = asked->batch == FIELD_AUTO ? usual->batch : asked->batch;
    const int tokens = asked->batch_tokens == FIELD_AUTO ? usual->batch_tokens : asked->batch_tokens;
    const double words = fmax(size->source_words, size->target_words);
    return (tokens ? words / tokens : size->pairs / batch) / asked->accumulate;
}

/* Updates between two validations: an epoch (0), unless that is so short that a validation, of few sentences besides,
 * tells more of chance than of learning (each that is no better costs half the learning rate, or the run), or so long
 * that a run sees too few. */
static int validate_every(double epoch)
{
    enum { LEAST = 200, MOST = 5000 };
    return epoch < LEAST ? LEAST : epoch > MOST ? MOST : 0;
}

/* A BLEU or chrF that chooses weights needs more sentences than one that is only told; and whoever asks for a number of
 * pairs a batch doesn't want them counted by tokens. */
Hyperparameters hyperparameters_for(const CorpusSize *size, const Hyperparameters *asked)
{
    enum { CHOOSING_SENTENCES = 1000 };
    Hyperparameters r = hyperparameters_defaults();
    r.epochs = (int)follow(passes, r.epochs, size->pairs);
    r.dropout = follow(dropout, r.dropout, size->pairs);
    r.dropout_embedding = follow(dropout, r.dropout_embedding, size->pairs);
    r.precision = precision_works(PRECISION_BF16) ? PRECISION_BF16 : PRECISION_FLOAT;
    if (asked->batch != FIELD_AUTO) r.batch_tokens = 0;
    r.validate_every = validate_every(updates(size, asked, &r));
    if (asked->early_stop != STOP_LOSS) r.validate_sentences = CHOOSING_SENTENCES;
    return r;
}
