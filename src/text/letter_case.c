/* letter_case.c - see letter_case.h. */
#include "text/letter_case.h"

#include "text/unicode.h"

#include <string.h>

Shape letter_case_shape(const char *word, size_t length)
{
    int capitals = 0, small = 0, is_first = 0, is_uncased = 0;
    for (const char *at = word; at < word + length;) {
        const int32_t point = unicode_next(&at);
        const int capital = unicode_lower(point) != point;
        if (!capital && !unicode_is_lower(point)) {
            is_uncased |= unicode_is_letter(point) || unicode_is_number(point);
            continue;
        }
        if (capital && !capitals && !small) is_first = 1;
        capitals += capital;
        small += !capital;
    }
    if (!capitals) return small ? SHAPE_SMALL : is_uncased ? SHAPE_UNCASED : SHAPE_NONE;
    if (!small) return capitals == 1 ? SHAPE_CAPITAL : SHAPE_CAPITALS;
    return capitals == 1 && is_first ? SHAPE_CAPITALISED : SHAPE_MIXED;
}

static SentenceCase case_of(const unsigned char *shape, size_t count)
{
    enum { LEAST = 3 };
    size_t words[SHAPE_MIXED + 1] = { 0 }, first = 0;
    for (size_t i = 0; i < count; i++)
        words[shape[i]]++;
    while (first < count && shape[first] <= SHAPE_UNCASED)
        first++;
    if (first == count) return CASE_USUAL;
    const size_t others = count - words[SHAPE_NONE] - words[SHAPE_UNCASED] - 1;
    const size_t capitals = words[SHAPE_CAPITAL] + words[SHAPE_CAPITALS];
    if (words[SHAPE_SMALL] == others + 1) return CASE_SMALL;
    if (words[SHAPE_CAPITALS] && capitals == others + 1) return CASE_CAPITALS;
    const size_t capitalised = words[SHAPE_CAPITALISED] - (shape[first] == SHAPE_CAPITALISED);
    return capitalised >= LEAST && 2 * capitalised > others ? CASE_TITLE : CASE_USUAL;
}

SentenceCase sentence_case(const unsigned char *shape, size_t count, unsigned char *place)
{
    static const WordPlace inside[] = { [CASE_USUAL] = PLACE_INSIDE, [CASE_SMALL] = PLACE_SMALL,
                                        [CASE_CAPITALS] = PLACE_CAPITALS, [CASE_TITLE] = PLACE_FIRST };
    const SentenceCase whole = case_of(shape, count);
    size_t first = 0;
    memset(place, inside[whole], count);
    while (first < count && shape[first] == SHAPE_NONE)
        first++;
    if (first < count && whole == CASE_USUAL) place[first] = PLACE_FIRST;
    return whole;
}
