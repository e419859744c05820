/* banner.h - the first lines of a conversation: a model's file, languages, origin and size. */
#ifndef ATTN_CMD_TRANSLATE_BANNER_H
#define ATTN_CMD_TRANSLATE_BANNER_H

#include "model/file/model_file.h"

/* banner_print - two lines on stdout. */
void banner_print(const Model *model, const char *path);

#endif
