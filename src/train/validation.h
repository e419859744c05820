/* validation.h - how good the weights are: the loss on given translations, and how the validation
 * sentences are translated; then, once, how long translations are to be.
 */
#ifndef ATTN_TRAIN_VALIDATION_H
#define ATTN_TRAIN_VALIDATION_H

#include "model/network.h"
#include "train/training.h"

/* ---- The loss ---- */

typedef struct {
    double loss;            /* mean cross-entropy per target token, in nats */
    long   tokens;          /* target tokens, <eos> included */
    long   unknown;         /* <unk> among them: the more, the smaller the loss can be */
} ValidationLoss;

/* sentence_view - pair i as the network reads it.
 * validation_loss_run - over all pairs, without dropout and label smoothing, in batches of `size`
 * pairs that the workers of all processes share; bos is the id of <bos>. The result does not depend
 * on how many there are. Once *stop is not 0 no further batch is begun, and the loss means nothing;
 * NULL: it runs to the end.
 * validation_loss_measure - the bytes that one worker takes for the largest of these batches. */
Sentence       sentence_view(const Pairs *pairs, int i, int number);
ValidationLoss validation_loss_run(const Architecture *net, const Weights *w, const Pairs *pairs,
                                   int size, int bos, Pool *pool, const atomic_int *stop,
                                   Processes *processes);
size_t         validation_loss_measure(const Architecture *net, const Pairs *pairs, int size);

/* ---- The translations ---- */

/* validation_bleu_score - sets the report's bleu, chrf and exact for this model, which is
 * training->model with the weights to validate, or the ensemble that they complete.
 * Changes nothing if there is no text. The sentences are translated greedily, or
 * by a beam where networks of both directions agree (search/search.h). BLEU counts characters
 * where most letters of the references are of a script without blanks. Of sequences that are no
 * sentences (--tokens symbol) exact matches are counted too. The processes share the work. A
 * request to stop cuts it short, and then the numbers mean nothing. */
void validation_bleu_score(const Training *training, const Model *model,
                           ValidationReport *report);

/* ---- One validation ---- */

/* validation_run - sets the report's loss and scores for a model that is Training.model with the
 * weights to validate. 0: a request to stop came first, and the numbers mean nothing. */
int validation_run(const Training *training, const Model *model, ValidationReport *report);

/* validation_score - the number that the best weights are chosen by; higher is better.
 * validation_is_better - whether the report is better than the best so far. If the scores are equal
 * the loss decides; a loss that is no number is never better. With STOP_NONE the newest always
 * is. */
double validation_score(const Hyperparameters *hyper, const ValidationReport *report);
int    validation_is_better(const Hyperparameters *hyper, const TrainingProgress *best,
                            const ValidationReport *report);

/* ---- How long translations are to be ---- */

/* Of fewer sentences the length is mostly chance; more take time. */
enum { LEAST_LENGTHS = 500, MOST_LENGTHS = 1000 };

typedef struct {
    double normalize;           /* with two decimals, from 0.4 to 1.6 */
    int    is_bound;            /* one of these, with which the lengths still differ */
    double ratio;               /* words of the translations with 1 for each of the references */
} LengthCalibration;

/* length_calibration - how far a search of the model in a file is to prefer long translations: the
 * exponent SearchOptions.normalize with which the translations of these sentences have as many
 * words as their first references. The file then has it. A corpus whose translations say more than
 * their sources, or a network that is unsure, has them too short with 1 (the brevity penalty of
 * Papineni et al. 2002). Returns 0 where there are too few, or once *stop is not 0; -1 with a
 * message: the file cannot be read or written. */
int length_calibration(LengthCalibration *found, const char *path, const Segments *text,
                       const atomic_int *stop, Pool *pool, Err *e);

#endif
