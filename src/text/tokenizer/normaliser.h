/* normaliser.h - a line as the pieces of a SentencePiece model have it.
 *
 * A line is read step by step: a symbol of the user's is itself; what the model's character map has
 * is replaced, the longest first; another character is itself, and a byte that begins none U+FFFD.
 * Blanks in a row become one, those at the ends go, one is put before the line (or behind it), and
 * all are U+2581: each of these as the file says.
 */
#ifndef ATTN_TEXT_TOKENIZER_NORMALISER_H
#define ATTN_TEXT_TOKENIZER_NORMALISER_H

#include "base/buf.h"
#include "base/error.h"
#include "text/tokenizer/prefixes.h"

typedef struct {
    Slice units, replacements;  /* of the character map, borrowed: a double array of 32-bit units,
                                 * and strings with a NUL each; empty: no character is replaced */
    Prefixes  symbols;              /* the user's */
    int   adds_blank, blank_is_behind;      /* one before the line; or behind it */
    int   removes_blanks, escapes_blanks;
} Normaliser;

/* normaliser_set_map - takes the bytes of a precompiled_charsmap apart, which it borrows. -1 with a
 * message for damage.
 * normaliser_apply - appends a line. What it appends is valid UTF-8, whatever the line and the map
 * are. */
int  normaliser_set_map(Normaliser *n, Slice map, Err *e);
void normaliser_apply(const Normaliser *n, Slice line, Buf *out);

/* valid_character - the bytes of the character that a text begins with; 0: its first byte begins
 * none, and is read as REPLACEMENT_CHARACTER. */
#define REPLACEMENT_CHARACTER "\xEF\xBF\xBD"
enum { REPLACEMENT_BYTES = 256 };       /* of one, and of the text for <unk>: a file may not make
                                         * much of little */
size_t valid_character(Slice text);

#endif
