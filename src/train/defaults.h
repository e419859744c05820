/* defaults.h - the options that suit a corpus: what `attn train` takes where the user has not chosen ("auto").
 *
 * Pure functions of the size of the training part, so that the same corpus gives the same network; the size of the
 * subword vocabulary follows from it too (text_vocabulary in text/tokenizer.h). Only the precision is the CPU's.
 */
#ifndef ATTN_TRAIN_DEFAULTS_H
#define ATTN_TRAIN_DEFAULTS_H

#include "model/parameters.h"
#include "train/hyperparameters.h"

typedef struct {
    double pairs;                           /* of the training part */
    double source_words, target_words;      /* running words of its sides, as the tokenizers split them */
} CorpusSize;

/* network_for, hyperparameters_for - `asked` tells the choices that others follow from; its automatic rows may be unsettled.
 * shared: both sides have one vocabulary */
NetworkOptions network_for(const CorpusSize *size, const NetworkOptions *asked, int shared);
Hyperparameters         hyperparameters_for(const CorpusSize *size, const Hyperparameters *asked);

#endif
