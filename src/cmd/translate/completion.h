/* completion.h - the words that complete a typed beginning. */
#ifndef ATTN_CMD_TRANSLATE_COMPLETION_H
#define ATTN_CMD_TRANSLATE_COMPLETION_H

#include "base/buf.h"

#include <stddef.h>

/* Set `begun`, zero the rest; completion_free releases. */
typedef struct {
    const char *begun;              /* the typed part of the word */
    char      **word;               /* (count) words that begin with it, in byte order; owned */
    size_t      count, capacity;
} Completion;

void completion_free(Completion *c);

/* completion_offer - adds `word` if it begins as typed, followed by `behind`: " " or "". */
void completion_offer(Completion *c, const char *word, const char *behind);

/* completion_offer_files - adds files, and folders with a '/', whose path begins as typed.
 * Hidden files need a typed dot; names that no terminal can show are left out. */
void completion_offer_files(Completion *c);

/* completion_rest - appends the bytes after the typed part that all words share. */
void completion_rest(const Completion *c, Buf *out);

/* completion_list - appends the words in lines of so many columns; of a path only the last name. */
void completion_list(const Completion *c, int columns, Buf *out);

#endif
