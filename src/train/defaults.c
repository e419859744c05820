/* defaults.c - the same for every size of corpus, but for what other choices ask for. */
#include "train/defaults.h"

#include "nn/matrix.h"

NetworkOptions network_for(const CorpusSize *size)
{
    (void)size;
    return network_defaults();
}

/* A BLEU or chrF that chooses weights needs more sentences than one that is only told; and whoever asks for a number of
 * pairs a batch doesn't want them counted by tokens. */
Recipe recipe_for(const CorpusSize *size, const Recipe *asked)
{
    enum { CHOOSING_SENTENCES = 1000 };
    Recipe r = recipe_defaults();
    (void)size;
    r.precision = matrix_can_round(PRECISION_BF16) ? PRECISION_BF16 : PRECISION_FLOAT;
    if (asked->batch != FIELD_AUTO) r.batch_tokens = 0;
    if (asked->early_stop != STOP_LOSS) r.validate_sentences = CHOOSING_SENTENCES;
    return r;
}
