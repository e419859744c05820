/* interrupted_run.h - runs of the toy that are interrupted, and what they leave. */
#ifndef ATTN_TESTS_INTERRUPTED_RUN_H
#define ATTN_TESTS_INTERRUPTED_RUN_H

#include "toy.h"

enum { WORKERS = 2 };

/* Changes what a test wants otherwise. no_validation - nothing. */
typedef void (*Setting)(Toy *toy);
void no_validation(Toy *toy);
void validation_each_epoch(Toy *toy);

/* new_run - three batches an epoch, eight steps, and chance in each of them; for toy_free. */
Toy *new_run(Scratch *scratch, Setting setting);

typedef struct {
    Toy *toy;
    long interrupt_at;          /* step */
    long validations;           /* interrupt in this validation; 0: none */
    long seen;
} Interrupter;

/* run_until - a run that is interrupted after this step (-1: none) or in this validation (0: none).
 * interrupt_update - for TrainingEvents whose context is an Interrupter. */
void run_until(Toy *toy, long step, long validations);
void interrupt_update(void *context, const UpdateReport *report);

/* read_file - all of a file, which must be there; for free. */
typedef struct { char *bytes; size_t size; } Bytes;
Bytes read_file(const char *path);

#endif
