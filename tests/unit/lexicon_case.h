/* lexicon_case.h - lexicons written down as their JSON. */
#ifndef ATTN_TESTS_LEXICON_CASE_H
#define ATTN_TESTS_LEXICON_CASE_H

#include "text/lexicon.h"

/* lexicon_of - the lexicon with that JSON, which must be sound; lexicon_free. In the text ' stands
 * for ". lexicon_refused - JSON that must be refused; e holds the message. */
Lexicon *lexicon_of(const char *text);
void     lexicon_refused(const char *text, Err *e);

#endif
