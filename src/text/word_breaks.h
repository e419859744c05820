/* word_breaks.h - behind which entries of a vocabulary a word may begin.
 *
 * A placeholder stands for a word, and no word begins inside another one whose pieces are still being written,
 * nor on a mark that ends a sentence. A word may begin behind the mark of a blank; behind what ends in
 * punctuation or a symbol (l', an opening bracket); and behind letters of a script that has no blanks: one whose
 * letters have no case, and begin next to no entry behind the mark of a blank.
 */
#ifndef ATTN_TEXT_WORD_BREAKS_H
#define ATTN_TEXT_WORD_BREAKS_H

#include "text/tokenizer/tokenizer.h"

/* word_breaks - a flag for each entry. Owned by the caller. */
unsigned char *word_breaks(const Tokenizer *t);

#endif
