/* numbered_names.h - names with a Roman number: Louis XIV, John Paul II, Rocky III, François Ier.
 *
 * They are copied as a whole (text/copies.h): of Queen Elizabeth II, whose name is known and whose
 * number is not, the network made "La reine Elabrielle".
 */
#ifndef ATTN_TEXT_PREPARE_NUMBERED_NAMES_H
#define ATTN_TEXT_PREPARE_NUMBERED_NAMES_H

#include "text/lexicon.h"
#include "text/words.h"

/* numbered_name_end - behind the number of the name that begins at word i; i: none does. Words that
 * often have a small letter are no names (Chapter IV, World War II), nor are titles (Mr. X); I is no
 * number (Tom I know). */
size_t numbered_name_end(const Lexicon *lexicon, const Words *words, size_t i);

#endif
