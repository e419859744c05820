/* conjunctions.h - & and / between words as words: and, or, per.
 *
 * A network that has seldom seen these signs loses what is behind them ("Tom & Mary are here." was
 * "Tom est ici."), where training had thousands of "and" and "or".
 *     Tom & Mary   Tom and Mary        he/she   he or she        and/or   or
 *     $5/hour      $5 per hour
 * A slash becomes a word between two known words of two letters or more (not w/o, A/C, km/h, 24/7,
 * miles/hour, nor behind a number), and "per" between an amount of money and a time or a person. A & becomes
 * one between blanks. The words are the language's (text/prepare/language_words.h). Of languages that have
 * none there, and of a text that has the sign often (lexicon_is_rare), the signs stay.
 */
#ifndef ATTN_TEXT_PREPARE_CONJUNCTIONS_H
#define ATTN_TEXT_PREPARE_CONJUNCTIONS_H

#include "text/lexicon.h"
#include "text/words.h"

/* conjunctions_spell - replaces the signs of a line by words. place: (places) numbers of words,
 * rising, which stay those of the same words. joined: empty; becomes the new words that the line has
 * in one with the word before them: or and she, of he/she. */
void conjunctions_spell(const Lexicon *lexicon, Words *words, size_t *place, size_t places,
                        WordNumbers *joined);

#endif
