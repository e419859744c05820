/* shell.h - text that can be pasted into a shell. */
#ifndef ATTN_BASE_SHELL_H
#define ATTN_BASE_SHELL_H

#include "base/buf.h"

/* shell_word - appends the text as one word (POSIX XCU 2.2.2), quoted only where it must be. */
void shell_word(const char *text, Buf *out);

#endif
