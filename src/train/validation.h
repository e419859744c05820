/* validation.h - how well the weights translate now: BLEU and chrF of the validation sentences, greedily. */
#ifndef ATTN_TRAIN_VALIDATION_H
#define ATTN_TRAIN_VALIDATION_H

#include "train/trainer.h"

/* validation_scores - of this model, which is training->model with the weights that are to be validated. Sets
 * report->bleu and report->chrf; leaves them where there is no text. A request to stop cuts it short, and then they
 * mean nothing. */
void validation_scores(const Training *training, const Model *model, ValidationReport *report);

#endif
