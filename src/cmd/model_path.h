/* model_path.h - the file that a model's name means. */
#ifndef ATTN_CMD_MODEL_PATH_H
#define ATTN_CMD_MODEL_PATH_H

#include "base/buf.h"
#include "base/error.h"

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
 * Another file of the name is taken only where none of them has it, the program itself never.
 * -1 with a message that lists the folders, and the models that are there. */
int model_path(const char *name, Buf *path, Err *e);

/* model_path_usual - the path without a name: that of $ATTN_MODEL, else of attn, which attn train
 * writes, else of eng-fra, which comes with the program. Where none is found it is default_model(),
 * which does not exist; -1 if $ATTN_MODEL is no model's name. */
int model_path_usual(Buf *path, Err *e);

#endif
