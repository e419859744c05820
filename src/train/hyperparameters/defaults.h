/* defaults.h - the options that suit a corpus: what `attn train` uses where the user has not chosen
 * ("auto"); and the memory that they take, with a network as wide as the corpus is worth within a
 * limit of it.
 *
 * The options are pure functions of the size of the training part, so that the same corpus gives
 * the same network; the size of the subword vocabulary follows from it too (text_vocabulary in
 * text/tokenizer/tokenizer.h). Only the precision depends on the CPU.
 */
#ifndef ATTN_TRAIN_DEFAULTS_H
#define ATTN_TRAIN_DEFAULTS_H

#include "model/batch.h"
#include "model/parameters.h"
#include "text/corpus/corpus.h"
#include "text/tokenizer/tokenizer.h"
#include "train/hyperparameters/hyperparameters.h"
#include "train/update/processes.h"

typedef struct {
    double pairs;                           /* of the training part */
    double source_words, target_words;      /* running words of its sides */
    int    is_sequence;                     /* its tokens are symbols (train/data/sequences.h) */
} CorpusSize;

/* The widths that follow from a corpus. */
enum { NARROWEST = 256, WIDEST = 1024, WIDTH_STEP = 64 };

/* network_for, hyperparameters_for - `asked` holds the user's choices that other values depend on;
 * fields that are FIELD_AUTO are not chosen. shared: both sides have one vocabulary. widest: a
 * limit from NARROWEST to WIDEST. */
NetworkOptions  network_for(const CorpusSize *size, const NetworkOptions *asked, int shared,
                            int widest);
Hyperparameters hyperparameters_for(const CorpusSize *size, const Hyperparameters *asked,
                                    int shared);

/* hyperparameters_to_continue - the same for a network that has learned another corpus before: a
 * lower rate and fewer epochs, one pass of each pair, and one direction. */
Hyperparameters hyperparameters_to_continue(const CorpusSize *size, const Hyperparameters *asked);

/* ---- Memory ---- */

/* What a training run will take, estimated before it is allocated. */
typedef struct {
    double weights;         /* bytes of all blocks like the weights: those of the updater
                             * (updater_blocks in train/update/updater.h), one gradient per worker,
                             * and the finished networks of an ensemble */
    double batch;           /* bytes of the rest: prepacked weights; and the activations of the
                             * largest share of a batch, or of a slice of it, for each worker, or
                             * what the validation takes, whichever is more (updater_rest) */
} MemoryEstimate;

/* memory_estimate - of one process with its workers, where each of all workers has at most such a
 * share of a batch (batches_share), and with these validation pairs; NULL: none. With BPE-dropout,
 * pairs may become longer than this estimate knows.
 * memory_estimate_check - -1 if this process cannot have that much memory; the message says how
 * much is needed, how much is available, and which options to lower. */
MemoryEstimate memory_estimate(const NetworkOptions *options, int source_vocabulary,
                               int target_vocabulary, BatchSize share, const Pairs *valid,
                               const Hyperparameters *hyper, Crew crew);
int            memory_estimate_check(const MemoryEstimate *estimate, Err *e);

typedef struct {
    NetworkOptions network;     /* nothing is "auto" any more */
    int            worth;       /* its hidden width without the limit */
    double         needs;       /* bytes that it would then take */
} LimitedNetwork;

/* network_within - the network for a corpus (network_for), as wide as training it takes no more
 * bytes, and at least as wide as that of a small corpus. What the user has chosen stays. It is a
 * function of corpus and limit alone, so that no number of workers makes another network: the bytes
 * are those of one worker and a batch of the longest sentences, which several workers share; each
 * further one takes a gradient more. Nothing of hyper may be "auto". */
LimitedNetwork network_within(const CorpusSize *size, const NetworkOptions *asked,
                              const TextOptions *text, const Hyperparameters *hyper, double bytes);

#endif
