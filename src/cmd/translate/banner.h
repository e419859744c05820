/* banner.h - who is at the other end of a conversation: a model's languages, size and origin. */
#ifndef ATTN_CMD_TRANSLATE_BANNER_H
#define ATTN_CMD_TRANSLATE_BANNER_H

#include "base/buf.h"
#include "model/model_file.h"

/* banner_languages - appends "eng → fra" where the names of the corpus files say so: eng-fra.tsv, or one file of each
 * language, news.en news.fr. Returns whether they do. */
int  banner_languages(const char *corpus, Buf *out);

/* banner_origin - appends "eng → fra, learned from eng-fra.tsv, BLEU 92.9 on validation", or what of it the model's story
 * tells (Model.training): nothing, if it tells nothing. Anybody may have written it: see base/printable.h. */
void banner_origin(const cJSON *training, Buf *out);

/* banner_print - two lines on stdout. */
void banner_print(const Model *model, const char *path);

#endif
