/* model_tensors.h - how a model is named in its file, for those who write and read that
 * (model_file.h is for all others). */
#ifndef ATTN_MODEL_MODEL_TENSORS_H
#define ATTN_MODEL_MODEL_TENSORS_H

#include "model/file/model_file.h"
#include "model/file/safetensors.h"

#define MODEL_FORMAT "attn"                 /* metadata "format" */

extern const Field model_search_fields[];   /* of ModelSearch, in metadata "search" */
extern const char *const segmenter_names[]; /* [side] the tensors of SentencePiece models */

/* Space for the name of a tensor: of a parameter or its scale, in one of the networks, with its
 * number. */
typedef struct {
    char text[16 + sizeof ((Parameter *)0)->name + sizeof "_scale"];
} TensorName;

/* tensor_of - a row of the table as a tensor of the network with this number, from 0, or the scales
 *   of such a matrix of integers. The caller sets the data; the name must outlive the tensor.
 * tensor_check - -1 with a message if a value x of a row is not finite. */
Tensor tensor_of(const Parameter *p, int network, int is_scale, TensorName *name);
int    tensor_check(const Parameter *p, const real *x, Err *e);

#endif
