/* copies.h - text that a translation carries over as it is: names that training saw once or never,
 * numbers, addresses of mail and the web, code, emoji. The network sees a numbered placeholder in their place, and its translation
 * has the same placeholder where the text goes (Luong et al. 2015, "Addressing the Rare Word Problem in Neural Machine
 * Translation", section 3.1; numbered as by Crego et al. 2016, "SYSTRAN's Pure Neural Machine
 * Translation Systems", section 3.2).
 *
 * Placeholders are entries of the vocabulary behind the special ones: COPIES_MOST for numbers, and
 * as many for the rest. No text holds one: U+2581 inside a word is in no normal form.
 */
#ifndef ATTN_TEXT_COPIES_H
#define ATTN_TEXT_COPIES_H

#include "text/words.h"

#include <stddef.h>

enum { COPIES_MOST = 8 };

typedef enum { COPY_NEVER, COPY_NUMBER, COPY_OTHER } CopyKind;

/* copy_kind - whether a word (without a mark) is of a kind that is copied where the network does
 * not know it: a number; a word with capitals; an address, code or emoji
 * (text/verbatim/verbatim.h); punctuation. */
CopyKind copy_kind(const char *word, size_t length);

/* The copied texts of a line, in their order. Zero-initialise; copies_free releases. */
typedef struct {
    Words           text;               /* each with a NUL at its end */
    unsigned char   kind[COPIES_MOST];  /* (text.count) CopyKind */
} Copies;

/* copies_clear - leaves no text. copies_add - appends one. */
void copies_clear(Copies *copies);
void copies_add(Copies *copies, const char *text, size_t length, CopyKind kind);
void copies_free(Copies *copies);

/* copies_at - text number k, valid until the next is added. */
const char *copies_at(const Copies *copies, int k);

enum { PLACEHOLDERS = 2 * COPIES_MOST };

/* placeholder_piece - entry number k, below PLACEHOLDERS, as the vocabulary has it.
 * placeholder_number - the entry for copy `number` of that kind; placeholder_copy is its inverse
 * and returns the number. placeholder_is - whether a word (without a mark) is a placeholder. */
const char *placeholder_piece(int k);
int         placeholder_number(int number, CopyKind kind);
int         placeholder_copy(int k);
int         placeholder_is(const char *word, size_t length);

#endif
