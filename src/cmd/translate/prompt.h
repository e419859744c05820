/* prompt.h - translation as a conversation: a sentence typed, its translation below; commands begin with a colon. */
#ifndef ATTN_CMD_TRANSLATE_PROMPT_H
#define ATTN_CMD_TRANSLATE_PROMPT_H

#include "base/terminal.h"
#include "model/model_file.h"
#include "translate/translator.h"

typedef struct {
    const Model  *models;       /* (count) which translate together */
    int           count;
    const char   *path;         /* of the first */
    SearchOptions search;
    const char   *prefix;       /* what each translation begins with; NULL: anything */
    int           attention;    /* draw each translation's */
    Colours       colours;      /* of its picture */
    int           quiet;        /* no greeting */
} Conversation;

/* prompt_run - talks on the terminal until Ctrl-D or :quit. */
void prompt_run(const Conversation *c);

#endif
