/* locale_replacements.h - dates, times and ordinals in a translation, and the words around them.
 *
 * A date has a prefix (le 4 juillet, on July 4), but not behind a word that takes it as it is (since
 * July 4), and where it is a subject in English (July 4 is a holiday). The prefix is one word with some
 * prepositions (du 4 juillet). The word that the network writes for an hour is left out where the time
 * says it: 15 h 30 <heures>.
 */
#ifndef ATTN_TRANSLATE_LOCALE_REPLACEMENTS_H
#define ATTN_TRANSLATE_LOCALE_REPLACEMENTS_H

#include "translate/replacements.h"

/* locale_replace - sets what is written for the dates, times and ordinals of a
 * hypothesis. */
void locale_replace(Replacements *r, const Chunk *chunk, const Hypothesis *h,
                      const Tokenizer *target);

#endif
