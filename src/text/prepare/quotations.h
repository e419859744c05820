/* quotations.h - short quotations that name something, and paths through menus:
 *
 *     What does "house" mean?   Click on "Save as".   Que veut dire « maison » ?
 *     Go to Settings > Privacy > Cookies.
 *
 * They are copied as a whole (text/copies.h). Corpora of sentences hardly have them: the network made
 * 'Cliquez sur "Save »' and 'Le mot « » a trois lettres'.
 */
#ifndef ATTN_TEXT_PREPARE_QUOTATIONS_H
#define ATTN_TEXT_PREPARE_QUOTATIONS_H

#include "text/words.h"

/* quotation_end - behind the quotation that begins at word i, its quotes included; i: there is none.
 * What is said is none ("Yes," he said. He said "yes".), nor are sentences and whole lines. Those whose
 * words are to be translated are no longer in the line (text/markup/quotation.h).
 * quotation_plain - gives a text that begins with a guillemet plain quotes, which all languages have.
 *
 * menu_path_end - behind the path whose first menu is word i; i: there is none. */
size_t quotation_end(const Words *words, size_t i);
void   quotation_plain(Buf *text);
size_t menu_path_end(const Words *words, size_t i);

#endif
