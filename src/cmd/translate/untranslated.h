/* untranslated.h - reports of source text that the network had no place for in its translation, or that it hardly knows. */
#ifndef ATTN_CMD_TRANSLATE_UNTRANSLATED_H
#define ATTN_CMD_TRANSLATE_UNTRANSLATED_H

#include "base/buf.h"
#include "translate/translator.h"
#include "translate/unfamiliar.h"

/* What became of it. */
typedef enum { UNTRANSLATED_LOST, UNTRANSLATED_BEHIND, UNTRANSLATED_KINDS } Untranslated;

extern const char *const untranslated_text[UNTRANSLATED_KINDS];     /* as a warning says it */

/* untranslated_add - appends such text of a line's best translation, in the form '寿司', '漢' and 2 more.
 * Returns how many there are. U+FFFD, which marks repaired bytes, does not count. */
int untranslated_add(const Translation *t, Untranslated kind, Buf *out);

/* unfamiliar_text - what a warning says of a text of this kind. */
const char *unfamiliar_text(Unfamiliar kind);

#endif
