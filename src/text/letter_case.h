/* letter_case.h - small letters and capitals of words and sentences. */
#ifndef ATTN_TEXT_LETTER_CASE_H
#define ATTN_TEXT_LETTER_CASE_H

#include "base/buf.h"

#include <stddef.h>

/* What letters a word has; beside letters with case, other characters count for nothing. */
typedef enum {
    SHAPE_NONE,             /* neither letters nor digits: punctuation, symbols */
    SHAPE_UNCASED,          /* digits, or letters without case */
    SHAPE_SMALL,            /* small letters: calm */
    SHAPE_CAPITAL,          /* one capital and no other letter: I */
    SHAPE_CAPITALISED,      /* a capital, then small letters: Tom */
    SHAPE_CAPITALS,         /* two capitals or more, no small letter: NATO */
    SHAPE_MIXED             /* others: McAllister, iPhone */
} Shape;

Shape letter_case_shape(const char *word, size_t length);

/* letter_case_is_small - whether the text has no capital: letter_case_small would not change it. */
int letter_case_is_small(const char *text, size_t length);

/* letter_case_small, letter_case_capitals - append the text in small letters, in capitals.
 * letter_case_capitalised - appends it with its first letter as a capital, unless a number comes
 * first: "3 chats".
 * language: its tag (unicode_case); NULL or "": not known. */
void letter_case_small(const char *text, size_t length, const char *language, Buf *out);
void letter_case_capitals(const char *text, size_t length, const char *language, Buf *out);
void letter_case_capitalised(const char *text, size_t length, const char *language, Buf *out);

/* The case of a sentence as a whole. */
typedef enum {
    CASE_USUAL,
    CASE_SMALL,             /* no capital anywhere */
    CASE_CAPITALS,          /* no small letter, and a word of two capitals */
    CASE_TITLE              /* most words behind the first are capitalised, at least three */
} SentenceCase;

/* sentence_case - of the Shape of each of its words. */
SentenceCase sentence_case(const unsigned char *shape, size_t count);

#endif
