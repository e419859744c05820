/* import.h - translators of other programs as models of attn: OPUS-MT and other files of Marian,
 * Firefox's, MarianMT of Hugging Face, CTranslate2's and Argos packages.
 *
 *     files --package--> one network and what belongs to it --reader--> named arrays
 *           --marian, hugging_face or ctranslate2--> options, vocabularies, parameters
 *
 * A model has what its own program does by default: how text is cut, how wide and how long a search
 * is. What attn's network can't do is refused with the reason.
 */
#ifndef ATTN_IMPORT_IMPORT_H
#define ATTN_IMPORT_IMPORT_H

#include "import/package.h"
#include "model/file/model_file.h"

/* import_is_foreign - whether something is there that is no model of attn, such as a folder.
 * import_model - the model in these files (count): all of them, or a folder or an archive that has
 *   them. -1 with a message; the model is then all zero.
 * import_package - the same of a package, which has to outlive nothing. */
int import_is_foreign(const char *path);
int import_model(Model *model, const char *const *paths, int count, Err *e);
int import_package(Model *model, const Package *package, Err *e);

#endif
