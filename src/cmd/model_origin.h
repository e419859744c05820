/* model_origin.h - where a model comes from, in a few words: its languages, its corpus, its
 * score. */
#ifndef ATTN_CMD_MODEL_ORIGIN_H
#define ATTN_CMD_MODEL_ORIGIN_H

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"

/* model_languages - appends "eng → fra" where the names of the corpus files hold language codes:
 * eng-fra.tsv, or one file a language, news.en news.fr. Returns whether they do. */
int model_languages(const char *corpus, Buf *out);

/* model_origin - appends "eng → fra, learned from eng-fra.tsv, BLEU 92.9 on validation", or the
 * part of it that the metadata (Model.training) holds; nothing where it holds nothing. Anybody may
 * have written the metadata: print it with base/printable.h. */
void model_origin(const cJSON *training, Buf *out);

/* model_origin_load - the metadata of a file that a new model is to replace, or NULL where it is no
 * model: no option replaces that. */
cJSON *model_origin_load(const char *path, Err *e);

#endif
