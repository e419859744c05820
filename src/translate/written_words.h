/* written_words.h - the words of a translation as they are written: its pieces, or what is in their place.
 */
#ifndef ATTN_TRANSLATE_WRITTEN_WORDS_H
#define ATTN_TRANSLATE_WRITTEN_WORDS_H

#include "translate/replacements.h"

/* Borrowed. */
typedef struct {
    Replacements     *r;
    const Chunk      *chunk;
    const Hypothesis *h;
    const Tokenizer  *target;
} Written;

/* written_at - what is written for piece i.
 *
 * written_is_end - whether no piece has this number, or it is <eos>.
 * written_is_given - whether piece i is of the beginning that the user has given.
 * written_begins_word - whether a blank is before it.
 * written_is_first, written_is_last - whether no word is before piece i; behind it.
 * written_has_letters - whether a text has a letter or a digit. */
const char *written_at(const Written *w, int i);
int         written_is_end(const Written *w, int i);
int         written_is_given(const Written *w, int i);
int         written_begins_word(const Written *w, int i);
int         written_is_first(const Written *w, int i);
int         written_is_last(const Written *w, int i);
int         written_has_letters(const char *text);

/* written_before - the piece that ends the word before piece i; -1: there is none. The mark of a blank
 * alone belongs to what is behind it.
 * written_word_before - appends the word that piece `last` ends, or a part of it that an apostrophe parts
 * off (à of jusqu'à, 's of it's), or the mark that it is; returns its first piece.
 * written_word_at - appends the word that begins with piece i; returns where it ends. */
int written_before(const Written *w, int i);
int written_word_before(const Written *w, int last, Buf *word);
int written_word_at(const Written *w, int i, Buf *word);

/* written_leave_out - leaves pieces [first, end) out of the translation.
 * written_replace_word - writes a text in place of pieces first to last. */
void written_leave_out(const Written *w, int first, int end);
void written_replace_word(const Written *w, int first, int last, const char *text);

#endif
