/* keys.h - keys that a terminal sends as several characters: each works as a whole, or not at all.
 *
 * Arrows, F-keys and keys with Ctrl or Alt arrive as an escape sequence (ECMA-48, section 5.4:
 * ESC [ parameters final; ESC O final). libedit gives up a sequence that it does not know at the
 * first strange character, and takes the rest for text: Ctrl-Left would type ";5D". Here a sequence
 * is read to its end first, and left out where nothing is bound to it.
 */
#ifndef ATTN_CMD_TRANSLATE_KEYS_H
#define ATTN_CMD_TRANSLATE_KEYS_H

#include <histedit.h>

/* keys_bind - binds what people expect of Ctrl, Alt, Home, End, PgUp and PgDn; before ~/.editrc is
 * read, which may bind them anew, and others. The editor reads stdin, writes stdout and stderr. */
void keys_bind(EditLine *line);

#endif
