/* defaults.h - the options that suit a corpus: what `attn train` uses where the user has not chosen
 * ("auto").
 *
 * Pure functions of the size of the training part, so that the same corpus gives the same network;
 * the size of the subword vocabulary follows from it too (text_vocabulary in
 * text/tokenizer/tokenizer.h). Only the precision depends on the CPU.
 */
#ifndef ATTN_TRAIN_DEFAULTS_H
#define ATTN_TRAIN_DEFAULTS_H

#include "model/parameters.h"
#include "train/hyperparameters/hyperparameters.h"

typedef struct {
    double pairs;                           /* of the training part */
    double source_words, target_words;      /* running words of its sides, as the tokenizers
                                             * split */
    int    is_sequence;                     /* its tokens are symbols of sequences that are no sentences */
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

#endif
