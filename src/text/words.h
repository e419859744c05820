/* words.h - one line of text to words, and back.
 *
 * There are three ways. The reversible one serves subwords and characters: a line is normalised, then cut into words,
 * groups of digits and marks (punctuation, symbols). Each word has U+2581 at its head, whatever stands before it, so that it is one token everywhere. What joins is a property of the marks,
 * as in OpenNMT's tokenizer (Klein et al. 2017, "OpenNMT: Open-Source Toolkit for Neural Machine Translation"): a mark
 * behind a blank has U+2581 too, one that is written on to the text before it has none, and one that the next word is
 * written on to has U+FFED at its end.
 *     J'ai dit (non).  ->  ▁J'￭ ▁ai ▁dit ▁(￭ ▁non ) .
 * Between two words that no mark parts a blank is expected, but none between letters of scripts that are written without
 * blanks, and digits beside them. Where the line has it the other way, U+FFED or U+2581 stands between them as a word of its own:
 *     5kg 東京 タワー  ->  ▁5 ￭ ▁kg ▁東京 ▁ ▁タワー
 * Its law: words_join_pieces(words_split(x)) == x, byte for byte, for every normalised line x.
 *
 * The textbook's way (tokenizer.h, kind word) cuts at blanks and does not keep which ones they were.
 *
 * In a sequence that is no sentence (a spelling, its sounds, a date, a lemma and its features: symbols_split) a word is what
 * stands between blanks, behind U+2581. Its characters are taken apart as far as Unicode does it (their canonical
 * decompositions): a Hangul syllable is two or three letters, an accented letter is a letter and its accent.
 * The same law holds.
 */
#ifndef ATTN_TEXT_WORDS_H
#define ATTN_TEXT_WORDS_H

#include "base/buf.h"

#include <stddef.h>

#define WORD_MARK "\xE2\x96\x81"            /* U+2581 LOWER ONE EIGHTH BLOCK: begins a word */
#define JOINER    "\xEF\xBF\xAD"            /* U+FFED HALFWIDTH BLACK SQUARE: joins what is on both sides */
enum { WORD_MARK_LENGTH = 3, JOINER_LENGTH = 3 };

/* The longest word, without its mark: a longer run is cut, so that the work per word stays small on
 * any input. */
enum { WORD_BYTES = 256 };

/* The words of a line, one after another. Zero-initialise; words_free releases. */
typedef struct {
    Buf     text;
    size_t *end;                            /* (count) where each word ends in `text` */
    size_t  count, capacity;
} Words;

/* words_normalise - appends the normal form of a line of valid UTF-8. Idempotent.
 *     NFC; in lower case if asked.
 *     Every Unicode blank becomes U+0020, a run of blanks one; none is left at the ends.
 *     Controls and invisible format characters (zero-width spaces, byte-order marks, soft hyphens)
 *     are removed, but not ZWJ, ZWNJ and the tags of an emoji flag, which belong to a spelling.
 *     U+2581 becomes '_', U+FFED its compatible character U+25A0.
 * words_fold - the same, and outside spans (text/patterns.h) look-alikes become what is typed: apostrophes, quotation
 *   marks and dashes of ASCII, "..." for U+2026, ligatures and characters of another width the usual ones
 *   (unicode_append_compatible). For sources: what a target writes is learned. */
void words_normalise(const char *line, size_t length, int lowercase, Buf *out);
void words_fold(const char *line, size_t length, int lowercase, Buf *out);

/* words_split - replaces `words` by the words of a normalised line. They end before the bytes `at` of the line (count, rising)
 * as well; before: (count) becomes the number of words before each.
 *
 *   letters      of one script run together, with their combining marks and joiners. Inside stay, between two letters,
 *                hyphens, the marks that Unicode's Annex 29 has for it (col·legi), and a point between single letters
 *                (U.S.A, p.m). An apostrophe belongs to the shorter of its sides: l' homme, don 't.
 *   digits       are a word each group: 1,299.50 is five words. A number with letters on it is two: 5 kg.
 *   spans        (text/patterns.h) are one word, of up to PATTERN_BYTES, if `spans` is set.
 *   the rest     is one grapheme cluster a word (Annex 29), or a run of the same one ("...", "--"). */
void words_split(const char *line, size_t length, int spans, const size_t *at, size_t *before, size_t count, Words *words);

/* words_mark_length - the bytes of the mark at the head of a word; 0: it has none.
 * words_joiner_length - those of the joiner at its end. The joiner alone is a word that has this one.
 * words_core - the word between them; empty for a mark or a joiner alone. */
size_t words_mark_length(Slice word);
size_t words_joiner_length(Slice word);
Slice  words_core(Slice word);

/* words_join_pieces - appends the line of these pieces of words, which follow each other. are_symbols: the words are those
 * of symbols_split. text: (count) becomes what the line has of each; or NULL. */
typedef struct {
    size_t end;                 /* bytes of `out` behind it */
    int    begins;              /* it begins a word that a reader sees, at the start of the line or behind a blank; of a mark
                                 * alone, whether what follows it does */
} PieceText;
void words_join_pieces(const char *const *piece, size_t count, int are_symbols, PieceText *text, Buf *out);

/* words_end - the end of the word, other than a span, that starts at `at` of a line that ends at `end`. */
const char *words_end(const char *line, const char *at, const char *end);

/* words_split_textbook - replaces `words` by the words of the textbook: U+00A0, U+202F and controls
 * are blanks, each of , . ! ? gets a blank before it, a run between blanks is a word; in lower case
 * if asked. */
void words_split_textbook(const char *line, size_t length, int lowercase, Words *words);

/* symbols_split - replaces `words` by those of a normalised line that is a sequence of symbols. */
void symbols_split(const char *line, size_t length, Words *words);

/* words_clear - leaves no word. words_add - appends one. */
void words_clear(Words *words);
void words_add(Words *words, Slice bytes);

/* words_at - word i.
 * words_core_at - its core; empty where there is no such word. */
Slice words_at(const Words *words, size_t i);
Slice words_core_at(const Words *words, size_t i);

void words_free(Words *words);

#endif
