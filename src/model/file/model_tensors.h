/* model_tensors.h - what saving and loading a model share: the format, and the names and shapes of its
 * tensors (model/file/model_file.h).
 */
#ifndef ATTN_MODEL_MODEL_TENSORS_H
#define ATTN_MODEL_MODEL_TENSORS_H

#include "model/file/safetensors.h"
#include "model/parameters.h"

#define FORMAT "attn"

/* Models of formats 1 and 2 learned words that were cut in another way (text/words.h until November 2026). */
#define FORMAT_VERSION "3"

/* Space for the name of a tensor: of a parameter or its scale, in one of the networks. */
typedef struct { char text[sizeof "8." + sizeof ((Parameter *)0)->name + sizeof "_scale"]; } TensorName;

/* parameter_tensor - a row of the table as a tensor of the network with this number, from 0.
 * scale_tensor - the scales of a matrix of integers. The caller sets the data; the name must outlive
 * the tensor. */
Tensor parameter_tensor(const Parameter *p, int network, TensorName *name);
Tensor scale_tensor(const Parameter *p, int network, TensorName *name);

/* check_finite - whether all values of the parameter in this block of weights are numbers; -1 with a
 * message that names the first that is not. */
int check_finite(const Parameter *p, const real *block, Err *e);

#endif
