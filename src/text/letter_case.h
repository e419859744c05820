/* letter_case.h - small letters and capitals of words and sentences. */
#ifndef ATTN_TEXT_LETTER_CASE_H
#define ATTN_TEXT_LETTER_CASE_H

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

/* The case of a sentence as a whole. */
typedef enum {
    CASE_USUAL,
    CASE_SMALL,             /* no capital anywhere */
    CASE_CAPITALS,          /* no small letter, and a word of two capitals */
    CASE_TITLE              /* most words behind the first are capitalised, at least three */
} SentenceCase;

/* Where a word is, which decides what its case says. */
typedef enum {
    PLACE_FIRST,            /* the first word of a usual sentence, or any of a title */
    PLACE_INSIDE,           /* another word of such a sentence */
    PLACE_SMALL,            /* in a sentence of small letters alone */
    PLACE_CAPITALS,         /* in a sentence of capitals alone */
    WORD_PLACES
} WordPlace;

/* sentence_case - of the Shape of each of its words; place: (count) becomes the place of each. */
SentenceCase sentence_case(const unsigned char *shape, size_t count, unsigned char *place);

#endif
