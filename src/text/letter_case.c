/* letter_case.c - see letter_case.h. */
#include "text/letter_case.h"

#include "text/unicode.h"

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

int letter_case_is_small(const char *text, size_t length)
{
    for (const char *at = text, *end = text + length; at < end;) {
        const int32_t point = unicode_next(&at);
        const int is_capital = point < 0x80 ? point >= 'A' && point <= 'Z'
                                            : unicode_lower(point) != point;
        if (is_capital) return 0;
    }
    return 1;
}

void letter_case_small(const char *text, size_t length, const char *language, Buf *out)
{
    unicode_case(UNICODE_LOWER, text, length, language, out);
}

void letter_case_capitals(const char *text, size_t length, const char *language, Buf *out)
{
    unicode_case(UNICODE_UPPER, text, length, language, out);
}

void letter_case_capitalised(const char *text, size_t length, const char *language, Buf *out)
{
    const char *at = text, *end = text + length;
    while (at < end) {
        const char *letter = at;
        const int32_t point = unicode_next(&at);
        if (unicode_is_number(point)) break;
        if (!unicode_is_letter(point)) continue;
        buf_add(out, text, (size_t)(letter - text));
        unicode_case(UNICODE_TITLE, letter, (size_t)(end - letter), language, out);
        return;
    }
    buf_add(out, text, length);
}

SentenceCase sentence_case(const unsigned char *shape, size_t count)
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
