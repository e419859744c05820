/* session.h - what a conversation goes by: a model, how it searches, and the last translation. Nothing is printed. */
#ifndef ATTN_CMD_TRANSLATE_SESSION_H
#define ATTN_CMD_TRANSLATE_SESSION_H

#include "base/buf.h"
#include "model/model_file.h"
#include "translate/translator.h"

/* Words told for each position beside the chosen one. */
enum { SESSION_ALTERNATIVES = 5 };

typedef struct {
    const Model  *models;       /* (count) they translate together; models[0] has the tokenizers */
    int           count;
    Model         loaded;       /* of session_load; all zero before */
    SearchOptions search;       /* as it was asked for; changed by session_search alone */
    Pool         *pool;         /* of one: there is one sentence at a time */
    Translator   *translator;   /* for `search` as it is now */
    Buf           prefix;       /* what each translation begins with */
    Buf           source;       /* of the last translation */
    Translation   last;         /* count = 0 before the first */
} Session;

/* session_begin - borrows the models. Translations keep their attention and SESSION_ALTERNATIVES. */
void session_begin(Session *s, const Model *models, int count, const SearchOptions *search);
void session_end(Session *s);

/* session_search - goes on with other options; one of beam and nbest gives way to the other that was named. */
void session_search(Session *s, const SearchOptions *search, const char *named);

/* session_load - goes on with another model, without a last translation; -1: with the old one. */
int  session_load(Session *s, const char *path, Err *e);

/* session_translate - the line is valid UTF-8; the result is s->last. -1: search.stop came first,
 * or what the models compute is no number; the last translation is still the one before. */
int  session_translate(Session *s, const char *line, Err *e);

/* session_score - how probable the target is, word for word; *out is for translation_free. -1: too long, or
 * search.stop came first, or what the models compute is no number. */
int  session_score(Session *s, const char *source, const char *target, Translation *out, Err *e);

/* session_alternatives - how many the positions of the last translation have. */
int  session_alternatives(const Session *s);

#endif
