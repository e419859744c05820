/* session.h - the state of a conversation: model, search options, last translation. Nothing is
 * printed here. */
#ifndef ATTN_CMD_TRANSLATE_SESSION_H
#define ATTN_CMD_TRANSLATE_SESSION_H

#include "base/buf.h"
#include "model/file/model_file.h"
#include "translate/translator.h"

/* Tokens kept for each position, with the chosen one. */
enum { SESSION_ALTERNATIVES = 5 };

typedef struct {
    const Model  *models;       /* (count) they translate together; models[0] has the tokenizers */
    int           count;
    Model         loaded;       /* of session_load; all zero before */
    SearchOptions search;       /* only session_search changes it */
    Pool         *pool;         /* one thread: there is one sentence at a time */
    Translator   *translator;   /* for `search` as it is now */
    Buf           prefix;       /* of each translation; empty: any beginning */
    Buf           source;       /* of the last translation */
    Translations  last;         /* one line; none before the first */
} Session;

/* session_init - borrows the models. Translations keep their attention and SESSION_ALTERNATIVES. */
void session_init(Session *s, const Model *models, int count, const SearchOptions *search);
void session_free(Session *s);

/* session_search - changes the search options. `named` is the one that the user set: of beam and
 * nbest the other one follows where nbest would be larger than beam. */
void session_search(Session *s, const SearchOptions *search, const char *named);

/* session_load - replaces the models by another one, and forgets the last translation. -1:
 * nothing has changed. */
int  session_load(Session *s, const char *path, Err *e);

/* session_translate - sets s->last. The line is valid UTF-8. -1: search.stop interrupted it, or
 * the result is not a number; s->last is as before. */
int  session_translate(Session *s, const char *line, Err *e);

/* session_score - scores a given target; the caller frees *out. -1: a side is too long,
 * search.stop interrupted it, or the result is not a number. */
int  session_score(Session *s, const char *source, const char *target, Translations *out, Err *e);

/* session_alternatives - the number of alternatives at each position of the last translation. */
int  session_alternatives(const Session *s);

#endif
