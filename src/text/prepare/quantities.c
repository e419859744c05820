/* quantities.c - see quantities.h. */
#include "text/prepare/quantities.h"

#include "text/ascii.h"
#include "text/locale/numbers.h"
#include "text/prepare/phone_numbers.h"
#include "text/unicode.h"
#include "text/word_list.h"
#include "text/word_match.h"

#include <string.h>

/* ---- Units ---- */

/* Whether a word is the sign of a unit that is the same in all languages. */
static int is_common_sign(PlainWord word)
{
    static const char *const units[] = {
        "km", "m", "cm", "mm", "ft", "kg", "g", "mg", "l", "L", "ml", "mL", "cl", "dl", "min", "mins",
        "mn", "s", "sec", "secs", "kW", "kWh", "kB", "MB", "GB", "TB", "kbit", "Mbit", "Gbit", NULL
    };
    return word_list_has(units, word.text, word.text + word.length);
}

static int is_sign(const Words *words, size_t i)
{
    static const char *const others[] = { "h", "t", "W", NULL };
    const PlainWord word = words_plain(words, i);
    return is_common_sign(word) || word_list_has(others, word.text, word.text + word.length);
}

static int is_likely_sign(const Lexicon *lexicon, PlainWord word)
{
    enum { LONGEST = 4 };
    if (!word.length || word.length > LONGEST) return 0;
    for (const char *at = word.text; at < word.text + word.length; at++)
        if (!ascii_is_lower(*at) || strchr("aeiouy", *at)) return 0;
    return lexicon_count(lexicon, word.text, word.length) < LEXICON_SELDOM;
}

int quantity_is_scale(const LineWords *line, size_t i)
{
    const PlainWord letter = words_plain(&line->words, i + 1);
    return word_is(&line->words, i, "°") && word_is_glued(&line->words, i + 1) && letter.length == 1
           && strchr("CFK", *letter.text);
}

static int is_currency(const Words *words, size_t i)
{
    const PlainWord word = words_plain(words, i);
    const char *end = word.text;
    return word.length && unicode_is_currency(unicode_next(&end)) && end == word.text + word.length;
}

/* Behind the sign of a currency at word i, with the letters before it: $, US$; i: none is there. */
static size_t sign_end(const Words *words, size_t i)
{
    const PlainWord word = words_plain(words, i);
    if (is_currency(words, i)) return i + 1;
    const int is_dollar = word_is(words, i + 1, "$") && word_is_glued(words, i + 1)
                          && numbers_is_dollar_prefix(word.text, word.text + word.length);
    return is_dollar ? i + 2 : i;
}

/* An article that lost a vowel is none: 3 l'. */
int quantity_is_unit(const LineWords *line, size_t i)
{
    static const char *const apostrophes[] = { "'", "\u2019", NULL };
    const PlainWord word = words_plain(&line->words, i);
    return i && word_is_number(&line->words, i - 1)
           && !word_is_one_of(&line->words, i + 1, apostrophes)
           && (is_common_sign(word) || is_likely_sign(line->language.lexicon, word)
               || is_currency(&line->words, i));
}

static int is_factor(const Words *words, size_t i)
{
    static const char *const factors[] = { "thousand", "million", "billion", "trillion", "millions",
                                           "milliard", "milliards", "mille", NULL };
    return word_is_one_of(words, i, factors);
}

int quantity_has_sign(const Words *words, size_t i)
{
    const size_t end = sign_end(words, i);
    return end > i && word_is_glued(words, end) && word_is_number(words, end) && !is_factor(words, end + 1);
}

int quantity_joins_sign(const Words *words, size_t i)
{
    return (is_currency(words, i) && word_is_number(words, i + 1))
           || (word_is_number(words, i) && is_currency(words, i + 1));
}

/* ---- Sizes, rates, durations ---- */

static size_t rate_end(const Words *words, size_t i)
{
    const int is_rate = word_is_number(words, i) && is_sign(words, i + 1)
                        && word_is(words, i + 2, "/") && word_is_glued(words, i + 2)
                        && word_is_glued(words, i + 3) && is_sign(words, i + 3);
    return is_rate ? i + 4 : i;
}

/* Behind hours and minutes that last: 2 h 15 min. */
static size_t duration_end(const Words *words, size_t i)
{
    static const char *const minutes[] = { "min", "mn", NULL };
    const int is_duration = word_is_number(words, i) && word_is(words, i + 1, "h")
                            && word_is_number(words, i + 2) && word_is_one_of(words, i + 3, minutes);
    return is_duration ? i + 4 : i;
}

