/* validation_bleu.h - how well the weights translate now: BLEU and chrF of the validation sentences, greedily. */
#ifndef ATTN_TRAIN_VALIDATION_BLEU_H
#define ATTN_TRAIN_VALIDATION_BLEU_H

#include "train/trainer.h"

/* validation_bleu_score - of this model, which is training->model with the weights that are to be validated. Sets
 * report->bleu and report->chrf, and report->sample where with_samples; leaves them where there is no text. A request
 * to stop cuts it short, and then they mean nothing. validation_free releases what the report holds. */
void validation_bleu_score(const Training *training, const Model *model, int with_samples, ValidationReport *report);
void validation_free(ValidationReport *report);

#endif
