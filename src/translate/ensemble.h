/* ensemble.h - which models may translate together. */
#ifndef ATTN_TRANSLATE_ENSEMBLE_H
#define ATTN_TRANSLATE_ENSEMBLE_H

#include "base/error.h"
#include "model/file/model_file.h"

/* ensemble_check - whether all models cut text into the same pieces and number them alike, on both
 * sides; their networks may differ. -1 with why the first that differs from model 0 may do so; name:
 * what the message calls each. */
int ensemble_check(const Model *model, const char *const *name, int count, Err *e);

#endif
