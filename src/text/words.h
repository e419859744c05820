/* words.h - one line of text to words, and back.
 *
 * There are two ways. The reversible one serves subwords and characters: a line is normalised, then
 * cut into words, numbers and punctuation marks. A blank becomes the mark U+2581 at the head of the
 * next word, and the start of the line gets one too, so that a word looks the same everywhere:
 *     J'ai dit « non ».  ->  ▁J' ai ▁dit ▁« ▁non ▁» .
 * Its law: words_join(words_split(x)) == x, byte for byte, for every valid UTF-8 x without U+2581,
 * which no normalised line holds.
 *
 * The textbook's way (tokenizer.h, kind word) cuts at blanks and does not keep which ones they
 * were.
 */
#ifndef ATTN_TEXT_WORDS_H
#define ATTN_TEXT_WORDS_H

#include "base/buf.h"
#include "text/verbatim/verbatim.h"

#include <stddef.h>

#define BLANK_MARK "\xE2\x96\x81"           /* U+2581 LOWER ONE EIGHTH BLOCK */
enum { BLANK_MARK_LENGTH = 3 };

/* The longest word, without its mark: a longer run is cut, so that the work per word stays small on
 * any input. */
enum { WORD_BYTES = 256 };

/* The words of a line, one after another. Zero-initialise; words_free releases. */
typedef struct {
    Buf     text;
    size_t *end;                            /* (count) where each word ends in `text` */
    unsigned char *kind;                    /* (count) VerbatimKind of each */
    size_t  count, capacity, kind_capacity;
} Words;

/* words_normalise - appends the normal form of a line of valid UTF-8. Idempotent.
 *     NFC; in lower case if asked.
 *     Every Unicode blank becomes U+0020, a run of blanks one; none is left at the ends.
 *     Controls and invisible format characters (zero-width spaces, byte-order marks, soft hyphens)
 *     are removed, but not ZWJ, ZWNJ and the tags of an emoji flag, which belong to a spelling.
 *     U+2581 becomes '_'. */
void words_normalise(const char *line, size_t length, int lowercase, Buf *out);

/* words_split - replaces `words` by the words of a line, which end by the rules of word_end.h.
 * verbatim: each span that no translation may alter (text/verbatim/verbatim.h) is one word, of up
 * to VERBATIM_BYTES. */
void words_split(const char *line, size_t length, int verbatim, Words *words);

/* words_mark_length - the bytes of the mark at the head of a word; 0: it has none. */
size_t words_mark_length(const char *word, size_t length);

/* words_join - appends the line whose words, one after another, are `marked`. */
void words_join(const char *marked, size_t length, Buf *out);

/* words_split_textbook - replaces `words` by the words of the textbook: U+00A0, U+202F and controls
 * are blanks, each of , . ! ? gets a blank before it, a run between blanks is a word; in lower case
 * if asked. */
void words_split_textbook(const char *line, size_t length, int lowercase, Words *words);

/* words_clear - leaves no word. words_add - appends one. */
void words_clear(Words *words);
void words_add(Words *words, const char *bytes, size_t length);

const char *words_at(const Words *words, size_t i, size_t *length);     /* not NUL-terminated */

/* words_plain - word i without its mark, not NUL-terminated; empty where there is none. */
typedef struct { const char *text; size_t length; } PlainWord;
PlainWord words_plain(const Words *words, size_t i);

VerbatimKind words_kind(const Words *words, size_t i);  /* VERBATIM_NONE: an ordinary word */
void        words_free(Words *words);

#endif
