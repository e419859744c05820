/* model_file.h - a model in one safetensors file: tensors under PyTorch's names, and all that translation needs.
 *
 * The format is described in model/safetensors.h. The metadata are strings, some of them JSON texts:
 *   format       "attn"                    format_version  "1"
 *   network      JSON of network_fields    text            JSON of text_fields
 *   source_tokenizer, target_tokenizer     JSON of tokenizer_to_json; no second one where the vocabulary is shared
 *   training     JSON: program, command, corpus, corpus_hash, recipe, steps, epochs, valid_loss, valid_bleu, ...: told,
 *                never used; may be missing
 */
#ifndef ATTN_MODEL_MODEL_FILE_H
#define ATTN_MODEL_MODEL_FILE_H

#include "base/error.h"
#include "base/json.h"
#include "model/architecture.h"
#include "text/tokenizer.h"

typedef struct {
    NetworkOptions  network;
    TextOptions     text;
    Tokenizer      *source, *target;    /* one and the same where the vocabulary is shared */
    ParameterTable *table;
    real           *weights;     /* one block, laid out by `table` */
    cJSON          *training;    /* how it was trained; an object */
} Model;

Architecture  model_architecture(const Model *model);     /* the shape of its network */

/* model_save - replaces the file, atomically and durably; the weights are stored as F32, whatever `real` is.
 * Weights that are not finite are refused, and the old file stays. */
int  model_save(const Model *model, const char *path, Err *e);

/* model_load - trusts nothing; a truncated, foreign or hostile file is one message, and leaves the model all zero. A
 * setting that the file doesn't name has its default. */
int  model_load(Model *model, const char *path, Err *e);

/* model_load_training - Model.training of a file that attn train has written, in whatever version of the format; an object, empty
 * where nothing is told. The weights are not looked at. NULL with a message for what is no model. */
cJSON *model_load_training(const char *path, Err *e);

void model_free(Model *model);      /* what is NULL is skipped; the model is all zero afterwards */

#endif
