/* models.h - the models that -m names: which file a name means, loading one or several that
 * translate together, where a model comes from. */
#ifndef ATTN_CMD_MODELS_H
#define ATTN_CMD_MODELS_H

#include "base/buf.h"
#include "base/field.h"
#include "model/file/model_file.h"

/* default_model - the model file of all commands without -m and -o: $ATTN_MODEL, else
 * models/attn.safetensors. */
const char *default_model(void);

/* is_model_name - whether a file of this name is a model by its ending. */
int is_model_name(const char *name);

/* model_path - sets *path. A name with a slash is a path, and so is that of a model in the
 * current folder. Other names are those of NAME.safetensors in the first of these folders that has
 * it:
 *
 *   models                          of the current folder
 *   models                          beside the program, where it was built and not installed
 *   PREFIX/share/attn/models        where PREFIX/bin has the program: what make install writes;
 *                                   /usr where the program can't tell, without /proc
 *   $XDG_DATA_HOME/attn/models      or ~/.local/share/attn/models: the user's
 *
 * Another file of the name is taken only where none of them has it.
 * Without a name (NULL) it is that of $ATTN_MODEL, else of attn, which attn train writes, else of
 * eng-fra, which comes with the program; where none is found default_model(), which does not exist.
 * -1 with a message that names the folders. */
int model_path(const char *name, Buf *path, Err *e);

/* model_output - sets *path to the file that a new model of this name is written to: a path, or for
 * a name without a slash and an ending one in models of the current folder if there is such a
 * folder, else in the user's, which is made. -1 with a message. */
int model_output(const char *name, Buf *path, Err *e);

/* load_model - -1 with a message, which says how to get a model where there is no such file.
 * warn_without_target - warns of a model that translates into several languages, where none was
 *   asked for. where: of the line, or the file of the model. */
int  load_model(Model *model, const char *path, Err *e);
void warn_without_target(const Model *model, const char *where);

/* ---- Several that translate together ---- */

/* Zero-initialise it; models_free releases, also after a failure. */
typedef struct {
    Model model[TEXT_LIST_MOST];    /* (count) model[0] has the tokenizers of all */
    char *path[TEXT_LIST_MOST];     /* of the file of each */
    int   count;
} Models;

extern const char models_help[];            /* of the option */

/* default_models - the list without -m: the default model.
 * find_models - sets the paths. -1: a name is that of no model.
 * load_models - then reads the files; is_packed: for products in 8 bits alone (model/file/model_file.h).
 * -1: one cannot be read, or the models cannot translate together (translate/translator.h). */
TextList default_models(void);
int      find_models(Models *models, const TextList *names, Err *e);
int      load_models(Models *models, int is_packed, Err *e);
void     models_free(Models *models);

/* models_overflow - sets the error of a result that is not a number, for the line at `where`
 * ("FILE:LINE"); -1. */
int  models_overflow(const Models *models, const char *where, Err *e);

/* models_have_attention - whether any of them has an attention to show: it was not trained with
 * --attention none. */
int models_have_attention(const Models *models);

/* ---- Where a model comes from ---- */

/* model_origin - appends "learned from eng-fra.tsv, BLEU 92.9 on validation", or the part of it
 * that the metadata (Model.training) holds; nothing where it holds nothing. Anybody may have
 * written the metadata: print it with base/strings.h. */
void model_origin(const cJSON *training, Buf *out);

/* model_check_replaceable - -1 where this file, which a new model is to replace, is no model: no
 * option replaces that. */
int model_check_replaceable(const char *path, Err *e);

#endif
