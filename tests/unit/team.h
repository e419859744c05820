/* team.h - a small network and the team that updates it, and sentences to learn from. */
#ifndef ATTN_TESTS_TEAM_H
#define ATTN_TESTS_TEAM_H

#include "numbers.h"
#include "train/update/updater.h"

#include <float.h>

enum { WORDS = 14, MOST = 9, LONGEST = 5, PASSES = 2 };

static const double epsilon = REAL_IS_DOUBLE ? DBL_EPSILON : FLT_EPSILON;

/* A gradient comes out of some ten layers and steps whose sums are up to 16 long
 * (test_network.c). */
static const double operations = 160;

typedef struct {
    Heap            heap;
    Hyperparameters hyper;
    Architecture    net;
    ParameterTable *table;
    real           *weights;
    Pool           *pool;
    Updater        *updater;
} Team;

/* usual_hyperparameters - dropout, clipping and sparse gradients. */
Hyperparameters usual_hyperparameters(void);

/* team_of - with slices of so many bytes; for team_free. team_new - with a network of two layers. */
Team *team_of(const NetworkOptions *options, int workers, size_t slice,
              const Hyperparameters *hyper);
Team *team_new(int workers, const Hyperparameters *hyper);
void team_free(Team *t);

/* make_batch - `count` random pairs, which are the heap's. Every second target has lost its
 * <eos>, as when it was cut. */
void make_batch(Heap *heap, uint64_t seed, Sentence *sentences, int count);

/* learn - an update from one batch. update - from one of `count` pairs by this seed. */
Update learn(Team *t, const Sentence *sentences, int count, long step);
Update update(Team *t, uint64_t seed, int count, long step);

#endif
