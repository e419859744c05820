/* translator_case.h - lines for a translator whose network has learned nothing: its answers are
 * long and strange, and so differ wherever anything goes wrong.
 */
#ifndef ATTN_TESTS_TRANSLATOR_CASE_H
#define ATTN_TESTS_TRANSLATOR_CASE_H

#include "base/buf.h"
#include "toy.h"
#include "translate/translator.h"

/* Sources of the toy, joined in other orders, and lines without words among them: line i has i % 4
 * sentences. */
enum { LINES = 21 };

typedef struct {
    Toy        *toy;
    Buf         line[LINES];
    const char *lines[LINES];
} Case;

/* translator_case_new - each letter is a token; translator_case_free.
 * translator_case_of_copies - with placeholders, of which the network writes none where `bias` is low. */
Case translator_case_new(Scratch *scratch);
Case translator_case_of_copies(Scratch *scratch, real bias);
void translator_case_free(Case *c);

/* translate - all lines. translate_one - another line. The caller frees both. */
Translations translate(const Case *c, const SearchOptions *options, int workers);
Translations translate_one(const Case *c, const SearchOptions *options, const char *line);

/* beam_of - the defaults but for these. */
SearchOptions beam_of(int beam, int nbest, int batch);

/* stop_soon - a thread that asks for the end after this time. */
typedef struct { atomic_int stop; int microseconds; } Stopper;
void *stop_soon(void *stopper);

#endif
