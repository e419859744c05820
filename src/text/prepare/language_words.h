/* language_words.h - what the program knows of the language of a lexicon.
 *
 * A model doesn't say which languages it has. Its lexicons do: each language's words for "and" and
 * "or" are among its most frequent ones.
 */
#ifndef ATTN_TEXT_PREPARE_LANGUAGE_WORDS_H
#define ATTN_TEXT_PREPARE_LANGUAGE_WORDS_H

#include "text/lexicon.h"
#include "text/locale/locale.h"

typedef struct {
    const char   *and, *or, *per;   /* per: five euros a month */
    const Locale *locale;           /* NULL: its dates, times and ordinals are left to the network */
} LanguageWords;

/* language_words - those of the language whose rarer word of the two is the most frequent: English,
 * French, German, Dutch, Scandinavian languages. NULL: neither is frequent in any of them. */
const LanguageWords *language_words(const Lexicon *lexicon);

#endif
