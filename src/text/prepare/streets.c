/* streets.c - see streets.h. */
#include "text/prepare/streets.h"

#include "text/locale/locale.h"
#include "text/word_match.h"

/* ---- Numbers ---- */

/* Whether word i begins an ordinal number, which is two words: 5 th. */
static int is_ordinal(const Words *words, size_t i)
{
    static const char *const endings[] = { "st", "nd", "rd", "th", NULL };
    enum { DIGITS = 3 };
    return word_number(words, i, DIGITS) >= 0 && word_is_glued(words, i + 1)
           && word_is_one_of(words, i + 1, endings);
}

/* Behind the number of a house that begins at word i: 12, 12b; i: none does. */
static size_t house_end(const Words *words, size_t i)
{
    static const char *const letters[] = { "a", "b", "c", "d", "e", "f", NULL };
    enum { DIGITS = 5 };
    if (word_number(words, i, DIGITS) < 0 || is_ordinal(words, i)) return i;
    return i + 1 + (size_t)(word_is_glued(words, i + 1) && word_is_one_of(words, i + 1, letters));
}

/* ---- Names ---- */

/* Whether word i has a capital as a name does: Baker, McAllister, J.; in a line of capitals BAKER. */
static int is_capitalised(const Words *words, size_t i, SentenceCase line)
{
    const PlainWord word = words_plain(words, i);
    switch (word_shape_at(words, i)) {
    case SHAPE_CAPITAL:     return word.length > 1 && word.text[word.length - 1] == '.';
    case SHAPE_CAPITALISED:
    case SHAPE_MIXED:       return 1;
    case SHAPE_CAPITALS:    return line == CASE_CAPITALS;
    default:                return 0;
    }
}

/* Behind the part of a name at word i: Baker, King's, 5th; i: there is none. */
static size_t name_end(const Words *words, size_t i, SentenceCase line)
{
    static const char *const genitive[] = { "'s", "’s", NULL };
    if (is_ordinal(words, i)) return i + 2;
    if (!is_capitalised(words, i, line) || locale_has_month(words, i)
        || locale_has_weekday(words, i))
        return i;
    return i + 1 + (size_t)word_is_one_of(words, i + 1, genitive);
}

static int most_names(SentenceCase line)
{
    return line == CASE_USUAL ? 4 : 2;
}

/* ---- English: 12 Baker Street ---- */

static int is_english_kind(const Words *words, size_t i, int has_number)
{
    static const char *const streets[] = { "street", "avenue", "boulevard", NULL };
    static const char *const roads[] = { "road", "lane", "square", "drive", "ave", "rd", "blvd",
                                         NULL };
    static const char *const others[] = {
        "st", "st.", "dr", "dr.", "court", "ct", "place", "pl", "way", "terrace", "crescent",
        "close", "row", "highway", "parkway", "gardens", "hill", NULL
    };
    const int has_capital = word_shape_at(words, i) > SHAPE_SMALL;
    if (word_is_one_of(words, i, streets) && has_capital) return 1;
    if (!has_number) return 0;
    if (word_is_one_of(words, i, roads) && has_capital) return 1;
    return word_is_end(words, i + 1)
           && (word_is_one_of(words, i, streets) || word_is_one_of(words, i, roads)
               || (word_is_one_of(words, i, others) && has_capital));
}

/* Whether a name without a number may begin at word i: not in the middle of one, nor where the
 * first word of the line may be a part of it. */
static int may_begin(const Words *words, size_t i, SentenceCase line)
{
    static const char *const titles[] = { "Mr", "Mr.", "Mrs", "Mrs.", "Ms", "Ms.", "Miss", "Dr",
                                          "Dr.", "M.", "Mme", "Mlle", NULL };
    static const char *const prepositions[] = { "on", "at", "in", "to", "from", "near", "along",
                                                "down", "up", "off", "behind", "the", NULL };
    if (!i || word_is_one_of(words, i, titles) || word_is_one_of(words, i - 1, titles)) return 0;
    return !is_capitalised(words, i - 1, line) || word_is_one_of(words, i - 1, prepositions)
           || locale_has_month(words, i - 1) || locale_has_weekday(words, i - 1);
}

