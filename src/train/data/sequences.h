/* sequences.h - whether a corpus is one of sequences that are no sentences: spellings and sounds,
 * dates, numbers and their words, lemmas and their forms. In sentences many words come again; in
 * such sequences nearly all words of a side are new, as spellings are, or nearly none, as sounds
 * are. data/results/quality.md has the shares of 63 corpora of sentences and 23 of sequences.
 */
#ifndef ATTN_TRAIN_SEQUENCES_H
#define ATTN_TRAIN_SEQUENCES_H

#include "text/corpus/bitext.h"

/* sequences_are - whether these lines (count), as bitext_read gave them, are such sequences. A pair
 * that comes again does not count. They are if, on one side, more than half of the running words
 * occur once, or there is less than one kind of word for 20 lines. Words stand between blanks; a
 * side whose script has none does not count. 0 for few lines, of which nothing can be said. */
int sequences_are(const BitextLine *line, size_t count);

#endif
