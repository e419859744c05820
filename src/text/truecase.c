/* truecase.c - see truecase.h. */
#include "text/truecase.h"

#include <string.h>

void truecase_places(SentenceCase whole, const unsigned char *shape, size_t count,
                     unsigned char *place)
{
    static const WordPlace inside[] = { [CASE_USUAL] = PLACE_INSIDE, [CASE_SMALL] = PLACE_SMALL,
                                    [CASE_CAPITALS] = PLACE_CAPITALS, [CASE_TITLE] = PLACE_FIRST };
    size_t first = 0;
    memset(place, inside[whole], count);
    while (first < count && shape[first] == SHAPE_NONE)
        first++;
    if (first < count && whole == CASE_USUAL) place[first] = PLACE_FIRST;
}

static int is_capitalised(const char *word, size_t length)
{
    const Shape shape = letter_case_shape(word, length);
    return shape == SHAPE_CAPITAL || shape == SHAPE_CAPITALISED;
}

/* The form of a capitalised word that begins a sentence: small, unless it is a name or was never
 * seen small. NULL: as it stands. */
static const char *form_of_first(const Lexicon *lexicon, const char *word, size_t length)
{
    const char *small = lexicon_small(lexicon, word, length);
    if (!small) return NULL;
    const long count = lexicon_count(lexicon, small, strlen(small));
    return count >= lexicon_count(lexicon, word, length) ? small : NULL;
}

static const char *form_inside(const Lexicon *lexicon, const char *word, size_t length)
{
    if (lexicon_count(lexicon, word, length) || is_capitalised(word, length)) return NULL;
    return lexicon_usual(lexicon, word, length);
}

static const char *form_of_small(const Lexicon *lexicon, const char *word, size_t length)
{
    enum { TIMES = 4 };
    const char *usual = lexicon_usual(lexicon, word, length);
    if (!usual) return NULL;
    const long count = lexicon_count(lexicon, usual, strlen(usual));
    return TIMES * lexicon_count(lexicon, word, length) > count ? NULL : usual;
}

const char *truecase_form(const Lexicon *lexicon, const char *word, size_t length, WordPlace place)
{
    if (place == PLACE_SMALL) return form_of_small(lexicon, word, length);
    if (place == PLACE_CAPITALS) return lexicon_usual(lexicon, word, length);
    return place == PLACE_FIRST && is_capitalised(word, length)
        ? form_of_first(lexicon, word, length) : form_inside(lexicon, word, length);
}
