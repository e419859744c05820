/* word_match.h - questions about a word of a line: is it one of these, a number, the last one. */
#ifndef ATTN_TEXT_WORD_MATCH_H
#define ATTN_TEXT_WORD_MATCH_H

#include "text/letter_case.h"
#include "text/words.h"

/* All take the number of a word. Behind the last one, and before the first (i - 1 where i is 0), is an
 * empty word.
 *
 * word_is - whether it is this text, whatever the case of their letters. word_is_alike - the same of a part of
 * a word.
 * word_is_unaccented - the same whatever the accents, too: fevrier.
 * word_is_one_of - whether it is one of a list that ends with NULL, whatever the case.
 * word_is_glued - whether it is written on to the word before it.
 * word_is_end - whether it is punctuation, or behind the last word.
 * word_shape_at - its letters. */
int   word_is(const Words *words, size_t i, const char *text);
int   word_is_alike(PlainWord word, const char *text);
int   word_is_unaccented(const Words *words, size_t i, const char *text);
int   word_is_one_of(const Words *words, size_t i, const char *const *list);
int   word_is_glued(const Words *words, size_t i);
int   word_is_end(const Words *words, size_t i);
Shape word_shape_at(const Words *words, size_t i);

/* word_is_number - whether it is a number of text/verbatim/verbatim.h: 7, 1,299.99. */
int   word_is_number(const Words *words, size_t i);

/* word_number - the number that a word of one to `most` ASCII digits (at most 9) writes; -1: it is
 * another word. */
int word_number(const Words *words, size_t i, size_t most);

#endif
