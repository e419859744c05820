/* prompt.h - translation at a terminal: a sentence is typed, its translation printed below.
 * Commands begin with a colon. */
#ifndef ATTN_CMD_TRANSLATE_PROMPT_H
#define ATTN_CMD_TRANSLATE_PROMPT_H

#include "base/system/terminal.h"
#include "model/file/model_file.h"
#include "model/network.h"
#include "translate/translator.h"

typedef struct {
    const Model  *models;       /* (count) which translate together */
    int           count;
    const char   *path;         /* of the first */
    SearchOptions search;
    const char   *prefix;       /* of each translation; NULL: any beginning */
    int           attention;    /* draw the attention of each translation */
    MapChoice     map;          /* which attention is drawn */
    Colours       colours;      /* of the picture */
    int           quiet;        /* no banner */
} Conversation;

/* prompt_run - reads and translates until Ctrl-D or :quit. */
void prompt_run(const Conversation *c);

#endif