static size_t english_end(const Words *words, size_t i, SentenceCase line)
{
    size_t at = house_end(words, i), end = i;
    const int has_number = at > i;
    if (!has_number && !may_begin(words, i, line)) return i;
    for (int names = 0; names < most_names(line); names++) {
        const size_t behind = name_end(words, at, line);
        if (behind == at) break;
        at = behind;
        if (is_english_kind(words, at, has_number)) end = at + 1;
    }
    return end;
}

/* ---- French: 12 bis, rue de la Paix ---- */

static int is_rue(const Words *words, size_t i)
{
    static const char *const streets[] = { "rue", "avenue", "boulevard", NULL };
    return word_is_one_of(words, i, streets);
}

static int is_place(const Words *words, size_t i)
{
    static const char *const others[] = { "impasse", "allée", "quai", "place", "chemin", "route",
                                          "cours", "square", "passage", "bd", "av", NULL };
    return word_is_one_of(words, i, others);
}

static int is_bare_of(const Words *words, size_t i)
{
    static const char *const of[] = { "de", "d'", "d’", NULL };
    return word_is_one_of(words, i, of);
}

/* Behind de la, du and the like at word i; i: there is none. */
static size_t of_end(const Words *words, size_t i)
{
    static const char *const of_the[] = { "du", "des", NULL };
    static const char *const articles[] = { "la", "le", "les", "l'", "l’", NULL };
    if (word_is_one_of(words, i, of_the)) return i + 1;
    if (!is_bare_of(words, i)) return i;
    return i + 1 + (size_t)word_is_one_of(words, i + 1, articles);
}

/* Behind the date that is a name of streets at word i: 8 mai 1945; i: there is none. */
static size_t date_end(const Words *words, size_t i)
{
    enum { DAY = 2, YEAR = 4 };
    if (word_number(words, i, DAY) < 0 || !locale_has_month(words, i + 1)) return i;
    return i + 2 + (size_t)(word_number(words, i + 2, YEAR) >= 0);
}

/* Behind the names from word i on, with "de" and its kin between them; i: there is none. */
static size_t names_end(const Words *words, size_t i, SentenceCase line)
{
    size_t end = i;
    for (int names = 0; names < most_names(line); names++) {
        const size_t at = names ? of_end(words, end) : end;
        const size_t name = name_end(words, at, line), date = date_end(words, at);
        if (name == at && date == at) break;
        end = name > at ? name : date;
    }
    return end;
}

/* Whether "de" alone before a name, behind the word for a street, may be an owner's: la rue de Tom,
 * 3 cours de Tom. */
static int may_be_owner(const Words *words, size_t kind, int has_number)
{
    if (!is_bare_of(words, kind + 1) || of_end(words, kind + 1) > kind + 2) return 0;
    return !has_number || (is_place(words, kind) && !word_is(words, kind - 1, ","));
}

static size_t french_end(const Words *words, size_t i, SentenceCase line)
{
    static const char *const repeated[] = { "bis", "ter", "quater", NULL };
    static const char *const english[] = { "the", "a", "an", "every", "this", "that", NULL };
    size_t kind = house_end(words, i);
    const int has_number = kind > i;
    if (has_number) {
        kind += (size_t)word_is_one_of(words, kind, repeated);
        kind += (size_t)word_is(words, kind, ",");
    }
    const int is_usual = has_number && line == CASE_USUAL;
    if (!is_rue(words, kind) && !(is_usual && is_place(words, kind))) return i;
    if (may_be_owner(words, kind, has_number)) return i;
    if (!has_number && i && word_is_one_of(words, i - 1, english)) return i;
    const size_t name = of_end(words, kind + 1), end = names_end(words, name, line);
    return end > name ? end : i;
}

size_t street_end(const Words *words, size_t i, SentenceCase line)
{
    if (line != CASE_USUAL && house_end(words, i) == i) return i;
    const size_t end = english_end(words, i, line);
    return end > i ? end : french_end(words, i, line);
}
