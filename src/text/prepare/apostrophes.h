/* apostrophes.h - apostrophes that were left out: dont for don't, Im for I'm, jai for j'ai.
 *
 * Such a word is unknown, but training often saw the words that it becomes: don and 't, j' and ai.
 * Without the apostrophe the network sees subwords that say something else: "I cant do it" became
 * "Je peux le faire". What is put back:
 *     the contractions of English that are no other words without (apostrophes.c lists them);
 *     elisions, before a vowel or h: j' n' m' t' s' l' d' qu' dell', and c' before e;
 *     the apostrophe inside a word that training saw so: aujourd'hui.
 */
#ifndef ATTN_TEXT_PREPARE_APOSTROPHES_H
#define ATTN_TEXT_PREPARE_APOSTROPHES_H

#include "text/lexicon.h"
#include "text/words.h"

/* apostrophes_restore - replaces each such word of a line by the two, or the one. Names are left
 * alone: so is a capitalised word behind the first, unless it begins with I, and the first one before another. place: (places) numbers
 * of words, rising, which stay those of the same words. */
void apostrophes_restore(const Lexicon *lexicon, Words *words, size_t *place, size_t places);

#endif
