/* init.h - the model that `attn train --init` goes on from. */
#ifndef ATTN_CMD_TRAIN_INIT_H
#define ATTN_CMD_TRAIN_INIT_H

#include "base/buf.h"
#include "model/file/model_file.h"
#include "train/hyperparameters/hyperparameters.h"

typedef struct {
    Model model;
    Buf   path;             /* of its file */
} InitModel;

/* init_load - NULL with a message if there is no such model. init_free - NULL is allowed. */
InitModel *init_load(const char *name, Err *e);
void       init_free(InitModel *init);

/* init_check - settles what is "auto", and refuses (-1) what is not as in the model: a model that
 * goes on keeps its text pipeline and its network. */
int init_check(const InitModel *init, TextOptions *text, NetworkOptions *network, Err *e);

/* init_ensemble - sets in `usual` as many networks as the model has, and of those that are asked for as
 * many from right to left as it has, but at least one from left to right. */
void init_ensemble(const InitModel *init, const Hyperparameters *asked, Hyperparameters *usual);

#endif
