/* streets.h - addresses of houses: 12 Baker Street; 12, rue de la Paix; Fifth Avenue.
 *
 * The post wants them as they are, though training knows their words as others: "I live at 12 Baker
 * Street." was "Je vis à 12 minutes de rue." They are copied as a whole (text/copies.h).
 *     English   a number, names, and Street, Avenue, Road and the like with a capital; or without
 *               the number, not as the line's first words
 *     French    a number, then rue, avenue, place and the like, articles and names; or rue, avenue or
 *               boulevard without the number, not where the name may be an owner's: la rue de Tom
 */
#ifndef ATTN_TEXT_STREETS_H
#define ATTN_TEXT_STREETS_H

#include "text/letter_case.h"
#include "text/words.h"

/* street_end - behind the address that begins at word i of a line; i: none does. Where the case of
 * the line says nothing, it needs a number. */
size_t street_end(const Words *words, size_t i, SentenceCase line);

#endif
