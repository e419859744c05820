/* words.h - one line of text to words, and back.
 *
 * Two ways. The reversible one serves subwords and characters: a line is normalised, then cut into
 * words, numbers and punctuation marks; a blank becomes the mark U+2581 at the head of the word
 * behind it, and so does the start of the line, so that a word looks the same everywhere:
 *     J'ai dit « non ».  ->  ▁J' ai ▁dit ▁« ▁non ▁» .
 * Its law: words_join(words_split(x)) == x, byte for byte, for every valid UTF-8 x without U+2581,
 * which no normalised line holds.
 *
 * The textbook's way (tokenizer.h, kind word) cuts at blanks and forgets what they were.
 */
#ifndef ATTN_TEXT_WORDS_H
#define ATTN_TEXT_WORDS_H

#include "base/buf.h"

#include <stddef.h>

#define BLANK_MARK "\xE2\x96\x81"           /* U+2581 LOWER ONE EIGHTH BLOCK */
enum { BLANK_MARK_LENGTH = 3 };

/* No word is longer (its mark not counted): a longer run is cut, so that work per word stays small
 * on any input. */
enum { WORD_BYTES = 256 };

/* The words of a line, back to back. Zero-initialise; words_free releases. */
typedef struct {
    Buf     text;
    size_t *end;                            /* (count) where each word ends in `text` */
    size_t  count, capacity;
} Words;

/* words_normalise - appends the normal form: NFC, every Unicode blank a plain one, runs of blanks
 * to one and none at the ends; controls and invisible format characters removed (zero-width spaces,
 * byte-order marks, soft hyphens), but for ZWJ and ZWNJ and the tags of an emoji flag, which belong
 * to a spelling; U+2581 to '_'; lower case if asked. Idempotent. The line must be valid UTF-8. */
void words_normalise(const char *line, size_t length, int lowercase, Buf *out);

/* words_split - replaces what `words` holds by the words of a line, which end where word_end.h
 * says. */
void words_split(const char *line, size_t length, Words *words);

/* words_join - appends the line of which `marked` are the words, back to back. */
void words_join(const char *marked, size_t length, Buf *out);

/* words_split_textbook - replaces what `words` holds by the textbook's words: U+00A0, U+202F and
 * controls are blanks, one of , . ! ? gets a blank before it, each run between blanks is a word;
 * lower case if asked. */
void words_split_textbook(const char *line, size_t length, int lowercase, Words *words);

/* words_add - appends one word. */
void words_add(Words *words, const char *bytes, size_t length);

const char *words_at(const Words *words, size_t i, size_t *length);     /* not NUL-terminated */
void        words_free(Words *words);

#endif
