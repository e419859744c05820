/* keys.h - keys that a terminal sends as several characters: each one works as a whole, or does
 * nothing.
 *
 * Arrows, F-keys and keys with Ctrl or Alt arrive as an escape sequence (ECMA-48, section 5.4:
 * ESC [ parameters final; ESC O final). libedit ends an unknown sequence at the first character
 * that does not fit, and takes the rest for text: Ctrl-Left would type ";5D". Here a sequence is
 * read to its end first, and ignored where nothing is bound to it.
 */
#ifndef ATTN_CMD_TRANSLATE_KEYS_H
#define ATTN_CMD_TRANSLATE_KEYS_H

#include <histedit.h>

/* keys_bind - binds the usual keys with Ctrl and Alt, Home, End, PgUp and PgDn. Call it before
 * ~/.editrc is read, which may change them. The editor reads stdin, and writes stdout and
 * stderr. */
void keys_bind(EditLine *line);

#endif
