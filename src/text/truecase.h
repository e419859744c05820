/* truecase.h - words in their usual case, whatever that of the sentence (Lita et al. 2003,
 * "tRuEcasIng"), so that the network sees one form of HELLO, Hello and hello.
 */
#ifndef ATTN_TEXT_TRUECASE_H
#define ATTN_TEXT_TRUECASE_H

#include "text/letter_case.h"
#include "text/lexicon.h"

/* Where a word is, which decides what its case says. */
typedef enum {
    PLACE_FIRST,            /* the first word of a usual sentence, or any of a title */
    PLACE_INSIDE,           /* another word of such a sentence */
    PLACE_SMALL,            /* in a sentence of small letters alone */
    PLACE_CAPITALS,         /* in a sentence of capitals alone */
    WORD_PLACES
} WordPlace;

/* truecase_places - the place of each word of a sentence of that case, by the Shape of each. */
void truecase_places(SentenceCase whole, const unsigned char *shape, size_t count,
                     unsigned char *place);

/* truecase_form - a word (without a mark) in its usual case; NULL: as it stands. That is the form
 * that the lexicon has most often, except that
 *   - inside a usual sentence a form that was seen at all stays ("May", "may"), and a capitalised
 *     word that was not stays too: it is a name;
 *   - a capitalised word that begins a sentence is small if it was seen small as often as so;
 *   - in a sentence of small letters a small form stays unless another is four times as frequent;
 *   - a word of which no form was seen stays.
 * The lexicon owns the form. */
const char *truecase_form(const Lexicon *lexicon, const char *word, size_t length, WordPlace place);

#endif
