/* streets.h - addresses of houses: 12 Baker Street; 12, rue de la Paix; Fifth Avenue.
 *
 * The post wants them as they are, though training knows their words as others: "I live at 12 Baker
 * Street." was "Je vis à 12 minutes de rue." They are copied as a whole (text/copies.h).
 *     English   the number of a house, names with capitals, and Street, Avenue, Road or the like;
 *               in small letters, or St, Place and other words that mean more than that, only
 *               before a mark or the end. Names and Street, Avenue or Boulevard without a number
 *     French    the number of a house, then rue, avenue, place or the like, "de la" and its kin, and
 *               names. Rue, avenue or boulevard without a number, but not behind de: la rue de Tom
 * Months and weekdays are no names: on Monday Wall Street fell.
 */
#ifndef ATTN_TEXT_PREPARE_STREETS_H
#define ATTN_TEXT_PREPARE_STREETS_H

#include "text/letter_case.h"
#include "text/words.h"

/* street_end - behind the address that begins at word i of a line; i: none does. Where the case of
 * the line says nothing, an address has a number, two names at most, and in French rue, avenue or
 * boulevard. */
size_t street_end(const Words *words, size_t i, SentenceCase line);

#endif
