/* titles.h - Mr., Mme and the like, and the names behind them.
 *
 * Brown and White are names behind a title, and colours elsewhere; a title that training has hardly
 * seen is no better known than a name. Both are copied (text/copies.h): "See Mrs. White." was "Voyez
 * Mondres."
 */
#ifndef ATTN_TEXT_TITLES_H
#define ATTN_TEXT_TITLES_H

#include "text/lexicon.h"
#include "text/words.h"

/* title_is_copied - whether `word` is a title, seen fewer than 8 times, before a name.
 * title_makes_name - whether `word` is a capitalised word behind a title, usually small, and no
 * office (Mr. President). */
int title_is_copied(const Lexicon *lexicon, PlainWord word, PlainWord next);
int title_makes_name(const Lexicon *lexicon, PlainWord before, PlainWord word);

#endif
