/* validation.h - one validation of the current weights: its loss and its scores, and samples of
 * translations, also between validations. Nothing of a run depends on samples.
 */
#ifndef ATTN_TRAIN_VALIDATION_H
#define ATTN_TRAIN_VALIDATION_H

#include "train/training.h"
#include "train/training_events.h"

typedef struct {
    const Training *training;   /* borrowed */
    double          shown;      /* clock of the last samples */
} Validation;

void validation_init(Validation *v, const Training *training);

/* validation_run - sets the report's loss and scores, and its samples if they are due, for a model
 * that is Training.model with the weights to validate. 0: a request to stop came first, and the
 * numbers mean nothing. The caller frees the report (validation_report_free). */
int validation_run(Validation *v, const Model *model, ValidationReport *report);

/* validation_show_due - whether Training.show_every has passed since the last samples.
 * validation_show - sets the report's scores and samples; returned and freed like those above. */
int validation_show_due(const Validation *v);
int validation_show(Validation *v, const Model *model, ValidationReport *report);

/* validation_score - the number that the best weights are chosen by; higher is better.
 * validation_is_better - whether the report is better than the best so far. If the scores are equal
 * the loss decides; a loss that is no number is never better. With STOP_NONE the newest always
 * is. */
double validation_score(const Hyperparameters *hyper, const ValidationReport *report);
int    validation_is_better(const Hyperparameters *hyper, const TrainingProgress *best,
                            const ValidationReport *report);

#endif
