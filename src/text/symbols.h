/* symbols.h - the words of a sequence that is no sentence: a spelling, its sounds, a date, a lemma and its features.
 *
 * A word is what stands between blanks, behind U+2581. Its characters are taken apart as far as Unicode does it (their
 * canonical decompositions): a Hangul syllable is two or three letters, an accented letter is a letter and its accent.
 * Their law: symbols_join(symbols_split(x)) == x, byte for byte, for every line x that words_normalise has made.
 */
#ifndef ATTN_TEXT_SYMBOLS_H
#define ATTN_TEXT_SYMBOLS_H

#include "text/words.h"

/* symbols_split - replaces `words` by the words of a normalised line.
 * symbols_join_pieces - appends the line of pieces (count) of such words. text: (count) as words_join_pieces has it; or
 *   NULL. */
void symbols_split(const char *line, size_t length, Words *words);
void symbols_join_pieces(const char *const *piece, size_t count, PieceText *text, Buf *out);

#endif
