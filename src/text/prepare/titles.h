/* titles.h - Mr., Mme and the like, and the names behind them.
 *
 * Brown and White are names behind a title, and colours elsewhere; a title that training has hardly
 * seen is no better known than a name. Both are copied (text/copies.h): "See Mrs. White." was "Voyez
 * Mondres." Of "Mr. and Mrs. White" all is.
 */
#ifndef ATTN_TEXT_PREPARE_TITLES_H
#define ATTN_TEXT_PREPARE_TITLES_H

#include "text/lexicon.h"
#include "text/words.h"

/* title_is - whether it is one.
 * title_is_copied - whether `word` is a title, seen fewer than LEXICON_SELDOM times, before a name.
 * title_makes_name - whether `word` is a capitalised word behind a title, usually small, and no
 * office (Mr. President). */
int title_is(PlainWord word);
int title_is_copied(const Lexicon *lexicon, PlainWord word, PlainWord next);
int title_makes_name(const Lexicon *lexicon, PlainWord before, PlainWord word);

/* title_couple_end - behind the second title of a couple that begins at word i, if that is copied:
 * Mr. and Mrs. White; i: none does. */
size_t title_couple_end(const Lexicon *lexicon, const Words *words, size_t i);

#endif
