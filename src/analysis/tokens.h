/* tokens.h - the words and numbers of a line, and its negations.
 *
 * A word is a run of letters and marks: "Jean-Luc's" is three. A number is a run of the digits 0-9;
 * groups of three after , or . or a blank belong to it: 1,000, 1.000 and 1 000 have the same
 * digits. Other characters separate tokens. The line must be in the normal form of text/words.h.
 * Tokens point into the line.
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

/* The rest of a line, from `at` on. */
typedef struct { const char *at; int new_sentence; } Tokens;

/* tokens_of - all tokens of a line. tokens_next - takes the next token; returns 0 at the end.
 *
 *     for (Tokens tokens = tokens_of(line); tokens_next(&tokens, &token);)
 */
Tokens tokens_of(const char *line);
int    tokens_next(Tokens *tokens, Token *token);

/* number_group - sets *group to the next group of digits of a number, from *at on (number->text at
 * first), and moves *at behind it; returns its length, 0 at the end. number_digits - replaces `out`
 * by all digits of the number. */
size_t number_group(const Token *number, const char **at, const char **group);
void   number_digits(const Token *number, Buf *out);

/* negation_find - sets *found to the first English or French negation, as a whole ("don't", "n'",
 * "jamais"); returns 0 if there is none. They are: not, n't, cannot, never, no, nobody, nothing;
 * ne, n' before a word, pas, jamais, rien, personne. */
int negation_find(const char *line, Token *found);

#endif
