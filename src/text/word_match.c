/* word_match.c - see word_match.h. */
#include "text/word_match.h"

#include "text/ascii.h"
#include "text/unicode.h"
#include "text/verbatim/verbatim.h"

/* Whether two texts have the same letters, as far as `letter` tells them apart. */
static int is_alike(PlainWord word, const char *text, int32_t (*letter)(int32_t))
{
    const char *at = word.text, *end = word.text + word.length;
    while (at < end && *text)
        if (letter(unicode_next(&at)) != letter(unicode_next(&text))) return 0;
    return at == end && !*text;
}

int word_is_alike(PlainWord word, const char *text)
{
    return is_alike(word, text, unicode_lower);
}

int word_is(const Words *words, size_t i, const char *text)
{
    return word_is_alike(words_plain(words, i), text);
}

static int32_t small_base(int32_t point)
{
    return unicode_lower(unicode_base(point));
}

int word_is_unaccented(const Words *words, size_t i, const char *text)
{
    return is_alike(words_plain(words, i), text, small_base);
}

int word_is_one_of(const Words *words, size_t i, const char *const *list)
{
    for (; *list; list++)
        if (word_is(words, i, *list)) return 1;
    return 0;
}

int word_is_glued(const Words *words, size_t i)
{
    size_t length;
    if (!i || i >= words->count) return 0;
    const char *word = words_at(words, i, &length);
    return !words_mark_length(word, length);
}

Shape word_shape_at(const Words *words, size_t i)
{
    const PlainWord word = words_plain(words, i);
    return letter_case_shape(word.text, word.length);
}

int word_is_end(const Words *words, size_t i)
{
    return i >= words->count || word_shape_at(words, i) == SHAPE_NONE;
}

int word_number(const Words *words, size_t i, size_t most)
{
    const PlainWord word = words_plain(words, i);
    int number = 0;
    if (!word.length || word.length > most) return -1;
    for (size_t k = 0; k < word.length; k++) {
        if (!ascii_is_digit(word.text[k])) return -1;
        number = 10 * number + (word.text[k] - '0');
    }
    return number;
}

int word_is_number(const Words *words, size_t i)
{
    const PlainWord word = words_plain(words, i);
    const char *end = word.text + word.length;
    VerbatimKind kind;
    return word.length && verbatim_end(word.text, word.text, end, &kind) == end
           && kind == VERBATIM_NUMBER;
}
