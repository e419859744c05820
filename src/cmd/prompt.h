/* prompt.h - translation as a conversation: a sentence typed, its translation below; commands begin with a colon. */
#ifndef ATTN_CMD_PROMPT_H
#define ATTN_CMD_PROMPT_H

#include "cmd/answer.h"
#include "model/file.h"
#include "translate/translator.h"

/* prompt_run - talks on the terminal until Ctrl-D or :quit, with `count` models that translate together. `path` is
 * where the first came from; of `style` it takes the heat map and its colours. A quiet one has no greeting. */
void prompt_run(const Model *models, int count, const char *path, const SearchOptions *search, const AnswerStyle *style,
                int quiet);

#endif