/* Behind the number at word i and its unit, if there is one; i: there is no number. */
static size_t length_end(const Words *words, size_t i)
{
    if (!word_is_number(words, i)) return i;
    return i + 1 + (size_t)is_sign(words, i + 1);
}

/* Behind a size: numbers, perhaps with a unit, and x between them. */
static size_t size_end(const Words *words, size_t i)
{
    static const char *const by[] = { "x", "×", NULL };
    size_t end = length_end(words, i), whole = i;
    while (end > i && word_is_one_of(words, end, by)) {
        const size_t next = length_end(words, end + 1);
        if (next == end + 1) break;
        whole = end = next;
    }
    return whole;
}

/* Behind the number at word i and a sign of two words: 5 US$. */
static size_t dollars_end(const Words *words, size_t i)
{
    return word_is_number(words, i) && sign_end(words, i + 1) == i + 3 ? i + 3 : i;
}

static size_t scaled_money_end(const LineWords *line, size_t i)
{
    const Language *language = &line->language;
    return language->into ? numbers_scaled_money_end(language->locale, &line->words, i) : i;
}

size_t quantity_end(const LineWords *line, size_t i)
{
    const Words *words = &line->words;
    size_t end = scaled_money_end(line, i);
    if (end == i) end = size_end(words, i);
    if (end == i) end = duration_end(words, i);
    if (end == i) end = dollars_end(words, i);
    return end > i ? end : rate_end(words, i);
}

/* ---- Amounts ---- */

/* Whether word i is part of an amount that began before it. */
static int goes_on(const LineWords *line, size_t i)
{
    static const char *const others[] = { "x", "×", "/", "°", "C", "F", "K", "k", "M", NULL };
    return word_is_number(&line->words, i) || is_sign(&line->words, i) || quantity_is_unit(line, i)
           || word_is_one_of(&line->words, i, others);
}

/* Whether a number with a point that begins a line is that of a heading: 1.1 Introduction. */
static int begins_heading(const Words *words, size_t i)
{
    return !i && (word_is(words, 1, ".") || word_shape_at(words, 1) > SHAPE_SMALL);
}

/* Whether the word before word i may be what a number with a point is the name of: one with a capital, or one that
 * training never saw. */
static int is_behind_name(LineWords *line, size_t i)
{
    static const char *const currencies[] = { "USD", "EUR", "GBP", "CHF", "CAD", "AUD", "JPY", NULL };
    if (!i) return 0;
    const PlainWord before = words_plain(&line->words, i - 1);
    if (word_list_has(currencies, before.text, before.text + before.length)) return 0;
    const Buf *form = line_words_form(line, i - 1);
    const size_t mark = words_mark_length(form->text, form->length);
    return letter_case_shape(form->text, form->length) > SHAPE_SMALL
           || !lexicon_knows(line->language.lexicon, form->text + mark, form->length - mark);
}

/* Whether word i is a number with a fraction, and without groups. */
static int is_fraction(const LineWords *line, size_t i)
{
    const PlainWord word = words_plain(&line->words, i);
    const int has_mark = memchr(word.text, '.', word.length) || memchr(word.text, ',', word.length);
    return has_mark && !numbers_has_groups(line->language.locale, word);
}

int quantity_is_money(const LineWords *line, size_t i, size_t end)
{
    const Words *words = &line->words;
    const size_t behind_sign = sign_end(words, i);
    const int sign_first = behind_sign > i;
    if (scaled_money_end(line, i) == end || dollars_end(words, i) == end) return 1;
    return sign_first != is_currency(words, end - 1) && !is_factor(words, end)
           && quantity_joins_sign(words, sign_first ? behind_sign - 1 : end - 2);
}

int quantity_reads_as_number(const LineWords *line, size_t i, size_t end)
{
    const Language *language = &line->language;
    if (!quantity_is_money(line, i, end) || scaled_money_end(line, i) == end) return 0;
    return !language->locale || !numbers_may_be_age(language->locale, &line->words, i);
}

int quantity_counts(LineWords *line, size_t i, size_t end)
{
    const Words *words = &line->words;
    if (quantity_is_money(line, i, end)) return 1;
    if (!word_is_number(words, i) || phone_number_is(words, i, end)) return 0;
    for (size_t k = i + 1; k < end; k++)
        if (!goes_on(line, k)) return 0;
    if (!word_is_number(words, end - 1)) return 1;
    if (numbers_is_named(line->language.locale, words, i)) return 0;
    return end > i + 1 || !is_fraction(line, i) || !(begins_heading(words, i) || is_behind_name(line, i));
}
