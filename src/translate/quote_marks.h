/* quote_marks.h - marks of quotations that do not belong together: "Private » becomes « Private ». The network
 * copies an opening mark that it has seldom seen, and closes with its own.
 */
#ifndef ATTN_TRANSLATE_QUOTE_MARKS_H
#define ATTN_TRANSLATE_QUOTE_MARKS_H

#include "translate/written_words.h"

/* quote_marks_settle - gives each quotation of a translation the mark that closes it at its beginning, too. */
void quote_marks_settle(const Written *w);

#endif
