/* validation.h - how well the weights translate now: BLEU and chrF of the validation sentences, greedily. */
#ifndef ATTN_TRAIN_VALIDATION_H
#define ATTN_TRAIN_VALIDATION_H

#include "train/trainer.h"

/* validation_scores - sets report->bleu and report->chrf; leaves them where there is no text. A request to stop cuts it
 * short, and then they mean nothing. */
void validation_scores(const Training *training, ValidationReport *report);

#endif
