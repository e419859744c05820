/* tokenize.h - the tokenizers that published BLEU scores are computed on.
 *
 *   13a    NIST's mteval-v13a.pl, the default everywhere: ASCII punctuation is split off, entities are unescaped,
 *          dots and commas between digits stay
 *   intl   mteval-v14.pl: punctuation and symbols of all of Unicode
 *   zh     every Chinese character by itself, then as 13a
 *   char   every character by itself
 *   none   what blanks separate
 *
 * Each is a few rules that put blanks into the line; its words (line_next_word) are the tokens. sacreBLEU has more, all
 * of which need a model from elsewhere: ja-mecab, ko-mecab, spm, flores101, flores200, spBLEU-1K.
 */
#ifndef ATTN_METRICS_TOKENIZE_H
#define ATTN_METRICS_TOKENIZE_H

#include "metrics/symbols.h"

enum { TOKENIZE_13A, TOKENIZE_INTL, TOKENIZE_ZH, TOKENIZE_CHAR, TOKENIZE_NONE };
extern const char *const tokenize_names[];      /* "13a", "intl" ... as in the list above; NULL-terminated */

/* tokenize - puts the blanks of tokenizer `kind` (TOKENIZE_...) into a line without blanks at its end. */
void tokenize(int kind, Symbols *line);

/* What tercom does before TER: nothing, unless it is asked for. */
typedef struct {
    int normalized;         /* entities and punctuation as in 13a, and "'s" by itself */
    int no_punct;           /* no . , ? : ; ! " ( ) */
    int asian;              /* with one of the two: Chinese characters by themselves, Asian punctuation too */
} Tercom;

void tokenize_tercom(const Tercom *tercom, Symbols *line);

#endif
