/* completion.h - scripts that complete commands, options and values in a shell. */
#ifndef ATTN_DOCS_COMPLETION_H
#define ATTN_DOCS_COMPLETION_H

#include "base/buf.h"

void completion_bash(Buf *out);     /* for bash-completion 2 */
void completion_zsh(Buf *out);
void completion_fish(Buf *out);

#endif
