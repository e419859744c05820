/* parts.h - where marks inside a sentence part it, for a network that has seldom seen them and would
 * translate such a sentence wrongly, but each part of it well.
 */
#ifndef ATTN_TEXT_SENTENCES_PARTS_H
#define ATTN_TEXT_SENTENCES_PARTS_H

#include "text/lexicon.h"

#include <stddef.h>

/* The marks, and what parts a sentence. From PART_PARENTHESES on, each pair encloses an aside:
 *     PART_SEMICOLON, PART_COLON       between words, with a blank behind it
 *     PART_ELLIPSIS                    three dots or more, or U+2026, behind a word, with a blank
 *                                      behind it: Wait... what?
 *     PART_DASH                        between blanks, before a word; U+2014 and two hyphens also
 *                                      between words without blanks: He left—she stayed;
 *                                      not inside addresses and code: a--b.html
 *     PART_PARENTHESES, PART_BRACKETS  around words: ( ) and [ ]; (a) is none
 *     PART_QUOTES, PART_GUILLEMETS     around words, at the start or behind a comma or a colon:
 *                                      "No," he said. He said, "No." but not before a verb (dit-il).
 *                                      U+201C counts as ". */
typedef enum {
    PART_SEMICOLON, PART_COLON, PART_ELLIPSIS, PART_DASH, PART_PARENTHESES, PART_BRACKETS,
    PART_QUOTES, PART_GUILLEMETS, PART_MARKS
} PartMark;

/* part_mark - the mark as a word, the first one of a pair. part_set - the set of this mark alone;
 * sets are joined by |. part_rare - the marks that training has seldom seen (lexicon_is_rare); none
 * without a lexicon. */
const char *part_mark(PartMark mark);
unsigned    part_set(PartMark mark);
unsigned    part_rare(const Lexicon *lexicon);

/* The first part of a sentence: text[0 .. length), with the blanks behind it; of an aside, which has
 * its marks and those that follow it, text[begin .. end) is what it encloses; else end is 0. */
typedef struct { size_t length, begin, end; } SentencePart;

/* part_first - the first part; the whole sentence if it has no others. marks: those that part it; a
 * colon before another sentence (Tom: Yes.) always does. Marks are looked for in the first
 * PART_BYTES bytes, and no aside encloses more. */
enum { PART_BYTES = 160 };
SentencePart part_first(const char *text, size_t length, unsigned marks);

/* part_enclosed - the aside in brackets or between dashes that begins at `at`, the blanks before it,
 * with words of one clause on both sides: my wife (a doctor) is here; my wife - a doctor - is here.
 * Two dashes between words (PART_DASH) enclose one without blanks. None is in it. text[at .. at +
 * length) is the aside without the blank behind it; length 0: there is none. */
SentencePart part_enclosed(const char *text, const char *at, const char *end, unsigned marks);

/* part_is_aside - whether one of `marks` opens an aside at `at` of a text that ends at `end`. */
int part_is_aside(const char *text, const char *at, const char *end, unsigned marks);

#endif
