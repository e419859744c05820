/* vowel_forms.h - words before names that begin with a vowel: la voiture d'Ophélie, an Opel. A name is a
 * placeholder to the network, and so each of them had the form before a consonant.
 */
#ifndef ATTN_TRANSLATE_VOWEL_FORMS_H
#define ATTN_TRANSLATE_VOWEL_FORMS_H

#include "translate/written_words.h"

/* vowel_forms_replace - sets what is written for the words before the names that a translation copies. */
void vowel_forms_replace(const Written *w);

#endif
