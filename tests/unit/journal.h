/* journal.h - runs of the toy that note every report, are interrupted, and what they leave. */
#ifndef ATTN_TESTS_JOURNAL_H
#define ATTN_TESTS_JOURNAL_H

#include "toy.h"

enum { MOST_EVENTS = 400 };

typedef struct {
    Toy             *toy;
    long             interrupt_at;          /* step; 0: never */
    int              interrupt_in;          /* this validation; 0: none */
    long             steal_at;              /* after this step the state is copied; 0: never */
    Content          stolen;
    long             poison_at;             /* after this step a weight is no number; 0: never */
    long             heal_at;               /* and after this one it is again */
    int              resumed, updates, validations, troubles;
    char             trouble[1024];         /* the last one */
    UpdateReport     update[MOST_EVENTS];
    ValidationReport validation[MOST_EVENTS];
    TrainingProgress progress[MOST_EVENTS];  /* at each update */
    TrainingProgress validated[MOST_EVENTS];
} Journal;

/* run_noted - trains the toy, which must succeed; for free.
 * events_of - reports go to this journal. */
Journal *run_noted(Toy *toy, long interrupt_at);
TrainingEvents events_of(Journal *j);

/* small_run - two workers, three batches an epoch, eight steps, and chance in each of them; and
 * these hyperparameters as JSON. has_validation: it validates, usually after each epoch.
 * run_until - a run that is interrupted after this step (0: before the first; -1: none) or in this
 * validation (0: none), without trouble. */
enum { WORKERS = 2 };
Toy    *small_run(Scratch *scratch, const char *hyperparameters, int has_validation);
void    run_until(Toy *toy, long step, int validation);

/* poison - a weight is no number from now on. */
void poison(Toy *toy);

/* stalling_toy - one that validates until that stalls four times. */
Toy *stalling_toy(Scratch *scratch, int batch, int validate_every, double rate, double decay);

/* load_written - the model file, which must be good; for model_free. written_number - of its
 * record. */
Model  load_written(const Toy *toy);
double written_number(const Toy *toy, const char *key);

/* assert_ended - how, and after which step.
 * assert_holds_the_best - the model file's weights, and what its metadata says of them. */
void assert_ended(const Toy *toy, Ending ending, long step);
void assert_holds_the_best(const Toy *toy);

#endif
