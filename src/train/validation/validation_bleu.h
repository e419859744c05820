/* validation_bleu.h - how well the weights translate: BLEU and chrF of the validation sentences,
 * translated greedily, or by a beam where networks of both directions agree (search/agreement.h).
 * BLEU counts characters where most letters of the references are of a script without blanks. Of sequences that are no
 * sentences (--tokens symbol) exact matches are counted too.
 */
#ifndef ATTN_TRAIN_VALIDATION_BLEU_H
#define ATTN_TRAIN_VALIDATION_BLEU_H

#include "train/training.h"
#include "train/training_events.h"

/* validation_bleu_score - for this model, which is training->model with the weights to validate, or the
 * ensemble that they complete.
 * Sets the report's bleu, chrf and exact, and its samples if with_samples; changes nothing if there is no
 * text. The processes share the work; only the first has samples. A request to stop cuts it short,
 * and then the numbers mean nothing. The caller frees the report (validation_report_free). */
void validation_bleu_score(const Training *training, const Model *model, int with_samples,
                           ValidationReport *report);

#endif
