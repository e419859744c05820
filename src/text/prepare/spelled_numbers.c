/* spelled_numbers.c - see spelled_numbers.h. */
#include "text/prepare/spelled_numbers.h"

#include "base/buf.h"
#include "text/locale/language.h"
#include "text/word_match.h"

#include <string.h>

enum { MOST_PARTS = 5, TEN = 10, TWENTY = 20, SIXTY = 60, EIGHTY = 80 };

/* What hyphens join in a word, as numbers. */
typedef struct { int value[MOST_PARTS], count; } Parts;

static int is_word(PlainWord part, const char *word)
{
    return word && word_is_alike(part, word);
}

/* The number that a part is; 0: none, or the word between tens and one: vingt-et-un. -1: another word. */
static int value_of(const SpelledNumbers *s, PlainWord part)
{
    if (is_word(part, s->and)) return 0;
    for (const SpelledNumber *n = s->words; n->word; n++)
        if (is_word(part, n->word)) return n->value;
    return -1;
}

/* None if one is another word, or they are too many. */
static Parts parts_of(const SpelledNumbers *s, PlainWord word)
{
    Parts p = { .count = 0 };
    for (const char *at = word.text, *end = word.text + word.length; at <= end;) {
        const char *hyphen = memchr(at, '-', (size_t)(end - at));
        const char *stop = hyphen ? hyphen : end;
        const int value = value_of(s, (PlainWord){ at, (size_t)(stop - at) });
        if (value < 0 || p.count == MOST_PARTS) return (Parts){ .count = 0 };
        if (value) p.value[p.count++] = value;
        at = stop + 1;
    }
    return p;
}

/* What is added to the tens: one to nine, or to nineteen in languages that count by twenties there; 0: no such
 * number. */
static int rest_of(const Parts *p, int at, int limit)
{
    const int left = p->count - at, first = p->value[at];
    if (left == 1) return first < limit ? first : 0;
    const int is_teen = left == 2 && limit > TEN && first == TEN && p->value[at + 1] < TEN && p->value[at + 1] > 6;
    return is_teen ? first + p->value[at + 1] : 0;
}

/* The number that parts make up; 0: none. */
static int number_of(const SpelledNumbers *s, const Parts *p)
{
    if (p->count < 2) return 0;
    const int is_four_twenty = s->by_twenties && p->value[0] == 4 && p->value[1] == TWENTY;
    const int tens = is_four_twenty ? EIGHTY : p->value[0], at = 1 + is_four_twenty;
    if (tens < TWENTY || tens % TEN) return 0;
    if (at == p->count) return tens;
    const int has_teens = s->by_twenties && (tens == SIXTY || tens == EIGHTY);
    const int rest = rest_of(p, at, has_teens ? TWENTY : TEN);
    return rest ? tens + rest : 0;
}

/* Whether what stands before word i is of one number, or one time, with it: nineteen eighty-four. */
static int goes_on(const SpelledNumbers *s, const Words *words, size_t i)
{
    if (!i) return 0;
    if (i > 1 && s->joint && word_is(words, i - 1, s->joint)) return word_is_one_of(words, i - 2, s->larger);
    return value_of(s, words_plain(words, i - 1)) > 0 || word_is_one_of(words, i - 1, s->before);
}

/* The number that word i is, unless it is part of a larger one; 0: none. */
static int number_at(const SpelledNumbers *s, const Words *words, size_t i)
{
    const Parts p = parts_of(s, words_plain(words, i));
    const int number = number_of(s, &p);
    if (!number || goes_on(s, words, i) || word_is_one_of(words, i + 1, s->larger)) return 0;
    return value_of(s, words_plain(words, i + 1)) > 0 ? 0 : number;
}

void spelled_numbers_write(const Locale *locale, Words *words)
{
    Words out = { 0 };
    Buf digits = { 0 };
    if (!locale || !locale->spelled.words) return;
    for (size_t i = 0; i < words->count; i++) {
        size_t length;
        const char *word = words_at(words, i, &length);
        const int number = number_at(&locale->spelled, words, i);
        buf_clear(&digits);
        buf_add(&digits, word, number ? words_mark_length(word, length) : length);
        if (number) buf_printf(&digits, "%d", number);
        words_add(&out, digits.text, digits.length);
    }
    buf_free(&digits);
    words_free(words);
    *words = out;
}
