/* models.h - the models of -m: one, or several that translate together. */
#ifndef ATTN_CMD_MODELS_H
#define ATTN_CMD_MODELS_H

#include "base/buf.h"
#include "base/field.h"
#include "model/file/model_file.h"

typedef struct {
    Model       model[TEXT_LIST_MOST];      /* (count) model[0] has the tokenizers of all */
    const char *path[TEXT_LIST_MOST];       /* where each came from; not owned */
    int         count;
} Models;

extern const char models_help[];            /* of the option */

/* default_models - the list without -m: the default model (cmd/cmd.h). */
TextList default_models(void);

/* find_models - replaces the names by the paths of their files (cmd/model_path.h), which are in
 * `memory`; the default list by that of the usual model. EXIT_OK, or EXIT_FAILED after a message:
 * a name is that of no model. */
int find_models(TextList *models, Buf *memory);

/* load_models - EXIT_OK, or EXIT_FAILED after a message: a model cannot be read, or the models
 * cannot translate together (translate/translator.h). models_free releases in either case. */
int  load_models(Models *models, const TextList *paths);
void models_free(Models *models);

/* models_overflow - sets the error of a result that is not a number, for the line at `where`
 * ("FILE:LINE"); -1. */
int  models_overflow(const Models *models, const char *where, Err *e);

/* models_have_attention - whether any of them has an attention to show: it was not trained with
 * --attention none. */
int models_have_attention(const Model *models, int count);

#endif
