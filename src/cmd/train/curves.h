/* curves.h - the course of a training as a page: what its log tells of loss, BLEU and learning rate over time. */
#ifndef ATTN_CMD_TRAIN_CURVES_H
#define ATTN_CMD_TRAIN_CURVES_H

#include "base/error.h"

/* curves_draw - replaces the page (HTML) by one drawn from the log, as far as it has come. A line that is no JSON
 * object is skipped: a log may be cut off at any byte. Above the curves stand the model, the corpus
 * and the options that its first line names. -1: one of them can't be read or written. */
int curves_draw(const char *page, const char *log, Err *e);

#endif
