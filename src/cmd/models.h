/* models.h - the models that -m names, one or several that translate together. */
#ifndef ATTN_CMD_MODELS_H
#define ATTN_CMD_MODELS_H

#include "base/field.h"
#include "model/model_file.h"

typedef struct {
    Model       model[TEXT_LIST_MOST];      /* (count) model[0] has the tokenizers of all */
    const char *path[TEXT_LIST_MOST];       /* where each came from; not owned */
    int         count;
} Models;

extern const char models_help[];            /* of the option */

/* default_models - the place of the one model when -m says nothing (cmd/cmd.h). */
TextList default_models(void);

/* load_models - EXIT_OK, or EXIT_FAILED after a message: one can't be read, or they can't translate together
 * (translate/ensemble.h). models_free releases in either case. */
int  load_models(Models *models, const TextList *paths);
void models_free(Models *models);

/* models_overflow - the message that what they compute of the line at `where` ("FILE:LINE") is no
 * number; -1. */
int  models_overflow(const Models *models, const char *where, Err *e);

/* models_look - whether any of them has an attention to show; one with --attention none has not. */
int models_look(const Model *models, int count);

#endif
