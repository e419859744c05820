/* session.h - what one call of attn_translate needs for itself: threads, their memory, and a
 * translator that shares the weights of others. A call takes a session that no other has, or a new
 * one, and leaves it for calls to come.
 */
#ifndef ATTN_LIB_SESSION_H
#define ATTN_LIB_SESSION_H

#include "base/error.h"
#include "translate/translator.h"

typedef struct Session Session;

/* session_new - with so many threads (0: one a core), the caller among them. NULL: an error. The
 * translator must outlive it. */
Session *session_new(const Translator *translator, int threads, Err *e);
void     session_free(Session *session);            /* or NULL */

/* session_works - whether it has its threads: not in a child of the process that made it, unless the
 * caller's is the only one. There it may be freed. */
int session_works(const Session *session);

/* session_run - translates the lines (translator_run); the translations are the session's, until
 * session_clear. NULL: an error; then the session can only be freed. */
const Translation *session_run(Session *session, const char *const *lines, size_t count, Err *e);
void               session_clear(Session *session);

#endif
