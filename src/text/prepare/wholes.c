/* wholes.c - see wholes.h. */
#include "text/prepare/wholes.h"

#include "text/prepare/full_names.h"
#include "text/prepare/numbered_names.h"
#include "text/prepare/quantities.h"
#include "text/prepare/quotations.h"
#include "text/prepare/streets.h"
#include "text/prepare/titles.h"
#include "text/word_match.h"

/* How many backquotes word i is; 0: it is another. */
static size_t backquotes_at(const Words *words, size_t i)
{
    const PlainWord word = words_plain(words, i);
    for (size_t k = 0; k < word.length; k++)
        if (word.text[k] != '`') return 0;
    return word.length;
}

/* Code goes on to as many backquotes as it begins with (CommonMark 0.31, section 6.1). */
static size_t code_end(const Words *words, size_t i)
{
    const size_t count = backquotes_at(words, i);
    if (!count) return i;
    for (size_t end = i + 1; end < words->count; end++)
        if (backquotes_at(words, end) == count) return word_is_glued(words, end) ? end + 1 : i;
    return i;
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
    return is_sign && word_is_number(words, i + 2) ? i + 3 : i;
}

/* Behind a reference: p. 12, Fig. 3, vol. 2, pp. 4-7. */
static size_t reference_end(const Words *words, size_t i)
{
    static const char *const parts[] = {
        "p", "pp", "fig", "figs", "vol", "vols", "chap", "apt", "appt", NULL
    };
    const int is_reference = word_is_one_of(words, i, parts) && word_is(words, i + 1, ".")
                             && word_is_glued(words, i + 1) && word_is_number(words, i + 2);
    size_t end = is_reference ? i + 3 : i;
    while (end > i && word_is_glued(words, end) && word_is_glued(words, end + 1)
           && word_is(words, end, "-") && word_is_number(words, end + 1))
        end += 2;
    return end;
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
    if (end == i) end = quantity_end(line, i);
    if (end == i) end = number_sign_end(words, i);
    return end > i ? end : reference_end(words, i);
}
