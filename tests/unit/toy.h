/* toy.h - a small world for the tests of training and translation: eight sentence pairs, tokenizers
 * learned from them, a network that learns them by heart in a hundred updates, and hyperparameters
 * without dropout and cooldown.
 */
#ifndef ATTN_TESTS_TOY_H
#define ATTN_TESTS_TOY_H

#include "scratch.h"
#include "train/training.h"

enum { TOY_PAIRS = 8 };
extern const char *toy_sources[TOY_PAIRS], *toy_targets[TOY_PAIRS];

/* A test changes what it needs before toy_run. */
typedef struct {
    Model                 model;
    Hyperparameters       hyper;        /* one batch an epoch */
    Examples              train;
    Pairs                 pairs, valid; /* those of train; valid: none, until toy_validate */
    Segments              text;
    char                 *model_path, *state_path;
    Requests              requests;
    Training              training;     /* points into this toy */
    Ending                ending;       /* of the last toy_run */
    TrainingProgress      progress;
} Toy;

Toy *toy_new(Scratch *scratch, int tokens, int workers);
void toy_free(Toy *toy);

/* toy_network - another network for the same sentences, with new weights. */
void toy_network(Toy *toy, const NetworkOptions *options);

/* toy_share_vocabulary - one tokenizer for both sides, with new weights; so both directions can be
 * learned. */
void toy_share_vocabulary(Toy *toy);

/* toy_validate - validates on the sources with one another's targets: the more is learned by heart,
 * the worse. */
void toy_validate(Toy *toy);

/* toy_run - trainer_run, which must succeed; events may be NULL. toy_refused - trainer_run, which
 * must fail with the message in e. */
void toy_run(Toy *toy, const TrainingEvents *events);
void toy_refused(Toy *toy, Err *e);

/* toy_no_events - report nothing, but trouble fails the test. toy_trouble - for TrainingEvents:
 * fails the test. */
extern const TrainingEvents toy_no_events;
void toy_trouble(void *context, const char *text);

#endif
