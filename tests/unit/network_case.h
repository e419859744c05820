/* network_case.h - four sentence pairs, and a small network of any kind with random weights, its
 * loss and gradient. */
#ifndef ATTN_TESTS_NETWORK_CASE_H
#define ATTN_TESTS_NETWORK_CASE_H

#include "base/mem.h"
#include "gradient.h"
#include "model/network.h"

enum { SOURCE_WORDS = 8, TARGET_WORDS = 7, SENTENCES = 4 };

/* A value is computed in some ten layers and steps, with sums of up to 16 terms. */
static const double operations = 160;

typedef struct {
    Heap            heap;
    Architecture             net;
    ParameterTable *table;
    real           *block, *dblock;
    Weights         w, dw;
    Noise           noise;
    Criterion       criterion;
    Arena           batch_memory, memory;
} Case;

/* network_case_new - no noise and no smoothing; the scale makes the gradient that of the mean loss
 * of all four pairs. For network_case_free. */
Case network_case_new(const NetworkOptions *options, int source_words, int target_words);
void network_case_free(Case *c);

/* gradient - adds the gradient of these sentences to dblock. gradient_of_all, loss_of_all - for the
 * four pairs. With R-Drop each pair is there twice. */
Loss gradient(Case *c, const Sentence *sentences, int count);
Loss gradient_of_all(Case *c);
Loss loss_of_all(Case *c);

/* batch_of_all - the four pairs, in c->batch_memory. */
Batch batch_of_all(Case *c);

/* network_case_small - the smallest of each width, and sentences longer than positions and
 * window. */
NetworkOptions network_case_small(int layers);

/* kind_of - the smallest network of one layer and head, with these options, as in "layers=2 cell=lstm".
 * check_kind - runs the check with such a network and label smoothing, if there is such a network.
 * check_kinds - with each of these options; NULL ends them.
 * check_differences - checks the gradients of all parameters by differences, with the case's
 * noise. */
typedef void (*Check)(Case *c);
NetworkOptions kind_of(const char *options);
void check_kind(Check check, const NetworkOptions *options);
void check_kinds(Check check, const char *const *kinds);
void check_differences(Case *c);

/* choose - the pairs first, first + step, ... ; returns how many. */
int choose(Sentence *sentences, int first, int step);

void assert_same_loss(Loss got, Loss expected);

#endif
