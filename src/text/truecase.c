/* truecase.c - see truecase.h. */
#include "text/truecase.h"

#include <string.h>

void truecase_places(const unsigned char *shape, size_t count, unsigned char *place)
{
    static const WordPlace inside[] = { [CASE_USUAL] = PLACE_INSIDE, [CASE_SMALL] = PLACE_SMALL,
                                    [CASE_CAPITALS] = PLACE_CAPITALS, [CASE_TITLE] = PLACE_FIRST };
    const SentenceCase whole = sentence_case(shape, count);
    size_t first = 0;
    memset(place, inside[whole], count);
    while (first < count && shape[first] == SHAPE_NONE)
        first++;
    if (first < count && whole == CASE_USUAL) place[first] = PLACE_FIRST;
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
    if (lexicon_count(lexicon, word, length)) return NULL;
    const Shape shape = letter_case_shape(word, length);
    return shape == SHAPE_CAPITAL || shape == SHAPE_CAPITALISED
        ? NULL : lexicon_usual(lexicon, word, length);
}

static const char *form_of_small(const Lexicon *lexicon, const char *word, size_t length)
{
    enum { TIMES = 4 };
    const char *usual = lexicon_usual(lexicon, word, length);
    if (!usual) return NULL;
    const long count = lexicon_count(lexicon, usual, strlen(usual));
    return TIMES * lexicon_count(lexicon, word, length) > count ? NULL : usual;
}

void truecase_word(const Lexicon *lexicon, const char *word, size_t length, WordPlace place, Buf *out)
{
    const Shape shape = letter_case_shape(word, length);
    const int is_capitalised = shape == SHAPE_CAPITAL || shape == SHAPE_CAPITALISED;
    const char *form = NULL;
    if (place == PLACE_SMALL) form = form_of_small(lexicon, word, length);
    else if (place == PLACE_CAPITALS) form = lexicon_usual(lexicon, word, length);
    else if (place == PLACE_FIRST && is_capitalised) form = form_of_first(lexicon, word, length);
    else form = form_inside(lexicon, word, length);
    if (form) buf_puts(out, form);
    else buf_add(out, word, length);
}
