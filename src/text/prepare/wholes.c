/* wholes.c - see wholes.h. */
#include "text/prepare/wholes.h"

#include "text/copies.h"
#include "text/prepare/full_names.h"
#include "text/prepare/numbered_names.h"
#include "text/prepare/quotations.h"
#include "text/prepare/streets.h"
#include "text/prepare/titles.h"
#include "text/prepare/units.h"
#include "text/word_match.h"

static size_t code_end(const Words *words, size_t i)
{
    if (!word_is(words, i, "`")) return i;
    for (size_t end = i + 1; end < words->count; end++)
        if (word_is(words, end, "`")) return word_is_glued(words, end) ? end + 1 : i;
    return i;
}

static int is_unit(const Words *words, size_t i)
{
    return unit_is(words_plain(words, i));
}

/* Behind a rate: 120 km/h. */
static size_t rate_end(const Words *words, size_t i)
{
    const int is_rate = copies_is_number(words, i) && is_unit(words, i + 1)
                        && word_is(words, i + 2, "/") && word_is_glued(words, i + 2)
                        && word_is_glued(words, i + 3) && is_unit(words, i + 3);
    return is_rate ? i + 4 : i;
}

/* Behind hours and minutes that last: 2 h 15 min. */
static size_t duration_end(const Words *words, size_t i)
{
    static const char *const minutes[] = { "min", "mn", NULL };
    const int is_duration = copies_is_number(words, i) && word_is(words, i + 1, "h")
                            && copies_is_number(words, i + 2) && word_is_one_of(words, i + 3, minutes);
    return is_duration ? i + 4 : i;
}

/* Behind the name that begins with O'. */
static size_t irish_name_end(const Words *words, size_t i)
{
    static const char *const beginnings[] = { "O'", "O\u2019", NULL };
    const int is_name = word_is_one_of(words, i, beginnings) && word_is_glued(words, i + 1)
                        && word_shape_at(words, i + 1) > SHAPE_SMALL;
    return is_name ? i + 2 : i;
}

/* Behind n° 4521, which is no number of something. */
static size_t number_sign_end(const Words *words, size_t i)
{
    const int is_sign = word_is(words, i, "n") && word_is_glued(words, i + 1) && word_is(words, i + 1, "°");
    return is_sign && copies_is_number(words, i + 2) ? i + 3 : i;
}

/* Behind a reference: p. 12, Fig. 3, vol. 2, pp. 4-7. */
static size_t reference_end(const Words *words, size_t i)
{
    static const char *const parts[] = {
        "p", "pp", "fig", "figs", "vol", "vols", "chap", "apt", "appt", NULL
    };
    const int is_reference = word_is_one_of(words, i, parts) && word_is(words, i + 1, ".")
                             && word_is_glued(words, i + 1) && copies_is_number(words, i + 2);
    size_t end = is_reference ? i + 3 : i;
    while (end > i && word_is_glued(words, end) && word_is_glued(words, end + 1)
           && word_is(words, end, "-") && copies_is_number(words, end + 1))
        end += 2;
    return end;
}

/* Behind the number at word i and its unit, if there is one; i: there is no number. */
static size_t length_end(const Words *words, size_t i)
{
    if (!copies_is_number(words, i)) return i;
    return i + 1 + (size_t)is_unit(words, i + 1);
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

/* Behind a quotation, unless it has a date, a time or an ordinal. */
static size_t name_in_quotes_end(const LineWords *line, size_t i)
{
    LocaleItem item;
    const size_t end = quotation_end(&line->words, i);
    for (size_t k = i + 1; line->language.into && k < end; k++)
        if (locale_item_end(line->language.locale, &line->words, k, &item) > k) return i;
    return end;
}

size_t whole_end(const LineWords *line, size_t i)
{
    const Lexicon *lexicon = line->language.lexicon;
    const Words *words = &line->words;
    size_t end = street_end(words, i, line->whole);
    if (end == i) end = title_couple_end(lexicon, words, i);
    if (end == i) end = numbered_name_end(lexicon, words, i);
    if (end == i) end = full_name_end(line, i);
    if (end == i) end = irish_name_end(words, i);
    if (end == i) end = code_end(words, i);
    if (end == i) end = menu_path_end(words, i);
    if (end == i) end = name_in_quotes_end(line, i);
    if (end == i) end = size_end(words, i);
    if (end == i) end = duration_end(words, i);
    if (end == i) end = number_sign_end(words, i);
    if (end == i) end = reference_end(words, i);
    return end > i ? end : rate_end(words, i);
}
