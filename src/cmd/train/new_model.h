/* new_model.h - the model that `attn train` trains, and the first weights of its networks. */
#ifndef ATTN_CMD_TRAIN_NEW_MODEL_H
#define ATTN_CMD_TRAIN_NEW_MODEL_H

#include "cmd/train/config.h"
#include "model/file/model_file.h"
#include "train/data/data.h"

/* new_model - takes over the data's tokenizers and lexicons; its weights are not set. For
 * model_free. */
Model new_model(const Config *c, Data *d);

/* network_seed - of a network of an ensemble, from 0: that which gives the same network alone.
 * begin_network - the model becomes this network: its direction, and its first weights, at random by
 * its seed or those of --init, whose networks of that direction take turns. */
uint64_t network_seed(const Config *c, int network);
void     begin_network(const Config *c, Model *m, int network);

#endif
