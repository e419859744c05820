/* tokenize.h - the tokenizers of published BLEU scores.
 *
 *   13a    NIST's mteval-v13a.pl, the usual default: ASCII punctuation is split off, entities are
 *          unescaped, dots and commas between digits stay
 *   intl   mteval-v14.pl: all punctuation and symbols of Unicode are split off
 *   zh     every Chinese character is a token; the rest as 13a
 *   char   every character is a token
 *   none   splits at blanks only
 *
 * Each is a few rules that insert blanks into the line; its words (line_next_word) are the tokens.
 * The other tokenizers of sacreBLEU need a model from elsewhere: ja-mecab, ko-mecab, spm,
 * flores101, flores200, spBLEU-1K.
 */
#ifndef ATTN_METRICS_TOKENIZE_H
#define ATTN_METRICS_TOKENIZE_H

#include "metrics/symbols.h"

enum { TOKENIZE_13A, TOKENIZE_INTL, TOKENIZE_ZH, TOKENIZE_CHAR, TOKENIZE_NONE };
extern const char *const tokenize_names[];      /* "13a", "intl" ... as above; NULL-terminated */

/* tokenize - inserts the blanks of tokenizer `kind` (TOKENIZE_...) into a line that has none at its
 * end. */
void tokenize(int kind, Symbols *line);

/* tokenize_for - the tokenizer that sacreBLEU takes for references in a language (its tag), or in
 * its place the nearest that is here; *absent becomes the name of the former then, else NULL. */
int tokenize_for(const char *language, const char **absent);

/* The letters of texts, and those among them whose script puts no blanks between words (Chinese,
 * Japanese, Thai). Zero-initialise. */
typedef struct { size_t letters, unspaced; } ScriptCount;

/* script_count_add - adds those of a text. script_count_lacks_blanks - whether words between blanks
 * are not what these texts consist of. */
void script_count_add(ScriptCount *count, const char *text);
int  script_count_lacks_blanks(const ScriptCount *count);

/* The normalisation of tercom before TER: none by default. */
typedef struct {
    int normalized;         /* entities and punctuation as in 13a, and "'s" is a word */
    int no_punct;           /* . , ? : ; ! " ( ) are removed */
    int asian;              /* with one of these two: Chinese characters are words, and Asian
                               punctuation is split off or removed too */
} TercomOptions;

void tokenize_tercom(const TercomOptions *tercom, Symbols *line);

#endif
