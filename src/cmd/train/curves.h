/* curves.h - the log of a training run as an HTML page: loss, BLEU and learning rate over time. */
#ifndef ATTN_CMD_TRAIN_CURVES_H
#define ATTN_CMD_TRAIN_CURVES_H

#include "base/error.h"

/* curves_draw - replaces the page by one drawn from the log as it is now. A line that is no JSON
 * object is skipped, since a log may be cut off at any byte. Above the curves are the model, the
 * corpus and the options of its first line. -1: the log cannot be read, or the page not be
 * written. */
int curves_draw(const char *page, const char *log, Err *e);

#endif
