/* prepare_case.h - a small lexicon and tokenizer of characters, and a line as prepare_source makes it. */
#ifndef ATTN_TESTS_PREPARE_CASE_H
#define ATTN_TESTS_PREPARE_CASE_H

#include "text/prepare/prepare.h"

/* A test may exchange the lexicon, which world_free frees, for its own. */
typedef struct { Tokenizer *tokenizer; Lexicon *lexicon; Language language; } World;

World world_new(int truecase, int placeholders);
void  world_free(World *w);

/* show - words with _ for the mark and | between two, a placeholder as #1 or $1 (numbers). */
void show(const Words *words, Buf *out);

/* assert_source - the words of a source, its copies joined by |, and its case: a letter of "wFC". */
void assert_source(const World *w, const char *line, const char *words, const char *copies, char output);

#endif
