/* spelling.h - typing errors that can be nothing else: an unknown word that becomes a known one
 * when two neighbouring letters change places, or when a doubled letter is written once. Other
 * errors are left to the network, which learns them from noise (train/data/examples.h).
 */
#ifndef ATTN_TEXT_PREPARE_SPELLING_H
#define ATTN_TEXT_PREPARE_SPELLING_H

#include "text/lexicon.h"

/* spelling_correct - appends the most frequent word in small letters that the word (without a mark,
 * in small letters) may be meant to be, if it was seen `least` times; returns 0, and appends
 * nothing, where there is none. Words of fewer than three letters are left alone. */
int spelling_correct(const Lexicon *lexicon, const char *word, size_t length, long least, Buf *out);

#endif
