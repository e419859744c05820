/* lexicon_case.h - lexicons written down as their JSON. */
#ifndef ATTN_TESTS_LEXICON_CASE_H
#define ATTN_TESTS_LEXICON_CASE_H

#include "text/lexicon.h"
#include "text/words.h"

/* lexicon_of - the lexicon with that JSON, which must be sound; lexicon_free. In the text ' stands
 * for ". lexicon_refused - JSON that must be refused; e holds the message. */
Lexicon *lexicon_of(const char *text);
void     lexicon_refused(const char *text, Err *e);

/* show_words - sets `out` to the words of a line: a blank between two, | where they are written
 * together. */
void show_words(const Words *words, Buf *out);

#endif
