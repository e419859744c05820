/* untranslated.h - a report of source text that the model does not know and that is lost. */
#ifndef ATTN_CMD_TRANSLATE_UNTRANSLATED_H
#define ATTN_CMD_TRANSLATE_UNTRANSLATED_H

#include "base/buf.h"
#include "translate/translator.h"

#define UNTRANSLATED_TEXT "not in the model's vocabulary, and lost in translation"

/* untranslated_add - appends the unknown text of a line that its best translation lost, in the form
 * '寿司', '漢' and 2 more. Returns how many there are. U+FFFD, which marks repaired bytes, does
 * not count. */
int untranslated_add(const Translation *t, Buf *out);

#endif
