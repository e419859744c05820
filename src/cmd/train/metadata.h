/* metadata.h - what a model and a state record of the training that they come from. */
#ifndef ATTN_CMD_TRAIN_METADATA_H
#define ATTN_CMD_TRAIN_METADATA_H

#include "base/json.h"
#include "cmd/train/config.h"
#include "model/file/model_file.h"
#include "train/data/data.h"

/* metadata_of_training - how a model is trained, for Model.training; the trainer adds its results.
 * The caller owns it. */
cJSON *metadata_of_training(const Config *c, const char *command, const Data *d,
                            const DataOptions *options, int workers);

/* A state is resumed only with the text and the vocabularies that it was trained with.
 * metadata_corpus_hash - of all text that is trained on.
 * metadata_vocabulary_hash - of both tokenizers. */
uint64_t metadata_corpus_hash(const Data *d);
uint64_t metadata_vocabulary_hash(const Model *m);

#endif
