/* tokens.h - the words and numbers of a line as people count them, and its words of negation.
 *
 * A word is a run of letters and marks: "Jean-Luc's" is three. A number is a run of the digits 0-9; groups of three
 * behind , or . or a blank belong to it: 1,000, 1.000 and 1 000 have the same digits. All other characters are none.
 * The line must be in the normal form of text/words.h. Nothing is copied: tokens are parts of the line.
 */
#ifndef ATTN_ANALYSIS_TOKENS_H
#define ATTN_ANALYSIS_TOKENS_H

#include "base/buf.h"

typedef enum { TOKEN_WORD, TOKEN_NUMBER } TokenKind;

typedef struct {
    TokenKind   kind;
    const char *text;               /* `length` bytes of the line; a number with its separators */
    size_t      length;
    int         starts_sentence;    /* nothing before it in the line, or since . ! ? or … */
} Token;

/* A line on its way. */
typedef struct { const char *at; int new_sentence; } Tokens;

/* tokens_next - the next token; 0 at the end.
 *
 *     for (Tokens at = tokens_start(line); tokens_next(&at, &token);)
 */
Tokens tokens_start(const char *line);
int    tokens_next(Tokens *tokens, Token *token);

/* number_group - the next group of digits of a number, from *at on (number->text at first), which moves behind it;
 * returns its length, 0 at the end. number_digits - replaces what `out` holds by all its digits. */
size_t number_group(const Token *number, const char **at, const char **group);
void   number_digits(const Token *number, Buf *out);

/* negation_find - the first word of negation, English or French, as a whole ("don't", "n'", "jamais"); 0 if there is
 * none: not, n't, cannot, never, no, nobody, nothing; ne, n' before a word, pas, jamais, rien, personne. */
int negation_find(const char *line, Token *found);

#endif
