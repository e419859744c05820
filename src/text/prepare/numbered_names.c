/* numbered_names.c - see numbered_names.h. */
#include "text/prepare/numbered_names.h"

#include "text/letter_case.h"
#include "text/prepare/titles.h"
#include "text/roman.h"
#include "text/word_match.h"

#include <string.h>

/* Whether a word with capitals is no title and no frequent word in small letters. */
static int is_name(const Lexicon *lexicon, const Words *words, size_t i)
{
    const PlainWord word = words_plain(words, i);
    if (word_shape_at(words, i) <= SHAPE_SMALL || title_is(word)) return 0;
    const char *usual = lexicon_usual(lexicon, word.text, word.length);
    return !usual || !letter_case_is_small(usual, strlen(usual))
           || lexicon_count(lexicon, usual, strlen(usual)) < LEXICON_SELDOM;
}

/* Without L, C, D and M, which abbreviate: Washington DC, John Brown MD. */
static int is_number(const Words *words, size_t i)
{
    enum { MOST = 39, ONE = 1 };
    static const char *const first[] = { "Ier", "Ire", NULL };
    const PlainWord word = words_plain(words, i);
    const int number = roman_number(word.text, word.length);
    return (number > ONE && number <= MOST) || word_is_one_of(words, i, first);
}

size_t numbered_name_end(const Lexicon *lexicon, const Words *words, size_t i)
{
    enum { LONGEST = 4 };       /* words of a name */
    size_t end = i;
    while (end < i + LONGEST && is_name(lexicon, words, end) && !is_number(words, end))
        end++;
    return end > i && is_number(words, end) ? end + 1 : i;
}
