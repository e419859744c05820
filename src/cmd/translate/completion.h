/* completion.h - what a word that was begun may go on to be. */
#ifndef ATTN_CMD_TRANSLATE_COMPLETION_H
#define ATTN_CMD_TRANSLATE_COMPLETION_H

#include "base/buf.h"

#include <stddef.h>

/* Set `begun`, zero the rest; completion_free releases. */
typedef struct {
    const char *begun;              /* what is typed of the word */
    char      **word;               /* (count) each begins with it, in the order of bytes; owned */
    size_t      count, capacity;
} Completion;

void completion_free(Completion *c);

/* completion_offer - takes `word` if it begins as typed, with what stands `behind` it once it is
 * complete: " " or "". */
void completion_offer(Completion *c, const char *word, const char *behind);

/* completion_offer_files - files and folders (these with a '/') whose path begins as typed. Not
 * names that begin with a dot which was not typed, nor those that no terminal can show. */
void completion_offer_files(Completion *c);

/* completion_rest - appends what all words go on with behind what is typed. */
void completion_rest(const Completion *c, Buf *out);

/* completion_list - appends the words, of paths the last name, in lines of so many columns. */
void completion_list(const Completion *c, int columns, Buf *out);

#endif
