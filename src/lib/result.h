/* result.h - how an attn_result is made. */
#ifndef ATTN_LIB_RESULT_H
#define ATTN_LIB_RESULT_H

#include "base/error.h"
#include "lib/attn.h"
#include "model/file/model_file.h"
#include "translate/translation.h"

/* result_new - a copy of translations of lines; aligned: the model that made them, for their
 * alignments, or NULL. NULL: an error. attn_result_free releases it. */
attn_result *result_new(const Translation *translations, size_t count, const Model *aligned,
                        Err *e);

#endif
