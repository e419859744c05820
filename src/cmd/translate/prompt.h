/* prompt.h - translation at a terminal: a sentence is typed, its translation printed below.
 * Commands begin with a colon. */
#ifndef ATTN_CMD_TRANSLATE_PROMPT_H
#define ATTN_CMD_TRANSLATE_PROMPT_H

#include "cmd/models.h"
#include "cmd/translate/request.h"

/* prompt_run - reads and translates until Ctrl-D or :quit. */
void prompt_run(const Request *r, const Models *models);

#endif
